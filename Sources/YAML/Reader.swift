// SPDX-License-Identifier: MIT

/// What is learned of one file while it is read: its mistakes. A kind of file that has names to be
/// referred to, or that names other files, has a reader of its own that also keeps those.
open class Reader {
  package let file: String
  /// Behind the last character. What is missing there is found missing on a line that is not there.
  private let end: Mark
  private var found: [Mistake] = []

  /// The keys and list places that lead to what is being read.
  private var path: [Step] = []
  private enum Step {
    case key(String)
    case item(Int)
  }

  package init(file: String, end: Mark) {
    self.file = file
    self.end = end
  }

  /// Looking for what was meant takes its time, and nobody reads a thousand suggestions.
  private static let mostSuggestions = 1_000

  /// Notes a mistake: `what` is wrong, `expected` would be right, `near` was probably meant.
  package func report(
    _ what: String, at mark: Mark, expected: String? = nil, near: @autoclosure () -> String? = nil,
    severity: Mistake.Severity = .error
  ) {
    let near = found.count < Self.mostSuggestions ? near() : nil
    let hints = [expected.map { "expected \($0)" }, near.map { "did you mean \($0.quoted)?" }]
      .compactMap(\.self)
    let message = hints.isEmpty ? what : "\(what) (\(hints.joined(separator: "; ")))"
    let place = min(mark, end)
    found.append(
      Mistake(
        file: file, line: place.line, column: place.column, severity: severity, message: message))
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

  /// What was reported, in the order in which it stands in the file.
  package var mistakes: [Mistake] {
    // An alias is read wherever it stands, and what is wrong in it is said once.
    var said: Set<Mistake> = []
    return found.filter { said.insert($0).inserted }
      .sorted { ($0.line, $0.column) < ($1.line, $1.column) }
  }
}
