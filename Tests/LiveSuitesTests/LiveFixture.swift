// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDeclarations
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Glibc
import Kiosk
import KioskProtocol
import LinuxIO
import LiveSuites
import RoundelMotion
import RoundelPresentation
import JSONRPC
import KioskService
import RoundelRuntime
import RoundelSuites
import SystemPackage
import RoundelText

/// A running kiosk with its server, on a separate thread, because clients block.
final class LiveFixture {
  let path: String
  private let folder: String
  private let loop: EventLoop
  private let worker: Worker
  private let thread = Thread()

  private final class Thread {
    var isRunning = true
  }

  init(_ rotation: Rotation = .none) throws {
    var template = Array("/tmp/roundel-live-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = folder + "/socket"
    loop = try EventLoop()
    worker = try Worker(on: loop)
    var ends: [CInt] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw Errno(rawValue: errno) }
    let started = OwnedDescriptor(adopting: ends[0])
    worker.run { [path, ready = ends[1]] in
      try? Self.run(at: path, rotation, ready: ready)
    } whenDone: { [thread] _ in
      thread.isRunning = false
    }
    // A byte means that the server listens; the end of the stream means that it failed.
    guard try !started.receive(upTo: 1).isEmpty else { throw Errno.connectionRefused }
  }

  deinit {
    try? stop()
    _ = unsafe unlink(path)
    _ = unsafe rmdir(folder)
  }

  /// Ends the kiosk and waits for its thread.
  func stop() throws {
    if thread.isRunning { _ = try? Client(at: path).call(StopRequest()) }
    while thread.isRunning { try loop.turn() }
  }

  private static func run(at path: String, _ rotation: Rotation, ready: CInt) throws {
    let ready = OwnedDescriptor(adopting: ready)
    let loop = try EventLoop()
    let clock = { MonotonicClock.now }
    let display = HeadlessDisplay(
      size: rotation.applied(to: PixelSize(400, 200)), rotation: rotation,
      refreshInterval: 0.002, clock: clock)
    let cycle = FrameCycle(
      Content(makeKiosk(), fonts: FontLibrary()), on: display, seed: 1, clock: clock)
    let host = HostAccess(
      reload: { $0(RemoteError(.failed, "there is no file")) }, stop: { loop.stop() },
      inputs: { [] }, output: { nil })
    let remote = try KioskServer(
      for: cycle, on: display, host: host, version: "1", loop: loop, clock: clock)
    try remote.listen(at: path)
    cycle.onEvent = { [unowned remote] in remote.report($0) }
    try FileDescriptor(rawValue: ready.rawValue).writeAll([1])
    try loop.run {
      let deadline = cycle.turn()
      remote.turn()
      return deadline
    }
    cycle.onEvent = { _ in }
  }

  func connect() throws(LiveError) -> LiveKiosk {
    try LiveKiosk(at: KioskAddress(socket: path), version: "1", touch: .socket)
  }

  /// The results of a suite's tests on this kiosk.
  func results(_ tests: String) throws -> [TestResult] {
    let kiosk = try connect()
    defer { kiosk.close() }
    let reading = read(tests)
    guard let suite = reading.suite else {
      throw Unreadable(diagnostics: reading.diagnostics.map(\.description))
    }
    let bench = LiveBench(kiosk, Content(makeKiosk(), fonts: FontLibrary()))
    let runner = TestRunner(at: bench, goldens: NoGoldens(), clock: { MonotonicClock.now })
    return try suite.tests.map { try runner.run($0, of: suite) }
  }

  /// The failure of a test with these steps, one per line, or nil if it passes.
  func failure(_ steps: String...) throws -> String? {
    let lines = steps.map { "      - \($0)\n" }.joined()
    return try results("  - test: t\n    steps:\n\(lines)").first?.failure?.message
  }
}

struct Unreadable: Error {
  var diagnostics: [String]
}

private struct NoGoldens: GoldenStore {
  func read(_ path: String) throws -> [UInt8]? { nil }
  func names(in folder: String) -> [String] { [] }
  func write(_ bytes: [UInt8], to path: String) throws {}
}

/// Reads a suite file with these tests.
private func read(_ tests: String) -> SuiteReading {
  let text = "suite: s\nkiosk: k.yaml\ntests:\n\(tests)"
  return SuiteReading(Array(text.utf8), path: "s.yaml") { path, _ in
    path == "k.yaml" ? makeKiosk() : nil
  }
}

/// Two buttons, a dial and a second page.
func makeKiosk() -> Description {
  let first = Page(
    name: "first",
    controls: [
      PlacedControl(
        id: "left", kind: "button",
        control: Button(center: Point(60, 100), size: Size(80, 80), text: "Left"),
        actions: ["selected": [.set(control: "note", property: "text", value: .text("left"))]]),
      PlacedControl(
        id: "right", kind: "button",
        control: Button(center: Point(340, 100), size: Size(80, 80), text: "Right"),
        actions: ["selected": [.go("second")]]),
      PlacedControl(
        id: "dial", kind: "dial",
        control: Dial(center: Point(200, 100), radius: 80, labels: Dial.numbers(12))),
      PlacedControl(id: "note", kind: "label", control: Label(center: Point(60, 20), text: "")),
    ])
  let second = Page(
    name: "second", background: .color(.white),
    controls: [
      PlacedControl(
        id: "back", kind: "button",
        control: Button(center: Point(200, 100), size: Size(80, 80), text: "Back"))
    ])
  return Description(
    name: "kiosk", screen: Screen(size: Size(400, 200), background: .black),
    pages: [first, second], values: [ValueDeclaration(name: "cups", initial: .number(1))])
}
