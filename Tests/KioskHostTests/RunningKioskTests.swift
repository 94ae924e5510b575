// SPDX-License-Identifier: MIT

import Backends
import Controls
import Expressions
import Geometry
import Glibc
import HostSupport
import JSON
import Kiosk
import KioskHost
import KioskProtocol
import LinuxIO
import Motion
import Presentation
import JSONRPC
import Runtime
import Testing

@Suite(.timeLimit(.minutes(5))) struct RunningKioskTests {
  private func edit(_ stand: KioskStand, _ text: String) throws {
    try stand.folder.write(text, to: "wall.yaml")
  }

  // MARK: Edits

  @Test func `an edit is shown and keeps selections`() throws {
    let stand = try KioskStand(wall("Welcome {guests}"))
    try stand.start()
    try stand.set("guests", to: 3)
    try stand.advance(by: 0)
    #expect(stand.text() == "Welcome 3")
    try edit(stand, wall("Hello {guests}"))
    try stand.run { stand.text() == "Hello 3" }
    #expect(try stand.log().contains("\(stand.file) was reloaded"))
  }

  @Test func `a broken edit keeps the running kiosk and reports errors until it is fixed`() throws {
    let stand = try KioskStand(wall("Welcome"))
    try stand.start()
    try edit(stand, brokenWall)
    try stand.run { try !stand.events(named: "failed").isEmpty }
    #expect(stand.text() == "Welcome")
    let message = try stand.events(named: "failed").last?["message"]?.string ?? ""
    #expect(message.hasPrefix("\(stand.file) was not reloaded; the running kiosk stays."))
    #expect(message.contains("\(stand.file):2:"))
    #expect(try stand.log().contains("was not reloaded"))
    try edit(stand, wall("Mended"))
    try stand.run { stand.text() == "Mended" }
  }

  @Test func `a deleted file is awaited`() throws {
    let stand = try KioskStand(wall("Welcome"))
    try stand.start()
    stand.folder.remove("wall.yaml")
    try stand.run { try !stand.events(named: "failed").isEmpty }
    #expect(stand.text() == "Welcome")
    try edit(stand, wall("Back"))
    try stand.run { stand.text() == "Back" }
  }

  @Test func `a newly included file is watched, too`() throws {
    let stand = try KioskStand(wall("Welcome"))
    try stand.start()
    try stand.folder.write("{label: more, at: [640, 600], text: More}\n", to: "more.yaml")
    try edit(stand, wall("Welcome", more: "      - {include: more.yaml}"))
    try stand.run { stand.text("more") == "More" }
    try stand.folder.write("{label: more, at: [640, 600], text: Most}\n", to: "more.yaml")
    try stand.run { stand.text("more") == "Most" }
  }

  @Test func `a commanded rotation stays until the file changes its own`() throws {
    func turned(_ degrees: Int, _ text: String) -> String {
      wall(text, more: "screen: {rotate: \(degrees)}")
    }
    let stand = try KioskStand(turned(0, "Welcome"))
    try stand.start()
    let display = try #require(stand.backend?.display)
    display.turn(by: .quarter)
    try edit(stand, turned(0, "Hello"))
    try stand.run { stand.text() == "Hello" }
    #expect(display.rotation == .quarter)
    try edit(stand, turned(180, "Hello again"))
    try stand.run { stand.text() == "Hello again" }
    #expect(display.rotation == .half)
  }

  // MARK: Answers

  @Test func `a reload that ends the fault page is answered`() throws {
    let stand = try KioskStand(brokenWall)
    let socket = stand.folder.path + "/socket"
    try stand.start(socket: SocketPlace(socket, isRequired: true))
    let client = try Client(at: socket)
    try edit(stand, wall("Mended"))
    // The second request arrives during the first reload.
    let requests = try [client.send(ReloadRequest()), client.send(ReloadRequest())]
    try stand.kiosk?.run()
    stand.stop()
    for request in requests { _ = try client.answer(to: request, patience: 10) }
  }

  @Test func `a stop and earlier requests are answered`() throws {
    let stand = try KioskStand(wall("Welcome"))
    let socket = stand.folder.path + "/socket"
    try stand.start(socket: SocketPlace(socket, isRequired: true))
    let client = try Client(at: socket)
    let restart = try client.send(RestartRequest())
    let stop = try client.send(StopRequest())
    try stand.kiosk?.run()
    stand.stop()
    _ = try client.answer(to: restart, patience: 10)
    _ = try client.answer(to: stop, patience: 10)
    #expect(try stand.events(named: "restarted").count == 1)
  }

  // MARK: Warnings

  @Test func `the kiosk is shown before warnings are computed`() throws {
    let stand = try KioskStand(
      wall("Welcome", more: "      - {label: gone, at: [4000, 40], text: Gone}"))
    try stand.start()
    try stand.run { try stand.log().contains("warning: ") }
    let lines = try stand.log().split(separator: "\n")
    let shown = try #require(lines.firstIndex { $0.contains("showing \(stand.file)") })
    let warned = try #require(lines.firstIndex { $0.contains("warning: ") })
    #expect(shown < warned)
    #expect(lines.count { $0.contains("warning: ") } == 1)
    let known = KioskReading(stand.file).reviewed().mistakes
    #expect(lines[warned].hasSuffix("\(try #require(known.first))"))
  }

  @Test func `warnings of an edit are reported with it`() throws {
    let stand = try KioskStand(wall("Welcome"))
    try stand.start()
    try edit(stand, wall("Hello", more: "      - {label: lost, at: [40, 4000], text: Lost}"))
    try stand.run { stand.text() == "Hello" }
    let lines = try stand.log().split(separator: "\n")
    let told = lines.lastIndex { $0.contains("warning: ") }
    let anew = lines.firstIndex { $0.contains("was reloaded") }
    #expect(try #require(told) < #require(anew))
  }

  // MARK: Sizes

  /// A kiosk with layouts for two shapes.
  private let bothShapes = wall(
    "{screen.width} × {screen.height}", more: "screen: {size: [[1280, 800], [800, 1280]]}")

  @Test func `the layout for the panel is chosen before the first frame`() throws {
    let stand = try KioskStand(bothShapes)
    try stand.start(size: PixelSize(480, 800))
    #expect(stand.cycle?.content.description.screen.size == Size(800, 1280))
    #expect(stand.text() == "800 × 1280")
    #expect(try stand.events(named: "reloaded").isEmpty)
  }

  @Test func `a rotated panel gets the matching size and keeps its values`() throws {
    let stand = try KioskStand(bothShapes)
    try stand.start()
    #expect(stand.text() == "1280 × 800")
    try stand.set("guests", to: 3)
    let display = try #require(stand.backend?.display)
    display.turn(by: .quarter)
    try stand.run { stand.text() == "800 × 1280" }
    #expect(stand.cycle?.engine.value(of: .value("guests")) == .number(3))
    display.turn(by: .half)
    try stand.run { stand.text() == "1280 × 800" }
  }

  @Test func `an edit is read for the current panel`() throws {
    let stand = try KioskStand(bothShapes)
    try stand.start(size: PixelSize(480, 800))
    try edit(stand, bothShapes.replacing("×", with: "by"))
    try stand.run { stand.text() == "800 by 1280" }
  }

  // MARK: Fallbacks

  @Test func `without a service manager, errors in the file prevent the start`() throws {
    let stand = try KioskStand(brokenWall, isManaged: false)
    do {
      try stand.start()
      Issue.record("it was started")
    } catch let failure as Failure {
      #expect(failure.code == .badFile)
    }
    #expect(try stand.log().contains("\(stand.file):2:"))
  }

  @Test func `a file with errors shows a page of errors in the panel's shape`() throws {
    let stand = try KioskStand(brokenWall)
    try stand.start(size: PixelSize(480, 800))
    #expect(stand.text("reasons")?.contains("\(stand.file):2:") == true)
    let size = try #require(stand.cycle?.content.description.screen.size)
    #expect(abs(size.width * 800 - size.height * 480) < 1e-6 * size.width)
    #expect(
      try stand.events(named: "failed").map { $0["message"]?.string } == [
        "\(stand.file) is not shown: it has mistakes; a page on the panel says so"
      ])
  }

  @Test func `the page updates its errors, and a fixed file replaces it`() throws {
    let stand = try KioskStand(brokenWall)
    try stand.start()
    stand.folder.remove("wall.yaml")
    try stand.run { stand.text("reasons")?.contains("No such file") == true }
    try edit(stand, wall("Welcome"))
    try stand.kiosk?.run()
    #expect(try stand.log().contains("\(stand.file) is shown by the next start"))
    stand.stop()
    try stand.start()
    #expect(stand.text() == "Welcome")
  }

  @Test func `a kiosk that ran for ten seconds becomes the fallback copy`() throws {
    let stand = try KioskStand(wall("Welcome"))
    try stand.folder.write("core-dump ILL\ncore-dump ILL\n", to: "run/wall.ends")
    let copy = "state/last/wall.yaml\(stand.file)"
    try stand.start()
    try stand.advance(by: 9.5)
    #expect(try stand.folder.text(of: copy) == nil)
    #expect(try stand.folder.text(of: "run/wall.ends") != nil)
    try stand.advance(by: 1)
    #expect(try stand.folder.text(of: "run/wall.ends") == nil)
    try stand.run { try stand.folder.text(of: copy) != nil }
    stand.stop()
    try edit(stand, brokenWall)
    try stand.start()
    #expect(stand.text() == "Welcome")
    #expect(stand.manager?.told().contains { $0.contains("showing a fallback") } == true)
  }

  @Test func `an edit restarts the ten seconds`() throws {
    let stand = try KioskStand(wall("Welcome"))
    try stand.start()
    try stand.advance(by: 8)
    try edit(stand, wall("Hello"))
    try stand.run { stand.text() == "Hello" }
    try stand.advance(by: 4)
    let copy = "state/last/wall.yaml\(stand.file)"
    #expect(try stand.folder.text(of: copy) == nil)
    try stand.advance(by: 7)
    try stand.run { try stand.folder.text(of: copy) == wall("Hello") }
  }

  @Test func `an edit with errors doesn't become the fallback copy`() throws {
    let stand = try KioskStand(wall("Welcome"))
    let copy = try #require(StartupFallback(for: stand.file, in: stand.folder.state).copy)
    try copy.save([stand.file])
    try stand.start()
    try stand.advance(by: 8)
    try edit(stand, brokenWall)
    try stand.run { try !stand.events(named: "failed").isEmpty }
    // Ten seconds after the start, while the kiosk still shows its first version.
    try stand.advance(by: 3)
    stand.stop()
    #expect(try stand.folder.text(of: "state/last/wall.yaml\(stand.file)") == wall("Welcome"))
    try stand.start()
    #expect(stand.text() == "Welcome")
  }

  @Test func `a copy in use doesn't become the fallback copy`() throws {
    let stand = try KioskStand(wall("Welcome"))
    try #require(StartupFallback(for: stand.file, in: stand.folder.state).copy).save([stand.file])
    try edit(stand, wall("Crash"))
    try stand.folder.write(String(repeating: "oom-kill KILL\n", count: 5), to: "run/wall.ends")
    try stand.start()
    try stand.advance(by: 11)
    #expect(stand.text() == "Welcome")
    #expect(try stand.folder.text(of: "run/wall.ends")?.split(separator: "\n").count == 3)
    #expect(try stand.folder.text(of: "state/last/wall.yaml\(stand.file)") == wall("Welcome"))
  }

  @Test func `a display failure counts as an early end, a clean stop doesn't`() throws {
    let stand = try KioskStand(wall("Welcome"))
    for (isInOrder, isLeft) in [(false, true), (true, false)] {
      try stand.folder.write("core-dump ILL\n", to: "run/wall.ends")
      try stand.start()
      stand.stop(inGoodOrder: isInOrder)
      #expect(try (stand.folder.text(of: "run/wall.ends") != nil) == isLeft)
    }
  }

  // MARK: Preserved state

  @Test func `persistent values survive a restart`() throws {
    let stand = try KioskStand(wall("Welcome {guests}"))
    try stand.start()
    try stand.set("guests", to: 5)
    stand.stop()
    try stand.start()
    #expect(stand.text() == "Welcome 5")
  }

  @Test func `a power cut loses at most a second of changes`() throws {
    let stand = try KioskStand(wall("Welcome {guests}"))
    try stand.start()
    try stand.run { try stand.folder.text(of: "state/wall.json") != nil }
    try stand.set("guests", to: 5)
    try stand.advance(by: 1)
    try stand.run { try stand.folder.text(of: "state/wall.json")?.contains("5") == true }
    try stand.set("guests", to: 6)
    try stand.advance(by: 0.5)
    #expect(try stand.folder.text(of: "state/wall.json")?.contains("6") == false)
    try stand.advance(by: 0.5)
    try stand.run { try stand.folder.text(of: "state/wall.json")?.contains("6") == true }
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
    let stand = try KioskStand(Self.choices)
    try stand.start()
    try stand.set("cups", to: 2)
    stand.cycle?.perform { _ = $0.go(to: "two") }
    stand.stop()
    try stand.start(build: "new")
    #expect(stand.text("other") == "two 2")
    #expect(stand.cycle?.engine.continuation.page == "two")
    #expect(try stand.log().contains("going on where another build of the program was"))
    stand.stop()
    try stand.start(build: "new")
    #expect(stand.text() == "0" && stand.cycle?.engine.continuation.page == "one")
  }

  @Test func `a fault page stores no selections`() throws {
    let stand = try KioskStand(brokenWall)
    try stand.start()
    stand.stop()
    #expect(try stand.folder.text(of: "run/wall.chosen") == nil)
  }

  // MARK: Notifications

  @Test func `the service manager is notified of readiness, liveness and the end`() throws {
    let stand = try KioskStand(wall("Welcome"))
    try stand.start()
    #expect(stand.manager?.told() == ["READY=1", "WATCHDOG=1", "STATUS=showing"])
    try stand.advance(by: 15)
    #expect(stand.manager?.told() == ["WATCHDOG=1", "WATCHDOG=1"])
    try stand.cycle?.apply(.blank(true))
    try stand.advance(by: 0)
    #expect(stand.manager?.told() == ["STATUS=asleep"])
    stand.stop()
    #expect(stand.manager?.told() == ["STOPPING=1"])
  }

  @Test func `events are printed as lines`() throws {
    let stand = try KioskStand(Self.choices)
    try stand.start()
    stand.cycle?.perform { _ = $0.go(to: "two") }
    try stand.advance(by: 0)
    #expect(try stand.events(named: "page").last?["page"]?.string == "two")
  }

  @Test func `a required socket that can't be created is an error`() throws {
    let stand = try KioskStand(wall("Welcome"))
    let nowhere = stand.folder.path + "/none/socket"
    #expect(throws: Failure.self) {
      try stand.start(socket: SocketPlace(nowhere, isRequired: true))
    }
    try stand.start(socket: SocketPlace(nowhere, isRequired: false))
    #expect(try stand.log().contains("other commands cannot reach this kiosk"))
    let place = stand.folder.path + "/socket"
    try stand.start(socket: SocketPlace(place, isRequired: true))
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

  private func press(_ stand: KioskStand) throws {
    stand.cycle?.handle(
      Touch(finger: 0, phase: .down, position: Point(640, 400)), at: stand.clock.now)
    try stand.advance(by: 0)
  }

  @Test func `a program next to the file is run, and its failure is an event`() throws {
    let stand = try KioskStand(wall("Welcome"))
    let program = try stand.folder.write("#!/bin/sh\nexit 3\n", to: "light")
    _ = unsafe chmod(program, 0o755)
    try edit(stand, Self.button("{run: [light]}"))
    try stand.start()
    try press(stand)
    try stand.run { try !stand.events(named: "failed").isEmpty }
    #expect(
      try stand.events(named: "failed").last?["message"]?.string == "light exited with status 3")
  }

  @Test func `a sound is played, and a missing sound is an event`() throws {
    let stand = try KioskStand(wall("Welcome"))
    let head: [UInt8] =
      Array("RIFF".utf8) + [40, 0, 0, 0] + Array("WAVEfmt ".utf8)
      + [16, 0, 0, 0, 1, 0, 1, 0, 0x80, 0xbb, 0, 0, 0, 0x77, 1, 0, 2, 0, 16, 0]
      + Array("data".utf8) + [4, 0, 0, 0]
    try Files.write(head + [0, 0, 1, 0], to: stand.folder.path + "/ding.wav")
    try edit(stand, Self.button("{play: ding.wav}"))
    try stand.start()
    try press(stand)
    #expect(stand.sounds.played.count == 1)
    try edit(stand, Self.button("{play: \"{name}.wav\"}"))
    try stand.run { try stand.log().contains("was reloaded") }
    stand.cycle?.handle(
      Touch(finger: 0, phase: .up, position: Point(640, 400)), at: stand.clock.now)
    try press(stand)
    try stand.run { try !stand.events(named: "failed").isEmpty }
    #expect(
      try stand.events(named: "failed").last?["message"]?.string?.hasPrefix("play: ") == true)
    #expect(stand.sounds.played.count == 1)
  }

  @Test func `the file's logic program starts, and an edit replaces it`() throws {
    func naming(_ program: String) -> String { wall("Welcome", more: "logic: [\(program)]") }
    let stand = try KioskStand(wall("Welcome"))
    for name in ["first", "second"] {
      let program = try stand.folder.write(
        "#!/bin/sh\ntouch \(stand.folder.path)/ran-\(name)\necho hello\nexec sleep 60\n", to: name)
      _ = unsafe chmod(program, 0o755)
    }
    func ran(_ name: String) throws -> Bool {
      try stand.folder.text(of: "ran-\(name)") != nil
    }
    try edit(stand, naming("first"))
    try stand.start()
    // The program's output wakes the loop.
    try stand.run { try ran("first") }
    #expect(try !ran("second"))
    try edit(stand, naming("second"))
    try stand.run { try ran("second") }
    stand.stop()
  }
}
