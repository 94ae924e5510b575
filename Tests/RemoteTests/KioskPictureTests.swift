// SPDX-License-Identifier: MIT

import RoundelDeclarations
import RoundelDrawing
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
import TestSupport
import Testing

@Suite struct KioskPictureTests {
  private func picture(_ fixture: KioskFixture, _ parameters: String = "{}") throws -> Bitmap {
    let answer = try fixture.ask("screenshot", parameters)
    let png = try #require(answer["png"]?.string.flatMap { Base64.decode($0) })
    return try PNG.decode(png)
  }

  private func panel(_ fixture: KioskFixture) -> [UInt32] {
    let panel = fixture.display.panel
    var pixels: [UInt32] = []
    for y in 0..<panel.size.height {
      for x in 0..<panel.size.width { pixels.append(panel[x, y]) }
    }
    return pixels
  }

  @Test(arguments: Rotation.allCases)
  func `a screenshot equals the panel's content`(_ rotation: Rotation) throws {
    let fixture = try KioskFixture(rotation: rotation)
    _ = try fixture.ask("wait", #"{"still":true}"#)
    let picture = try picture(fixture)
    #expect(picture.size == fixture.display.panel.size)
    #expect(picture.pixels == panel(fixture))
    #expect(Set(picture.pixels).count > 10)
  }

  @Test(arguments: Rotation.allCases)
  func `a screenshot has no more colours than the panel`(_ rotation: Rotation) throws {
    let fixture = try KioskFixture(rotation: rotation)
    fixture.display.depth = ColorDepth(bits: 8)
    _ = try fixture.ask("wait", #"{"still":true}"#)
    let picture = try picture(fixture)
    #expect(picture.pixels == panel(fixture))
    #expect(Set(picture.pixels.map { $0 >> 16 & 255 }).count <= 8)
    #expect(Set(picture.pixels.map { $0 & 255 }).count <= 4)
    #expect(try fixture.ask("status")["display"]?["depth"]?.number == 8)
  }

  @Test(arguments: Rotation.allCases)
  func `a region equals that part of the screenshot`(_ rotation: Rotation) throws {
    let fixture = try KioskFixture(rotation: rotation)
    _ = try fixture.ask("wait", #"{"still":true}"#)
    let part = try picture(fixture, #"{"region":[60,20,100,150]}"#)
    let rect = rotation.panelRect(
      PixelRect(x0: 60, y0: 20, x1: 160, y1: 170), canvas: PixelSize(400, 200))
    #expect(part.size == PixelSize(rect.width, rect.height))
    var expected: [UInt32] = []
    for y in rect.y0..<rect.y1 {
      for x in rect.x0..<rect.x1 { expected.append(fixture.display.panel[x, y]) }
    }
    #expect(part.pixels == expected)
  }

  @Test func `rotating the picture rotates the screenshot`() throws {
    let fixture = try KioskFixture()
    #expect(try fixture.ask("rotate", #"{"degrees":90}"#) == true)
    _ = try fixture.ask("wait", #"{"still":true}"#)
    let picture = try picture(fixture)
    #expect(picture.size == PixelSize(400, 200))
    #expect(picture.pixels == panel(fixture))
  }

  @Test func `a scaled picture has the mean brightness of its pixels`() throws {
    let fixture = try KioskFixture()
    _ = try fixture.ask("wait", #"{"still":true}"#)
    let small = try picture(fixture, #"{"scale":0.5}"#)
    #expect(small.size == PixelSize(200, 100))
    let panel = fixture.display.panel
    for (x, y) in [(50, 10), (50, 30), (10, 50), (150, 20), (199, 99)] {
      let four = [
        panel[2 * x, 2 * y], panel[2 * x + 1, 2 * y], panel[2 * x, 2 * y + 1],
        panel[2 * x + 1, 2 * y + 1],
      ]
      for shift: UInt32 in [0, 8, 16] {
        let light = four.map { Color.light(of: UInt8(truncatingIfNeeded: $0 >> shift)) }
        let mean = Color.channel(light: light.reduce(0, +) / 4)
        let found = UInt8(truncatingIfNeeded: small.pixels[y * 200 + x] >> shift)
        #expect(abs(Int(found) - Int(mean)) <= 1)
      }
    }
    let large = try picture(fixture, #"{"scale":2,"region":[100,10,4,4]}"#)
    #expect(large.size == PixelSize(8, 8))
    #expect(large.pixels[0] == panel[100, 10] && large.pixels[63] == panel[103, 13])
  }

  @Test func `a sleeping panel is black`() throws {
    let fixture = try KioskFixture()
    _ = try fixture.ask("wait", #"{"still":true}"#)
    _ = try fixture.ask("blank")
    #expect(Set(try picture(fixture).pixels) == [0xff00_0000])
  }

  @Test func `a recording's pictures are sent before its answer`() throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    let recording =
      #"{\"t\":0,\"shot\":\"before.png\"}\n{\"t\":0,\"down\":{\"finger\":0,\"x\":100,\"y\":45}}\n"#
      + #"{\"t\":0.03,\"shot\":\"held.png\"}\n{\"t\":0.04,\"up\":{\"finger\":0}}"#
    _ = try fixture.ask("touch", "{\"recording\":\"\(recording)\",\"shots\":true}", on: wire)
    let shots = wire.answers.filter { $0["method"] == "shot" }.compactMap { $0["params"] }
    #expect(shots.map { $0["name"] } == ["before.png", "held.png"])
    let held = try PNG.decode(
      try #require(shots.last?["png"]?.string.flatMap { Base64.decode($0) }))
    #expect(held.pixels[45 * 400 + 100] == 0xffff_ffff)
  }

  @Test func `too many simultaneous pictures are rejected, and accepted ones arrive`() throws {
    let fixture = try KioskFixture()
    let wire = try fixture.connect()
    for id in 0..<50 {
      wire.send(line: "{\"jsonrpc\":\"2.0\",\"method\":\"screenshot\",\"id\":\(id)}")
    }
    #expect(
      try fixture.run {
        wire.read()
        return wire.lines.count == 50
      })
    let refused = wire.answers.filter { $0["error"]?["code"] == -32001 }.count
    let taken = wire.answers.filter { $0["result"]?["png"] != nil }.count
    #expect(refused + taken == 50 && taken >= 32 && refused > 0)
  }

  @Test func `base64 follows RFC 4648`() {
    for (plain, text) in [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ] {
      #expect(String(decoding: Base64.encode(Array(plain.utf8)), as: UTF8.self) == text)
      #expect(Base64.decode(text) == Array(plain.utf8))
    }
    var random = SeededGenerator(seed: 2)
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(Base64.decode(String(decoding: Base64.encode(bytes), as: UTF8.self)) == bytes)
    }
    for bad in ["Z", "Zg=", "Zg", "Z===", "Zm9v====", "Zm9 ", "Zm=v", "ä==="] {
      #expect(Base64.decode(bad) == nil)
    }
  }
}
