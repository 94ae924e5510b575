// SPDX-License-Identifier: MIT

internal import RoundelJSON

/// The report of a test run in parts.
package struct TestReport {
  package enum Style: Sendable {
    case humanReadable, tap, json
  }

  private let style: Style
  private let count: Int
  private var tap = TAP()
  private var done = 0
  private var failed = 0
  private var skipped = 0
  private var seconds = 0.0
  private var suite: String?

  package init(_ style: Style, count: Int) {
    self.style = style
    self.count = count
  }

  package var head: String { style == .tap ? tap.head(count: count) : "" }

  package func progress(_ suite: TestSuite, _ test: TestCase) -> String {
    String("\(done + 1)/\(count) \(suite.name): \(test.name)".prefix(78))
  }

  package mutating func add(_ result: TestResult, artifacts folder: String?) -> String {
    done += 1
    seconds += result.seconds
    if result.failure != nil { failed += 1 }
    if case .skipped = result.outcome { skipped += 1 }
    switch style {
    case .tap: return tap.lines(result, artifacts: folder)
    case .json: return result.json(artifacts: folder).text + "\n"
    case .humanReadable: return words(result, folder)
    }
  }

  /// `bailOut` is the reason if the tests were aborted.
  package func end(_ bailOut: String?) -> String {
    switch style {
    case .tap: return bailOut.map { tap.bailOut($0) } ?? ""
    case .json: return ""
    case .humanReadable:
      let passed = done - failed - skipped
      let left = count - done
      let parts = [
        "\(passed) passed", failed > 0 ? "\(failed) failed" : nil,
        skipped > 0 ? "\(skipped) skipped" : nil, left > 0 ? "\(left) not done" : nil,
      ]
      let sum = parts.compactMap { $0 }.joined(separator: ", ")
      return "\n\(sum) in \(seconds.fixed(2)) s\n"
    }
  }

  private mutating func words(_ result: TestResult, _ folder: String?) -> String {
    var text = ""
    if result.suite != suite {
      suite = result.suite
      text += "\(result.suite.printable)\n"
    }
    let name = result.test.name.printable
    let time = "\((result.seconds * 1000).fixed(1)) ms"
    switch result.outcome {
    case .passed: text += "  ok    \(name) (\(time))\n"
    case .skipped(let reason): text += "  skip  \(name): \(reason)\n"
    case .failed(let failure):
      text += "  FAIL  \(name) (\(time))\n"
      text += "        \(failure.place): \(failure.message)\n"
      if let folder { text += "        see \(folder)\n" }
    }
    for note in result.notes { text += "        \(note)\n" }
    return text
  }
}

extension TestResult {
  fileprivate func json(artifacts folder: String?) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("suite", .string(suite)), .init("test", .string(test.name)),
    ]
    switch outcome {
    case .passed: members.append(.init("outcome", .string("passed")))
    case .skipped(let reason):
      members += [.init("outcome", .string("skipped")), .init("message", .string(reason))]
    case .failed(let failure):
      members += [
        .init("outcome", .string("failed")), .init("message", .string(failure.message)),
        .init("at", .string(failure.place)),
      ]
    }
    members.append(.init("seconds", .number(seconds)))
    if !notes.isEmpty { members.append(.init("notes", .array(notes.map { .string($0) }))) }
    if let folder { members.append(.init("artifacts", .string(folder))) }
    return .object(members)
  }
}
