// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import RoundelRuntime
import RoundelSuites
import RoundelText

/// A kiosk with two buttons, a dial and a second page.
func makeKiosk() -> Description {
  let first = Page(
    name: "first",
    controls: [
      PlacedControl(
        id: "left", kind: "button",
        control: Button(center: Point(100, 100), size: Size(100, 100), text: "Left"),
        actions: ["selected": [.set(control: "note", property: "text", value: .text("left"))]]),
      PlacedControl(
        id: "right", kind: "button",
        control: Button(center: Point(300, 100), size: Size(100, 100), text: "Right"),
        actions: ["selected": [.go("second")]]),
      PlacedControl(
        id: "dial", kind: "dial",
        control: Dial(center: Point(200, 240), radius: 50, labels: Dial.numbers(12))),
      PlacedControl(
        id: "note", kind: "label",
        control: Label(center: Point(200, 20), text: "")),
    ])
  let second = Page(
    name: "second",
    controls: [
      PlacedControl(
        id: "back", kind: "button",
        control: Button(center: Point(200, 150), size: Size(100, 100), text: "Back")),
      PlacedControl(
        id: "wheel", kind: "pinwheel",
        control: Pinwheel(
          center: Point(340, 240), radius: 40, wedges: [.init(id: "a"), .init(id: "b")])),
      PlacedControl(
        id: "clock", kind: "label", control: Label(center: Point(60, 20), text: ""),
        bindings: ["text": (try? Template("{now:%H:%M}")) ?? Template(literal: "")]),
    ])
  var aid = Page(
    name: "aid",
    controls: [
      PlacedControl(
        id: "aided", kind: "label", control: Label(center: Point(200, 150), text: "Aid"))
    ])
  aid.isOver = true
  return Description(
    name: "kiosk", screen: Screen(size: Size(400, 300)), pages: [first, second, aid],
    values: [ValueDeclaration(name: "cups", initial: .number(1))])
}

/// In-memory goldens.
final class MemoryGoldens: GoldenStore {
  var files: [String: [UInt8]] = [:]

  func read(_ path: String) throws -> [UInt8]? { files[path] }

  func names(in folder: String) -> [String] {
    files.keys.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }
  }

  func write(_ bytes: [UInt8], to path: String) throws { files[path] = bytes }
}

/// Reads a suite file with these tests.
func read(_ tests: String, head: String = "") -> SuiteReading {
  let text = "suite: s\nkiosk: k.yaml\n\(head)tests:\n\(tests)"
  return SuiteReading(Array(text.utf8), path: "s.yaml") { path, _ in
    path == "k.yaml" ? makeKiosk() : nil
  }
}

/// The errors of such a file, without its name.
func diagnostics(_ tests: String, head: String = "") -> [String] {
  read(tests, head: head).diagnostics.map { String($0.description.dropFirst("s.yaml:".count)) }
}

/// The errors of a test with one step, which is on line 5 from column 9.
func diagnostics(step: String) -> [String] {
  diagnostics("  - test: t\n    steps:\n      - \(step)\n")
}

/// The results of a suite's tests, each on a separate kiosk.
func results(
  _ tests: String, head: String = "", goldens: MemoryGoldens = MemoryGoldens(),
  updates: Bool = false
) throws -> [TestResult] {
  let reading = read(tests, head: head)
  guard let suite = reading.suite else {
    throw Unreadable(diagnostics: reading.diagnostics.map(\.description))
  }
  let bench = HeadlessBench(Content(makeKiosk(), fonts: FontLibrary()), size: suite.size)
  let runner = TestRunner(at: bench, goldens: goldens, updates: updates, clock: { .zero })
  return try suite.tests.map { try runner.run($0, of: suite) }
}

struct Unreadable: Error {
  var diagnostics: [String]
}

/// The failure of a test with these steps, one per line, or nil if it passes.
func failure(_ steps: String..., head: String = "", goldens: MemoryGoldens = MemoryGoldens()) throws
  -> String?
{
  let lines = steps.map { "      - \($0)\n" }.joined()
  let result = try results("  - test: t\n    steps:\n\(lines)", head: head, goldens: goldens)
  return result.first?.failure.map { "\($0.line):\($0.column): \($0.message)" }
}
