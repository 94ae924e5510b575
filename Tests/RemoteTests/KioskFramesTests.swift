// SPDX-License-Identifier: MIT

import RoundelDeclarations
import RoundelGeometry
import RoundelJSON
import Kiosk
import LinuxIO
import RoundelMotion
import RoundelPresentation
import RoundelRaster
import JSONRPC
import KioskService
import RoundelRuntime
import Testing

@Suite struct KioskFramesTests {
  /// A watching client and its copy of the picture.
  private final class Watcher {
    let wire: Wire
    var parameters = "{}"
    var shown: ShownPicture?
    /// The number of received pixels.
    var received = 0
    private var taken = 0
    private var asked = 0

    init(_ fixture: KioskFixture) throws { wire = try fixture.connect() }

    func ask() {
      asked += 1
      wire.send(
        line: "{\"jsonrpc\":\"2.0\",\"method\":\"frame\",\"params\":\(parameters),\"id\":\(asked)}")
    }

    /// Processes the next answer. Returns false if there isn't one yet.
    func take() throws -> Bool {
      wire.read()
      guard wire.answers.count > taken else { return false }
      let frame = try #require(wire.answers[taken]["result"])
      taken += 1
      let size = frame["size"]?.pair ?? (0, 0)
      let picture = PixelSize(size.0, size.1)
      if shown?.size != picture { shown = ShownPicture(size: picture) }
      guard case .array(let parts)? = frame["parts"] else { return true }
      for part in parts {
        let at = part["at"]?.pair ?? (0, 0)
        let png = try PNG.decode(
          try #require(part["png"]?.string.flatMap { Base64.decode($0) }))
        received += png.pixels.count
        _ = shown?.take(
          PixelBlock(
            PixelRect(
              x0: at.0, y0: at.1, x1: at.0 + png.size.width, y1: at.1 + png.size.height),
            pixels: png.pixels))
      }
      return true
    }
  }

  /// The panel's picture, scaled to another size.
  private func panel(_ fixture: KioskFixture, _ size: PixelSize) -> [UInt32] {
    AreaScaling(from: fixture.cycle.picture.size, to: size)
      .scaled(PixelRect(size: size), of: fixture.cycle.picture.canvas()).pixels
  }

  private func settle(_ fixture: KioskFixture) throws {
    _ = try fixture.ask("wait", #"{"still":true}"#)
  }

  @Test(arguments: [
    ("{}", 400, 200), (#"{"size":[400,200]}"#, 400, 200), (#"{"size":[100,100]}"#, 100, 50),
    (#"{"size":[4000,60]}"#, 120, 60), (#"{"size":[16384,16384]}"#, 400, 200),
    (#"{"size":[1,1]}"#, 1, 1), (#"{"size":[100,100],"aspect":0.5}"#, 100, 25),
    (#"{"size":[100,100],"aspect":2}"#, 100, 100), (#"{"size":[500,500],"aspect":0.5}"#, 400, 100),
    (#"{"size":[500,500],"aspect":2}"#, 200, 200),
  ])
  func `the first frame is the whole picture, in its shape and never enlarged`(
    _ parameters: String, _ width: Int, _ height: Int
  ) throws {
    let fixture = try KioskFixture()
    try settle(fixture)
    let watcher = try Watcher(fixture)
    watcher.parameters = parameters
    watcher.ask()
    #expect(try fixture.run { try watcher.take() })
    #expect(watcher.shown?.size == PixelSize(width, height))
    #expect((watcher.shown?.pixels == panel(fixture, PixelSize(width, height))) == true)
  }

  @Test func `each further request gets the changes, until the picture is complete`() throws {
    let fixture = try KioskFixture()
    _ = try fixture.ask("go", #"{"page":"two"}"#)
    try settle(fixture)
    let watcher = try Watcher(fixture)
    watcher.parameters = #"{"size":[133,90]}"#
    for _ in 0..<2 { watcher.ask() }
    #expect(try fixture.run { try watcher.take() })
    let whole = watcher.received
    #expect(whole == 133 * 67)
    var frames = 0
    _ = try fixture.ask("open", #"{"control":"drinks"}"#)
    #expect(
      try fixture.run {
        if try watcher.take() {
          frames += 1
          watcher.ask()
        }
        return !fixture.cycle.engine.isMoving && fixture.cycle.isStill
          && (watcher.shown?.pixels == panel(fixture, PixelSize(133, 67))) == true
      })
    // The opening menu changes one half of the panel.
    #expect(frames > 0 && watcher.received - whole <= frames * 133 * 67 / 2)
  }

  @Test(arguments: ["{}", #"{"size":[133,90]}"#, #"{"size":[400,3]}"#, #"{"size":[1,1]}"#])
  func `a large change arrives in parts, until the picture is complete`(
    _ parameters: String
  ) throws {
    var limits = Limits()
    limits.maximumFramePixels = 7000
    let fixture = try KioskFixture(limits: limits)
    try settle(fixture)
    let watcher = try Watcher(fixture)
    watcher.parameters = parameters
    watcher.ask()
    var frames = 0
    #expect(
      try fixture.run {
        guard try watcher.take() else { return false }
        frames += 1
        watcher.ask()
        return watcher.shown.map { $0.pixels == panel(fixture, $0.size) } == true
      })
    #expect(parameters == "{}" ? frames == 12 : frames > 0)
  }

  @Test func `a request isn't answered while nothing changes`() throws {
    let fixture = try KioskFixture()
    try settle(fixture)
    let watcher = try Watcher(fixture)
    watcher.ask()
    #expect(try fixture.run { try watcher.take() })
    watcher.ask()
    let end = MonotonicClock.now + 0.2
    #expect(try fixture.run { MonotonicClock.now > end })
    #expect(try !watcher.take())
    _ = try fixture.ask("go", #"{"page":"two"}"#)
    #expect(try fixture.run { try watcher.take() })
  }

  @Test func `a late request gets all missed changes at once`() throws {
    let fixture = try KioskFixture()
    try settle(fixture)
    let watcher = try Watcher(fixture)
    watcher.ask()
    #expect(try fixture.run { try watcher.take() })
    _ = try fixture.ask("tap", #"{"target":"shows/a"}"#)
    try settle(fixture)
    _ = try fixture.ask("go", #"{"page":"two"}"#)
    try settle(fixture)
    watcher.ask()
    #expect(try fixture.run { try watcher.take() })
    #expect((watcher.shown?.pixels == panel(fixture, PixelSize(400, 200))) == true)
  }

  @Test func `another size starts over and drops pending requests`() throws {
    let fixture = try KioskFixture()
    try settle(fixture)
    let watcher = try Watcher(fixture)
    for _ in 0..<3 { watcher.ask() }
    #expect(try fixture.run { try watcher.take() })
    watcher.parameters = #"{"size":[60,60]}"#
    watcher.ask()
    for _ in 0..<2 {
      #expect(try fixture.run { try watcher.take() })
      #expect(watcher.shown?.size == PixelSize(0, 0))
    }
    #expect(try fixture.run { try watcher.take() })
    #expect((watcher.shown?.pixels == panel(fixture, PixelSize(60, 30))) == true)
  }

  @Test func `a sleeping panel is black, and a panel of another shape starts over`() throws {
    let fixture = try KioskFixture(rotation: .none)
    try settle(fixture)
    let watcher = try Watcher(fixture)
    watcher.parameters = #"{"size":[200,200]}"#
    watcher.ask()
    #expect(try fixture.run { try watcher.take() })
    watcher.ask()
    _ = try fixture.ask("blank")
    #expect(try fixture.run { try watcher.take() })
    #expect(Set(watcher.shown?.pixels ?? []) == [0xff00_0000])
    watcher.ask()
    _ = try fixture.ask("unblank")
    #expect(try fixture.run { try watcher.take() })
    #expect((watcher.shown?.pixels == panel(fixture, PixelSize(200, 100))) == true)
    // On a panel in portrait orientation, the unrotated canvas is 200 × 400.
    watcher.ask()
    _ = try fixture.ask("rotate", #"{"degrees":90}"#)
    #expect(try fixture.run { try watcher.take() })
    #expect(watcher.shown?.size == PixelSize(100, 200))
    #expect((watcher.shown?.pixels == panel(fixture, PixelSize(100, 200))) == true)
    #expect(watcher.wire.answers.last?["result"]?["area"]?.text == "[0,-300,400,800]")
  }

  @Test func `many viewers get their frames in turn, and a disconnected one is forgotten`() throws {
    let fixture = try KioskFixture()
    try settle(fixture)
    let watchers = try (0..<8).map { _ in try Watcher(fixture) }
    for watcher in watchers {
      watcher.parameters = #"{"size":[40,20]}"#
      for _ in 0..<2 { watcher.ask() }
    }
    #expect(
      try fixture.run { try watchers.filter { $0.received == 0 }.allSatisfy { try $0.take() } })
    _ = try fixture.ask("go", #"{"page":"two"}"#)
    watchers[3].wire.endOutput()
    var frames = Array(repeating: 0, count: 8)
    #expect(
      try fixture.run {
        for (index, watcher) in watchers.enumerated() where index != 3 {
          if try watcher.take() {
            frames[index] += 1
            watcher.ask()
          }
        }
        return frames.indices.allSatisfy { $0 == 3 || frames[$0] > 0 }
      })
  }

  @Test func `invalid parameters are reported`() throws {
    let fixture = try KioskFixture()
    for parameters in [
      #"{"size":[0,5]}"#, #"{"size":[5]}"#, #"{"size":[1.5,2]}"#, #"{"size":"80x24"}"#,
      #"{"size":[20000,5]}"#, #"{"aspect":0}"#, #"{"fps":3}"#,
    ] {
      #expect(try fixture.ask("frame", parameters)["code"] == -32602)
    }
    try settle(fixture)
    let watcher = try Watcher(fixture)
    for _ in 0..<6 { watcher.ask() }
    #expect(
      try fixture.run {
        watcher.wire.read()
        return watcher.wire.answers.count == 2
      })
    #expect(watcher.wire.answers.contains { $0["error"]?["code"] == -32001 })
  }
}

extension JSONValue {
  /// Two integers of a list.
  fileprivate var pair: (Int, Int)? {
    guard case .array(let list) = self, list.count == 2, let a = list[0].integer,
      let b = list[1].integer
    else { return nil }
    return (a, b)
  }
}
