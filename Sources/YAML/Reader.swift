// SPDX-License-Identifier: MIT

/// What is learned of one file while it is read: its mistakes. A kind of file that has names to be
/// referred to, or that names other files, has a reader of its own that also keeps those.
open class Reader {
  package let file: String
  /// Behind the last character. What is missing there is found missing on a line that is not there.
  private let end: Mark
  private let limit: TimeLimit
  private var found: [Mistake] = []
  private var said: Set<Mistake> = []
  /// Those beyond the maximum.
  private var omitted = 0
  private var firstOmitted: Mark?
  /// Whether a mistake among all is an error.
  package private(set) var hasError = false
  private var isStopped = false
  /// What has been spent on suggestions.
  var comparisons = 0

  /// The keys and list places that lead to what is being read.
  private var path: [Step] = []
  private enum Step {
    case key(String)
    case item(Int)
  }

  package init(file: String, end: Mark, limit: TimeLimit = .none) {
    self.file = file
    self.end = end
    self.limit = limit
  }

  /// More than anybody mends before the next check.
  package static let maximumMistakes = 1_000

  /// Whether there is time to read what stands at `mark`. Where there is none, that is the last
  /// mistake to be reported.
  package func hasTime(at mark: Mark) -> Bool {
    if !isStopped, limit.isExceeded { stop(limit.mistake, at: mark) }
    return !isStopped
  }

  /// Reports a last mistake. What would be read after it has no value.
  package func stop(_ what: String, at mark: Mark, expected: String? = nil) {
    guard !isStopped else { return }
    report(what, at: mark, expected: expected)
    isStopped = true
  }

  /// Notes a mistake: `what` is wrong, `expected` would be right, `near` was probably meant.
  package func report(
    _ what: @autoclosure () -> String, at mark: Mark, expected: @autoclosure () -> String? = nil,
    near: @autoclosure () -> String? = nil,
    severity: Mistake.Severity = .error
  ) {
    guard !isStopped else { return }
    hasError = hasError || severity == .error
    let place = min(mark, end)
    guard found.count < Self.maximumMistakes else {
      omitted += 1
      firstOmitted = min(place, firstOmitted ?? place)
      return
    }
    let near = near()
    let (what, expected) = (what(), expected())
    let hints = [expected.map { "expected \($0)" }, near.map { "did you mean \($0.quoted)?" }]
      .compactMap(\.self)
    let message = hints.isEmpty ? what : "\(what) (\(hints.joined(separator: "; ")))"
    let mistake = Mistake(
      file: file, line: place.line, column: place.column, severity: severity, message: message)
    // An alias is read wherever it stands, and what is wrong in it is said once.
    if said.insert(mistake).inserted { found.append(mistake) }
  }

  /// Notes that something else stands where `expected` belongs.
  package func reportType(_ node: Node, expected: String) {
    report("\(subject) has the wrong type: \(node.summary)", at: node.mark, expected: expected)
  }

  /// What is being read, for people: `"radius"`, `item 2 of "size"`.
  package var subject: String {
    switch path.last {
    case nil: "the file"
    case .key(let key): key.quoted
    case .item(let index):
      if case .key(let key) = path.dropLast().last {
        "item \(index + 1) of \(key.quoted)"
      } else {
        "item \(index + 1)"
      }
    }
  }

  package func inside<T>(key: String, _ read: () -> T) -> T {
    path.append(.key(key))
    defer { path.removeLast() }
    return read()
  }

  package func inside<T>(item: Int, _ read: () -> T) -> T {
    path.append(.item(item))
    defer { path.removeLast() }
    return read()
  }

  /// The path of a file that the file names relative to itself.
  package func resolve(_ name: String) -> String {
    guard !name.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return name }
    return file[...slash] + name
  }

  /// What was reported, in the order in which it stands in the file. Beyond a maximum mistakes are
  /// only counted.
  package var mistakes: [Mistake] {
    let sorted = found.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    guard let place = firstOmitted else { return sorted }
    let more = Mistake(
      file: file, line: place.line, column: place.column, severity: hasError ? .error : .warning,
      message: "\(omitted) more here and below (expected these to be mended first)")
    return sorted + [more]
  }
}
