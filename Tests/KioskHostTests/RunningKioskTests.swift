// SPDX-License-Identifier: MIT

import RoundelBackends
import RoundelControls
import RoundelExpressions
import RoundelGeometry
import Glibc
import HostSupport
import RoundelJSON
import Kiosk
import KioskHost
import KioskProtocol
import LinuxIO
import RoundelMotion
import RoundelPresentation
import JSONRPC
import RoundelRuntime
import Testing

@Suite(.timeLimit(.minutes(5))) struct RunningKioskTests {
  private func edit(_ fixture: KioskFixture, _ text: String) throws {
    try fixture.folder.write(text, to: "wall.yaml")
  }

  // MARK: Edits

  @Test func `an edit is shown and keeps selections`() throws {
    let fixture = try KioskFixture(wall("Welcome {guests}"))
    try fixture.start()
    try fixture.set("guests", to: 3)
    try fixture.advance(by: 0)
    #expect(fixture.text() == "Welcome 3")
    try edit(fixture, wall("Hello {guests}"))
    try fixture.run { fixture.text() == "Hello 3" }
    #expect(try fixture.log().contains("\(fixture.file) was reloaded"))
  }

  @Test func `a broken edit keeps the running kiosk and reports errors until it is fixed`() throws {
    let fixture = try KioskFixture(wall("Welcome"))
    try fixture.start()
    try edit(fixture, brokenWall)
    try fixture.run { try !fixture.events(named: "failed").isEmpty }
    #expect(fixture.text() == "Welcome")
    let message = try fixture.events(named: "failed").last?["message"]?.string ?? ""
    #expect(message.hasPrefix("cannot reload \(fixture.file); the running kiosk stays."))
    #expect(message.contains("\(fixture.file):2:"))
    #expect(try fixture.log().contains("cannot reload"))
    try edit(fixture, wall("Mended"))
    try fixture.run { fixture.text() == "Mended" }
  }

  @Test func `a deleted file is awaited`() throws {
    let fixture = try KioskFixture(wall("Welcome"))
    try fixture.start()
    fixture.folder.remove("wall.yaml")
    try fixture.run { try !fixture.events(named: "failed").isEmpty }
    #expect(fixture.text() == "Welcome")
    try edit(fixture, wall("Back"))
    try fixture.run { fixture.text() == "Back" }
  }

  @Test func `a newly included file is watched, too`() throws {
    let fixture = try KioskFixture(wall("Welcome"))
    try fixture.start()
    try fixture.folder.write("{label: more, at: [640, 600], text: More}\n", to: "more.yaml")
    try edit(fixture, wall("Welcome", more: "      - {include: more.yaml}"))
    try fixture.run { fixture.text("more") == "More" }
    try fixture.folder.write("{label: more, at: [640, 600], text: Most}\n", to: "more.yaml")
    try fixture.run { fixture.text("more") == "Most" }
  }

  @Test func `a commanded rotation stays until the file changes its own`() throws {
    func turned(_ degrees: Int, _ text: String) -> String {
      wall(text, more: "screen: {rotate: \(degrees)}")
    }
    let fixture = try KioskFixture(turned(0, "Welcome"))
    try fixture.start()
    let display = try #require(fixture.backend?.display)
    display.turn(by: .quarter)
    try edit(fixture, turned(0, "Hello"))
    try fixture.run { fixture.text() == "Hello" }
    #expect(display.rotation == .quarter)
    try edit(fixture, turned(180, "Hello again"))
    try fixture.run { fixture.text() == "Hello again" }
    #expect(display.rotation == .half)
  }

  // MARK: Answers

  @Test func `a reload that ends the fault page is answered`() throws {
    let fixture = try KioskFixture(brokenWall)
    let socket = fixture.folder.path + "/socket"
    try fixture.start(socket: SocketPlace(socket, isRequired: true))
    let client = try Client(at: socket)
    try edit(fixture, wall("Mended"))
    // The second request arrives during the first reload.
    let requests = try [client.send(ReloadRequest()), client.send(ReloadRequest())]
    try fixture.kiosk?.run()
    fixture.stop()
    for request in requests { _ = try client.answer(to: request, timeout: 10) }
  }

  @Test func `a stop and earlier requests are answered`() throws {
    let fixture = try KioskFixture(wall("Welcome"))
    let socket = fixture.folder.path + "/socket"
    try fixture.start(socket: SocketPlace(socket, isRequired: true))
    let client = try Client(at: socket)
    let restart = try client.send(RestartRequest())
    let stop = try client.send(StopRequest())
    try fixture.kiosk?.run()
    fixture.stop()
    _ = try client.answer(to: restart, timeout: 10)
    _ = try client.answer(to: stop, timeout: 10)
    #expect(try fixture.events(named: "restarted").count == 1)
  }

  // MARK: Warnings

  @Test func `the kiosk is shown before warnings are computed`() throws {
    let fixture = try KioskFixture(
      wall("Welcome", more: "      - {label: gone, at: [4000, 40], text: Gone}"))
    try fixture.start()
    try fixture.run { try fixture.log().contains("warning: ") }
    let lines = try fixture.log().split(separator: "\n")
    let shown = try #require(lines.firstIndex { $0.contains("showing \(fixture.file)") })
    let warned = try #require(lines.firstIndex { $0.contains("warning: ") })
    #expect(shown < warned)
    #expect(lines.count { $0.contains("warning: ") } == 1)
    let known = KioskReading(fixture.file).reviewed().diagnostics
    #expect(lines[warned].hasSuffix("\(try #require(known.first))"))
  }

  @Test func `warnings of an edit are reported with it`() throws {
    let fixture = try KioskFixture(wall("Welcome"))
    try fixture.start()
    try edit(fixture, wall("Hello", more: "      - {label: lost, at: [40, 4000], text: Lost}"))
    try fixture.run { fixture.text() == "Hello" }
    let lines = try fixture.log().split(separator: "\n")
    let reported = lines.lastIndex { $0.contains("warning: ") }
    let anew = lines.firstIndex { $0.contains("was reloaded") }
    #expect(try #require(reported) < #require(anew))
  }

  // MARK: Sizes

  /// A kiosk with layouts for two shapes.
  private let bothShapes = wall(
    "{screen.width} × {screen.height}", more: "screen: {size: [[1280, 800], [800, 1280]]}")

  @Test func `the layout for the panel is chosen before the first frame`() throws {
    let fixture = try KioskFixture(bothShapes)
    try fixture.start(size: PixelSize(480, 800))
    #expect(fixture.cycle?.content.description.screen.size == Size(800, 1280))
    #expect(fixture.text() == "800 × 1280")
    #expect(try fixture.events(named: "reloaded").isEmpty)
  }

  @Test func `a rotated panel gets the matching size and keeps its values`() throws {
    let fixture = try KioskFixture(bothShapes)
    try fixture.start()
    #expect(fixture.text() == "1280 × 800")
    try fixture.set("guests", to: 3)
    let display = try #require(fixture.backend?.display)
    display.turn(by: .quarter)
    try fixture.run { fixture.text() == "800 × 1280" }
    #expect(fixture.cycle?.engine.value(of: .value("guests")) == .number(3))
    display.turn(by: .half)
    try fixture.run { fixture.text() == "1280 × 800" }
  }

  @Test func `an edit is read for the current panel`() throws {
    let fixture = try KioskFixture(bothShapes)
    try fixture.start(size: PixelSize(480, 800))
    try edit(fixture, bothShapes.replacing("×", with: "by"))
    try fixture.run { fixture.text() == "800 by 1280" }
  }

  // MARK: Fallbacks

  @Test func `without a service manager, errors in the file prevent the start`() throws {
    let fixture = try KioskFixture(brokenWall, isManaged: false)
    do {
      try fixture.start()
      Issue.record("it was started")
    } catch let failure as Failure {
      #expect(failure.code == .badFile)
    }
    #expect(try fixture.log().contains("\(fixture.file):2:"))
  }

  @Test func `a file with errors shows a page of errors in the panel's shape`() throws {
    let fixture = try KioskFixture(brokenWall)
    try fixture.start(size: PixelSize(480, 800))
    #expect(fixture.text("reasons")?.contains("\(fixture.file):2:") == true)
    let size = try #require(fixture.cycle?.content.description.screen.size)
    #expect(abs(size.width * 800 - size.height * 480) < 1e-6 * size.width)
    #expect(
      try fixture.events(named: "failed").map { $0["message"]?.string } == [
        "cannot show \(fixture.file): it has errors; the panel shows the error"
      ])
  }

  @Test func `the page updates its errors, and a fixed file replaces it`() throws {
    let fixture = try KioskFixture(brokenWall)
    try fixture.start()
    fixture.folder.remove("wall.yaml")
    try fixture.run { fixture.text("reasons")?.contains("No such file") == true }
    try edit(fixture, wall("Welcome"))
    try fixture.kiosk?.run()
    #expect(
      try fixture.log().contains("\(fixture.file) has no errors any more; restarting to show it"))
    fixture.stop()
    try fixture.start()
    #expect(fixture.text() == "Welcome")
  }

  @Test func `a kiosk that ran for ten seconds becomes the fallback copy`() throws {
    let fixture = try KioskFixture(wall("Welcome"))
    try fixture.folder.write("core-dump ILL\ncore-dump ILL\n", to: "run/wall.ends")
    let copy = "state/last/wall.yaml\(fixture.file)"
    try fixture.start()
    try fixture.advance(by: 9.5)
    #expect(try fixture.folder.text(of: copy) == nil)
    #expect(try fixture.folder.text(of: "run/wall.ends") != nil)
    try fixture.advance(by: 1)
    #expect(try fixture.folder.text(of: "run/wall.ends") == nil)
    try fixture.run { try fixture.folder.text(of: copy) != nil }
    fixture.stop()
    try edit(fixture, brokenWall)
    try fixture.start()
    #expect(fixture.text() == "Welcome")
    #expect(fixture.manager?.messages().contains { $0.contains("showing a fallback") } == true)
  }

  @Test func `an edit restarts the ten seconds`() throws {
    let fixture = try KioskFixture(wall("Welcome"))
    try fixture.start()
    try fixture.advance(by: 8)
    try edit(fixture, wall("Hello"))
    try fixture.run { fixture.text() == "Hello" }
    try fixture.advance(by: 4)
    let copy = "state/last/wall.yaml\(fixture.file)"
    #expect(try fixture.folder.text(of: copy) == nil)
    try fixture.advance(by: 7)
    try fixture.run { try fixture.folder.text(of: copy) == wall("Hello") }
  }

  @Test func `an edit with errors doesn't become the fallback copy`() throws {
    let fixture = try KioskFixture(wall("Welcome"))
    let copy = try #require(StartupFallback(for: fixture.file, in: fixture.folder.state).copy)
    try copy.save([fixture.file])
    try fixture.start()
    try fixture.advance(by: 8)
    try edit(fixture, brokenWall)
    try fixture.run { try !fixture.events(named: "failed").isEmpty }
    // Ten seconds after the start, while the kiosk still shows its first version.
    try fixture.advance(by: 3)
    fixture.stop()
    #expect(try fixture.folder.text(of: "state/last/wall.yaml\(fixture.file)") == wall("Welcome"))
    try fixture.start()
    #expect(fixture.text() == "Welcome")
  }

  @Test func `a copy in use doesn't become the fallback copy`() throws {
    let fixture = try KioskFixture(wall("Welcome"))
    try #require(StartupFallback(for: fixture.file, in: fixture.folder.state).copy).save([
      fixture.file
    ])
    try edit(fixture, wall("Crash"))
    try fixture.folder.write(String(repeating: "oom-kill KILL\n", count: 5), to: "run/wall.ends")
    try fixture.start()
    try fixture.advance(by: 11)
    #expect(fixture.text() == "Welcome")
    #expect(try fixture.folder.text(of: "run/wall.ends")?.split(separator: "\n").count == 3)
    #expect(try fixture.folder.text(of: "state/last/wall.yaml\(fixture.file)") == wall("Welcome"))
  }

  @Test func `a display failure counts as an early end, a clean stop doesn't`() throws {
    let fixture = try KioskFixture(wall("Welcome"))
    for (isInOrder, isLeft) in [(false, true), (true, false)] {
      try fixture.folder.write("core-dump ILL\n", to: "run/wall.ends")
      try fixture.start()
      fixture.stop(inGoodOrder: isInOrder)
      #expect(try (fixture.folder.text(of: "run/wall.ends") != nil) == isLeft)
    }
  }

  // MARK: Preserved state

  @Test func `persistent values survive a restart`() throws {
    let fixture = try KioskFixture(wall("Welcome {guests}"))
    try fixture.start()
    try fixture.set("guests", to: 5)
    fixture.stop()
    try fixture.start()
    #expect(fixture.text() == "Welcome 5")
  }

  @Test func `a power cut loses at most a second of changes`() throws {
    let fixture = try KioskFixture(wall("Welcome {guests}"))
    try fixture.start()
    try fixture.run { try fixture.folder.text(of: "state/wall.json") != nil }
    try fixture.set("guests", to: 5)
    try fixture.advance(by: 1)
    try fixture.run { try fixture.folder.text(of: "state/wall.json")?.contains("5") == true }
    try fixture.set("guests", to: 6)
    try fixture.advance(by: 0.5)
    #expect(try fixture.folder.text(of: "state/wall.json")?.contains("6") == false)
    try fixture.advance(by: 0.5)
    try fixture.run { try fixture.folder.text(of: "state/wall.json")?.contains("6") == true }
  }

  private static let choices = """
    kiosk: wall
    values: {cups: 0}
    pages:
      - page: one
        controls: [{label: welcome, at: [640, 400], text: "{cups}"}]
      - page: two
        controls: [{label: other, at: [640, 400], text: "two {cups}"}]

    """

  @Test func `another build of the program restores the last state`() throws {
    let fixture = try KioskFixture(Self.choices)
    try fixture.start()
    try fixture.set("cups", to: 2)
    fixture.cycle?.perform { _ = $0.go(to: "two") }
    fixture.stop()
    try fixture.start(build: "new")
    #expect(fixture.text("other") == "two 2")
    #expect(fixture.cycle?.engine.handoverState.page == "two")
    #expect(try fixture.log().contains("continuing with the state of another build of the program"))
    fixture.stop()
    try fixture.start(build: "new")
    #expect(fixture.text() == "0" && fixture.cycle?.engine.handoverState.page == "one")
  }

  @Test func `a fault page stores no selections`() throws {
    let fixture = try KioskFixture(brokenWall)
    try fixture.start()
    fixture.stop()
    #expect(try fixture.folder.text(of: "run/wall.chosen") == nil)
  }

  // MARK: Notifications

  @Test func `the service manager is notified of readiness, liveness and the end`() throws {
    let fixture = try KioskFixture(wall("Welcome"))
    try fixture.start()
    #expect(fixture.manager?.messages() == ["READY=1", "WATCHDOG=1", "STATUS=showing"])
    try fixture.advance(by: 15)
    #expect(fixture.manager?.messages() == ["WATCHDOG=1", "WATCHDOG=1"])
    try fixture.cycle?.apply(.blank(true))
    try fixture.advance(by: 0)
    #expect(fixture.manager?.messages() == ["STATUS=asleep"])
    fixture.stop()
    #expect(fixture.manager?.messages() == ["STOPPING=1"])
  }

  @Test func `events are printed as lines`() throws {
    let fixture = try KioskFixture(Self.choices)
    try fixture.start()
    fixture.cycle?.perform { _ = $0.go(to: "two") }
    try fixture.advance(by: 0)
    #expect(try fixture.events(named: "page").last?["page"]?.string == "two")
  }

  @Test func `a required socket that can't be created is an error`() throws {
    let fixture = try KioskFixture(wall("Welcome"))
    let nowhere = fixture.folder.path + "/none/socket"
    #expect(throws: Failure.self) {
      try fixture.start(socket: SocketPlace(nowhere, isRequired: true))
    }
    try fixture.start(socket: SocketPlace(nowhere, isRequired: false))
    #expect(try fixture.log().contains("other commands cannot reach this kiosk"))
    let place = fixture.folder.path + "/socket"
    try fixture.start(socket: SocketPlace(place, isRequired: true))
    #expect(throws: Never.self) { _ = try LocalSocket.connect(to: place) }
  }

  // MARK: Machine actions

  private static func button(_ action: String) -> String {
    """
    kiosk: wall
    values: {name: "none"}
    pages:
      - page: only
        controls:
          - {button: go, at: [640, 400], size: [200, 100], text: Go, on: {pressed: [\(action)]}}

    """
  }

  private func press(_ fixture: KioskFixture) throws {
    fixture.cycle?.handle(
      Touch(finger: 0, phase: .down, position: Point(640, 400)), at: fixture.clock.now)
    try fixture.advance(by: 0)
  }

  @Test func `a program next to the file is run, and its failure is an event`() throws {
    let fixture = try KioskFixture(wall("Welcome"))
    let program = try fixture.folder.write("#!/bin/sh\nexit 3\n", to: "light")
    _ = unsafe chmod(program, 0o755)
    try edit(fixture, Self.button("{run: [light]}"))
    try fixture.start()
    try press(fixture)
    try fixture.run { try !fixture.events(named: "failed").isEmpty }
    #expect(
      try fixture.events(named: "failed").last?["message"]?.string == "light exited with status 3")
  }

  @Test func `a sound is played, and a missing sound is an event`() throws {
    let fixture = try KioskFixture(wall("Welcome"))
    let head: [UInt8] =
      Array("RIFF".utf8) + [40, 0, 0, 0] + Array("WAVEfmt ".utf8)
      + [16, 0, 0, 0, 1, 0, 1, 0, 0x80, 0xbb, 0, 0, 0, 0x77, 1, 0, 2, 0, 16, 0]
      + Array("data".utf8) + [4, 0, 0, 0]
    try Files.write(head + [0, 0, 1, 0], to: fixture.folder.path + "/ding.wav")
    try edit(fixture, Self.button("{play: ding.wav}"))
    try fixture.start()
    try press(fixture)
    #expect(fixture.sounds.played.count == 1)
    try edit(fixture, Self.button("{play: \"{name}.wav\"}"))
    try fixture.run { try fixture.log().contains("was reloaded") }
    fixture.cycle?.handle(
      Touch(finger: 0, phase: .up, position: Point(640, 400)), at: fixture.clock.now)
    try press(fixture)
    try fixture.run { try !fixture.events(named: "failed").isEmpty }
    #expect(
      try fixture.events(named: "failed").last?["message"]?.string?.hasPrefix("play: ") == true)
    #expect(fixture.sounds.played.count == 1)
  }

  @Test func `the file's logic program starts, and an edit replaces it`() throws {
    func naming(_ program: String) -> String { wall("Welcome", more: "logic: [\(program)]") }
    let fixture = try KioskFixture(wall("Welcome"))
    for name in ["first", "second"] {
      let program = try fixture.folder.write(
        "#!/bin/sh\ntouch \(fixture.folder.path)/ran-\(name)\necho hello\nexec sleep 60\n", to: name
      )
      _ = unsafe chmod(program, 0o755)
    }
    func ran(_ name: String) throws -> Bool {
      try fixture.folder.text(of: "ran-\(name)") != nil
    }
    try edit(fixture, naming("first"))
    try fixture.start()
    // The program's output wakes the loop.
    try fixture.run { try ran("first") }
    #expect(try !ran("second"))
    try edit(fixture, naming("second"))
    try fixture.run { try ran("second") }
    fixture.stop()
  }
}
