// SPDX-License-Identifier: MIT

import Glibc
import JSON
import Suites

/// Reports tests while they are done: to people, or as TAP or JSON to programs.
struct TestReport {
  enum Style {
    case people, tap, json
  }

  private let style: Style
  private let count: Int
  private var tap = TAP()
  private var done = 0
  private var failed = 0
  private var skipped = 0
  private var seconds = 0.0
  private var suite: String?
  /// Whether a line on the terminal says what is being done.
  private let showsProgress: Bool

  init(_ style: Style, count: Int) {
    self.style = style
    self.count = count
    showsProgress = StandardError.isTerminal
    if style == .tap { StandardOutput.write(tap.head(count: count)) }
  }

  private func progress(_ text: String) {
    guard showsProgress else { return }
    StandardError.writeProgress(text)
  }

  mutating func begin(_ suite: TestSuite, _ test: TestCase) {
    progress("\(done + 1)/\(count) \(suite.name): \(test.name)".prefix(78).description)
  }

  mutating func add(_ result: TestResult, artifacts folder: String?) {
    done += 1
    seconds += result.seconds
    if result.failure != nil { failed += 1 }
    if case .skipped = result.outcome { skipped += 1 }
    progress("")
    switch style {
    case .tap: StandardOutput.write(tap.lines(result, artifacts: folder))
    case .json: StandardOutput.write(json: result.json(artifacts: folder))
    case .people: StandardOutput.write(words(result, folder))
    }
  }

  mutating func end(_ bailOut: String?) {
    switch style {
    case .tap: if let bailOut { StandardOutput.write(tap.bailOut(bailOut)) }
    case .json: break
    case .people:
      let passed = done - failed - skipped
      let left = count - done
      let parts = [
        "\(passed) passed", failed > 0 ? "\(failed) failed" : nil,
        skipped > 0 ? "\(skipped) skipped" : nil, left > 0 ? "\(left) not done" : nil,
      ]
      let sum = parts.compactMap { $0 }.joined(separator: ", ")
      StandardOutput.write("\n\(sum) in \(seconds.fixed(2)) s\n")
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
