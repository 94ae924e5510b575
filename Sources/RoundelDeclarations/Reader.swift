// SPDX-License-Identifier: MIT

internal import RoundelExpressions

/// A reader of a file and its included files. Forms are nested closures, so their common report is
/// an object instead of an `inout` argument.
open class Reader {
  let log: Report
  package let constants: Constants

  package init(
    file: String, end: Mark, limit: TimeLimit = .none, constants: Constants = Constants([:])
  ) {
    log = Report([.init(path: file, end: end)], limit: limit)
    self.constants = constants
  }

  /// Continues the report of another reader of the same file.
  package init(after other: Reader, constants: Constants) {
    log = other.log
    self.constants = constants
  }

  /// Whether there is an error, not only warnings.
  package var hasError: Bool { log.hasError }

  /// The keys and list indices on the path to the current value.
  package var path: [Node.PathComponent] { log.path }

  package var file: String { log.files[0].path }

  /// The paths of included or missing files.
  package var includedFiles: [String] { log.files.dropFirst().map(\.path) }

  /// The paths of the file and its included files, in the order of `Mark.file`.
  package var filePaths: [String] { log.files.map(\.path) }

  /// Returns the main file for an unknown file.
  private func file(of mark: Mark) -> Report.File {
    log.files.indices.contains(mark.file) ? log.files[mark.file] : log.files[0]
  }

  package func path(of mark: Mark) -> String { file(of: mark).path }

  /// Returns an included file's index for marks.
  ///
  /// - Parameter base: The file that its names of other files are relative to, or nil for itself.
  package func add(file path: String, relativeTo base: String? = nil) -> Int {
    // A file of a program's source has no known end.
    let end = base == nil ? .start : Mark(file: log.files.count, line: .max, column: 1)
    log.files.append(.init(path: path, base: base, end: end))
    return log.files.count - 1
  }

  func set(text: [UInt8], ofFile file: Int) { log.files[file].end = Mark(endOf: text).inFile(file) }

  /// Additional errors are only counted.
  package static let maximumDiagnostics = 1_000

  /// Whether there is time to read the node at `mark`. If not, reports a last error.
  package func hasTime(at mark: Mark) -> Bool {
    if !log.isStopped, log.limit.isExceeded { stop(log.limit.message, at: mark) }
    return !log.isStopped
  }

  /// Reports a last error. Nodes read later have no value.
  package func stop(_ what: String, at mark: Mark, expected: String? = nil) {
    guard !log.isStopped else { return }
    report(what, at: mark, expected: expected)
    log.isStopped = true
  }

  /// Returns the allowed location of `for`, `as`, `if` or `include` in a file of this kind.
  open func place(ofDirective name: String) -> String? { Node.Directive.place(of: name) }

  /// `what` is wrong, `expected` would be valid, `suggestion` is a similar word.
  package func report(
    _ what: @autoclosure () -> String, at mark: Mark, expected: @autoclosure () -> String? = nil,
    suggestion: @autoclosure () -> String? = nil, severity: Diagnostic.Severity = .error
  ) {
    guard !log.isStopped else { return }
    log.hasError = log.hasError || severity == .error
    let file = file(of: mark)
    let place = min(mark, file.end.inFile(mark.file))
    guard log.found.count < Self.maximumDiagnostics else {
      log.omitted += 1
      log.firstOmitted = min(place, log.firstOmitted ?? place)
      return
    }
    let diagnostic = Diagnostic(
      file: file.path, line: place.line, column: place.column, severity: severity,
      message: Diagnostic.message(what(), expected: expected(), suggestion: suggestion()))
    // Aliases and repeated maps are read more than once, but their errors are reported once.
    if log.reported.insert(diagnostic).inserted { log.found.append((place, diagnostic)) }
  }

  package func reportType(_ node: Node, expected: String) {
    // A template without quotes is read as a map.
    let isBraced = node.kind == .map && node.pairs.first.map { $0.keyMark != node.mark } ?? false
    let hint = isBraced && (expected.contains("string") || expected.contains("template"))
    report(
      "\(subject) has the wrong type: \(node.summary)", at: node.mark,
      expected: expected + (hint ? "; a string that begins with { needs quotes" : ""))
  }

  package func report(duplicate what: String, _ name: String, first: Mark, at mark: Mark) {
    guard mark != first else {
      return report(
        "duplicate \(what) \(name.quoted), once per repetition", at: mark,
        expected: "a $name from \"for\" in it")
    }
    let file = mark.file == first.file ? "" : " of \(path(of: first))"
    report("duplicate \(what) \(name.quoted) (first on line \(first.line)\(file))", at: mark)
  }

  /// The human-readable name of the current value: `"radius"`, `item 2 of "size"`.
  package var subject: String {
    switch log.path.last {
    case nil: "the file"
    case .key(let key): key.quoted
    case .index(let index):
      if case .key(let key) = log.path.dropLast().last {
        "item \(index + 1) of \(key.quoted)"
      } else {
        "item \(index + 1)"
      }
    }
  }

  /// Returns nil after reporting why the node's value is invalid.
  func decoded<T>(_ node: Node, _ decode: (inout DecodingContext) throws(InvalidValueError) -> T)
    -> T?
  {
    var context = DecodingContext(reading: self, at: node.mark)
    do throws(InvalidValueError) {
      return try decode(&context)
    } catch {
      error.report(of: node, self)
      return nil
    }
  }

  package func inside<T>(key: String, _ read: () -> T) -> T { inside(.key(key), read) }
  package func inside<T>(item: Int, _ read: () -> T) -> T { inside(.index(item), read) }

  private func inside<T>(_ component: Node.PathComponent, _ read: () -> T) -> T {
    log.path.append(component)
    defer { log.path.removeLast() }
    return read()
  }

  package func inside<T>(path: [Node.PathComponent], _ read: () -> T) -> T {
    let outer = log.path
    log.path = path
    defer { log.path = outer }
    return read()
  }

  package func resolve(_ name: String, from mark: Mark = .start) -> String {
    name.resolved(from: file(of: mark).base ?? path(of: mark))
  }

  /// The errors by location in the file, then in its included files. Errors beyond the maximum are
  /// only counted.
  package var diagnostics: [Diagnostic] {
    let sorted = log.found.sorted { $0.mark < $1.mark }.map(\.diagnostic)
    guard let place = log.firstOmitted else { return sorted }
    let more = Diagnostic(
      file: path(of: place), line: place.line, column: place.column,
      severity: log.hasError ? .error : .warning,
      message: "\(log.omitted) more here and below (expected these to be fixed first)")
    return sorted + [more]
  }
}

extension Sequence<String> {
  /// Returns nil if no name is similar, or the reader has made too many comparisons.
  package func nearest(to word: String, by reader: Reader) -> String? {
    nearest(to: word, comparisons: &reader.log.comparisons)
  }
}
