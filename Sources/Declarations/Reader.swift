// SPDX-License-Identifier: MIT

/// A reader of one file, with those that it includes. Its state is the report, which other readers of the
/// file continue: forms are closures that run within each other, so the report is an object instead of an `inout`
/// argument of all of them.
open class Reader {
  let log: Report
  /// The names whose numbers stay the same for as long as the file is used.
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

  /// Whether a mistake among all is an error.
  package var hasError: Bool { log.hasError }

  /// The keys and list places that lead to the value that is being read.
  package var path: [Node.PathComponent] { log.path }

  /// The path by which the file was read.
  package var file: String { log.files[0].path }

  /// The paths of the files that were included or looked for.
  package var includedFiles: [String] { log.files.dropFirst().map(\.path) }

  /// The paths of the file and of those that it includes, as marks count them.
  package var filePaths: [String] { log.files.map(\.path) }

  /// The file that a mark is in; a mark of no file that is known counts as one of the first.
  private func file(of mark: Mark) -> Report.File {
    log.files.indices.contains(mark.file) ? log.files[mark.file] : log.files[0]
  }

  /// The path of the file that a mark is in.
  package func path(of mark: Mark) -> String { file(of: mark).path }

  /// Adds a file that is included; its number in marks.
  func add(file path: String) -> Int {
    log.files.append(.init(path: path, end: .start))
    return log.files.count - 1
  }

  /// Notes the content of an included file.
  func set(text: [UInt8], ofFile file: Int) {
    log.files[file].end = Mark(endOf: text).inFile(file)
  }

  /// The maximum number of mistakes that are reported; further ones are counted.
  package static let maximumMistakes = 1_000

  /// Whether there is time to read the node at `mark`. Where there is none, that is the last mistake to be
  /// reported.
  package func hasTime(at mark: Mark) -> Bool {
    if !log.isStopped, log.limit.isExceeded { stop(log.limit.mistake, at: mark) }
    return !log.isStopped
  }

  /// Reports a last mistake. Nodes that are read after it have no value.
  package func stop(_ what: String, at mark: Mark, expected: String? = nil) {
    guard !log.isStopped else { return }
    report(what, at: mark, expected: expected)
    log.isStopped = true
  }

  /// The place of `for`, `as`, `if` or `include` in a file of this kind.
  open func place(ofDirective name: String) -> String? {
    Node.Directive.place(of: name)
  }

  /// Notes a mistake: `what` is wrong, `expected` would be right, `near` was probably meant.
  package func report(
    _ what: @autoclosure () -> String, at mark: Mark, expected: @autoclosure () -> String? = nil,
    near: @autoclosure () -> String? = nil,
    severity: Mistake.Severity = .error
  ) {
    guard !log.isStopped else { return }
    log.hasError = log.hasError || severity == .error
    let file = file(of: mark)
    let place = min(mark, file.end.inFile(mark.file))
    guard log.found.count < Self.maximumMistakes else {
      log.omitted += 1
      log.firstOmitted = min(place, log.firstOmitted ?? place)
      return
    }
    let mistake = Mistake(
      file: file.path, line: place.line, column: place.column, severity: severity,
      message: Mistake.message(what(), expected: expected(), near: near()))
    // An alias and a repeated map are read more than once, and their mistakes are reported once.
    if log.said.insert(mistake).inserted { log.found.append((place, mistake)) }
  }

  /// Reports that a value is not what is `expected` there.
  package func reportType(_ node: Node, expected: String) {
    // A template without quotes reads as a map.
    let isBraced = node.kind == .map && node.pairs.first.map { $0.keyMark != node.mark } ?? false
    let hint = isBraced && (expected.contains("text") || expected.contains("template"))
    report(
      "\(subject) has the wrong type: \(node.summary)", at: node.mark,
      expected: expected + (hint ? "; one that begins with { needs quotes" : ""))
  }

  /// Reports that something has the name of another of its kind, which is at `first`.
  package func report(duplicate what: String, _ name: String, first: Mark, at mark: Mark) {
    guard mark != first else {
      return report(
        "duplicate \(what) \(name.quoted), once for each time that it is repeated", at: mark,
        expected: "a different one for each, as with a $name of \"for\" in it")
    }
    let file = mark.file == first.file ? "" : " of \(path(of: first))"
    report("duplicate \(what) \(name.quoted) (first on line \(first.line)\(file))", at: mark)
  }

  /// The value that is being read, for people: `"radius"`, `item 2 of "size"`.
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

  /// The value that `decode` makes of a node; nil after reporting why it does not suit.
  func decoded<T>(_ node: Node, _ decode: (inout Facts) throws(Unsuitable) -> T) -> T? {
    var facts = Facts(reading: self, at: node.mark)
    do throws(Unsuitable) {
      return try decode(&facts)
    } catch {
      error.report(of: node, self)
      return nil
    }
  }

  package func inside<T>(key: String, _ read: () -> T) -> T {
    log.path.append(.key(key))
    defer { log.path.removeLast() }
    return read()
  }

  package func inside<T>(path: [Node.PathComponent], _ read: () -> T) -> T {
    let outer = log.path
    log.path = path
    defer { log.path = outer }
    return read()
  }

  package func inside<T>(item: Int, _ read: () -> T) -> T {
    log.path.append(.index(item))
    defer { log.path.removeLast() }
    return read()
  }

  /// The path of a file that is named, relative to the file that names it, at `mark`.
  package func resolve(_ name: String, from mark: Mark = .start) -> String {
    name.resolved(from: path(of: mark))
  }

  /// The mistakes, in the order of their places in the file and then in the files that it includes. Beyond a
  /// maximum they are only counted.
  package var mistakes: [Mistake] {
    let sorted = log.found.sorted { $0.mark < $1.mark }.map(\.mistake)
    guard let place = log.firstOmitted else { return sorted }
    let more = Mistake(
      file: path(of: place), line: place.line, column: place.column,
      severity: log.hasError ? .error : .warning,
      message: "\(log.omitted) more here and below (expected these to be fixed first)")
    return sorted + [more]
  }
}
