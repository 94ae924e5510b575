// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Glibc
import RoundelInput
import RoundelJSON
import Kiosk
import LinuxIO
import RoundelMotion
import RoundelPresentation
import JSONRPC
import KioskService
import RoundelRuntime
import SystemPackage
import RoundelText

/// A kiosk on an in-memory panel, its server, and the loop that they share with all clients.
final class KioskFixture {
  let folder: String
  let loop: EventLoop
  let display: HeadlessDisplay
  let cycle: FrameCycle
  private(set) var remote: KioskServer?
  /// The kiosk's input devices.
  var inputs: () -> [String] = { [] }
  var hasTouchscreen = false
  /// Receives touchscreen events instead of the kiosk.
  private(set) var touchTaker: ((InputEvent, Touchscreen) -> Void)?
  /// The requested matrices.
  private(set) var matrices: [TouchMatrix] = []
  private(set) var isStopped = false
  /// The states that the machine refuses.
  var problems: [String] = []
  /// The lines logged about its program.
  private(set) var log: [String] = []
  /// The events, for example `shows.selected(a)`.
  private(set) var events: [String] = []

  private(set) var failures: [String] = []

  /// The events except the ends of blinks, which may arrive during an answer on a busy machine.
  var touchEvents: [String] { events.filter { !$0.contains("confirmed") } }

  var path: String { folder + "/socket" }

  init(
    rotation: Rotation = .none, limits: Limits = Limits(), kiosk: Description = KioskFixture.kiosk
  ) throws {
    var template = Array("/tmp/roundel-kiosk-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    loop = try EventLoop()
    let clock = { MonotonicClock.now }
    display = HeadlessDisplay(
      size: rotation.applied(to: PixelSize(400, 200)), rotation: rotation,
      refreshInterval: 0.002, clock: clock)
    cycle = FrameCycle(
      Content(kiosk, fonts: FontLibrary()), on: display, seed: 1, clock: clock)
    let host = HostAccess(
      reload: { whenDone in whenDone(RemoteError(.failed, "the file has an error")) },
      stop: { [unowned self] in isStopped = true },
      inputs: { [unowned self] in inputs() },
      output: { DisplayPlace(card: "card0", output: "HDMI-A-1", mode: "400x200@60") },
      problems: { [unowned self] in problems },
      touchscreens: TouchscreenAccess(
        take: { [unowned self] in touchTaker = $0 },
        calibrate: { [unowned self] in matrices.append($1) },
        isPresent: { [unowned self] in hasTouchscreen }))
    remote = try KioskServer(
      for: cycle, on: display, host: host, version: "1.2.3", loop: loop, limits: limits,
      log: { [weak self] message, _ in self?.log.append(message) }, clock: clock)
    try remote?.listen(at: path)
    cycle.onEvent = { [unowned self] event in
      if event.name == "failed" {
        failures.append(event.fields.first { $0.name == "message" }?.value.display ?? "")
      }
      let item = event.item.map { "(\($0))" } ?? ""
      events.append((event.control.map { $0 + "." } ?? "") + event.name + item)
      remote?.report(event)
    }
  }

  deinit {
    remote = nil
    _ = unsafe rmdir(folder)
  }

  static var kiosk: Description {
    let wheel = Pinwheel(
      center: Point(100, 100), radius: 90, hole: 20, press: .color(.white),
      blink: .init(count: 1, on: 0.02, off: 0),
      wedges: [
        .init(id: "a", color: .hex(0x800000)),
        .init(id: "b", color: .hex(0x008000)),
      ])
    let dial = Dial(center: Point(300, 100), radius: 90, labels: Dial.numbers(12))
    let menu = Menu(
      center: Point(100, 100), screen: Size(400, 200), radius: 20, leafRadius: 15,
      items: [.init(id: "tea"), .init(id: "more", items: [.init(id: "x")])])
    let button = Button(center: Point(300, 100), size: Size(80, 60), text: "Back")
    let note = Label(center: Point(200, 180), text: "")
    return Description(
      name: "stand", screen: Screen(size: Size(400, 200), background: .black),
      pages: [
        Page(
          name: "one",
          controls: [
            PlacedControl(id: "shows", kind: "pinwheel", control: wheel),
            PlacedControl(id: "minutes", kind: "dial", control: dial),
          ]),
        Page(
          name: "two",
          controls: [
            PlacedControl(id: "drinks", kind: "menu", control: menu),
            PlacedControl(id: "back", kind: "button", control: button, isEnabled: false),
            PlacedControl(id: "ghost", kind: "button", control: button, isVisible: false),
            PlacedControl(id: "note", kind: "label", control: note),
            PlacedControl(
              id: "clock", kind: "label", control: note,
              bindings: ["text": (try? Template("{now:%M:%S}")) ?? Template(literal: "")]),
          ]),
      ],
      values: [
        ValueDeclaration(name: "cups", initial: .number(1), minimum: 0, maximum: 8),
        ValueDeclaration(name: "guest", initial: .text("")),
        ValueDeclaration(name: "open", initial: .flag(true)),
        ValueDeclaration(name: "rows", initial: .list([])),
      ])
  }

  func connect() throws -> Wire { Wire(try LocalSocket.connect(to: path)) }

  /// Runs the kiosk until `condition` is true. Returns false after a minute.
  func run(until condition: () throws -> Bool) throws -> Bool {
    let end = MonotonicClock.now + 60
    while try !condition() {
      if MonotonicClock.now > end { return false }
      let deadline = cycle.turn()
      remote?.turn()
      let soon = MonotonicClock.now + 0.002
      try loop.turn(until: min(deadline ?? soon, soon))
    }
    return true
  }

  /// Sends a line longer than the socket's buffer.
  func send(line: String, on wire: Wire) throws {
    var left = Array((line + "\n").utf8)[...]
    _ = try run {
      left = left.dropFirst(wire.send(left))
      return left.isEmpty
    }
  }

  /// The response to a request: its result or its error.
  func ask(_ method: String, _ parameters: String = "{}", on wire: Wire? = nil) throws -> JSONValue
  {
    let wire = try wire ?? connect()
    let before = wire.answers.count { $0["id"] != nil }
    wire.send(
      line: "{\"jsonrpc\":\"2.0\",\"method\":\"\(method)\",\"params\":\(parameters),\"id\":1}")
    _ = try run {
      wire.read()
      return wire.answers.count { $0["id"] != nil } > before
    }
    let answer = wire.answers.last { $0["id"] != nil }
    return answer?["result"] ?? answer?["error"] ?? .null
  }
}
