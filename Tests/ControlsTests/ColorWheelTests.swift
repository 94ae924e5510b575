// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import TestSupport
import Testing

private let middle = Point(640, 400)

private func wheel(_ color: UInt32? = nil) -> Stage<ColorWheel> {
  Stage(ColorWheel(center: middle, radius: 200, color: color.map { Color(hex: $0) }))
}

private func scale() -> Stage<ColorWheel> {
  Stage(ColorWheel(center: middle, radius: 200, temperatures: 2_000...6_000))
}

extension Stage<ColorWheel> {
  fileprivate func number(_ name: String) -> Double {
    if case .number(let value)? = value(name) { value } else { .nan }
  }

  fileprivate var text: String { value("value")?.display ?? "" }
}

@Suite struct ColorWheelTests {
  @Test(
    arguments: [
      (0xff0000, 0.0, 100.0), (0xff8800, 32, 100), (0xffff00, 60, 100), (0x00ff00, 120, 100),
      (0x00ffff, 180, 100), (0x0000ff, 240, 100), (0xff00ff, 300, 100), (0xff8080, 0, 49.8),
      (0x804400, 31.875, 100), (0xffffff, 0, 0), (0x000000, 0, 0),
    ] as [(UInt32, Double, Double)])
  func `hue and saturation are as in HSV`(
    _ hex: UInt32, _ hue: Double, _ saturation: Double
  ) {
    let choice = HueSaturation(Color(hex: hex))
    #expect(abs(choice.hue - hue) < 0.05 && abs(choice.saturation - saturation) < 0.05)
  }

  @Test func `a colour of full brightness survives the conversion within one level`() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<2_000 {
      let own = HueSaturation(
        hue: .random(in: 0..<360, using: &random),
        saturation: .random(in: 0...100, using: &random))
      let color = own.color
      #expect(max(color.red, color.green, color.blue) == 255)
      let again = HueSaturation(color).color
      for channel in [\Color.red, \.green, \.blue] {
        #expect(abs(Int(color[keyPath: channel]) - Int(again[keyPath: channel])) <= 1)
      }
    }
  }

  @Test func `a finger chooses the hue by direction and the saturation by distance`() {
    var stage = wheel()
    stage.touch(.down, middle + Vector(0, -190), at: 1)
    #expect(stage.text == "#ff0000" && stage.eventNames == ["pressed", "passing"])
    stage.touch(.move, middle + Vector(190, 0), at: 2)
    #expect(stage.number("hue") == 90 && stage.number("saturation") == 100)
    stage.touch(.move, middle, at: 3)
    #expect(stage.number("hue") == 90 && stage.number("saturation") == 0 && stage.text == "#ffffff")
    stage.touch(.up, middle, at: 4)
    #expect(stage.eventNames.last == "settled")
  }

  @Test func `the swatch in the middle ignores a finger`() {
    #expect(!wheel().control.contains(middle, at: .zero))
    #expect(!scale().control.contains(middle + Vector(0, 190), at: .zero))
  }

  @Test func `a tap on a named colour chooses it`() throws {
    var stage = wheel()
    let blue = try #require(stage.control.place(of: "blue", at: .zero))
    stage.tap(blue, at: 1)
    #expect(stage.number("hue") == 240 && stage.number("saturation") == 100)
  }

  @Test func `a set colour has full brightness, and the knob moves there`() throws {
    var stage = wheel(0xff0000)
    try stage.set("value", to: .text("#004400"), at: 1)
    #expect(stage.text == "#00ff00" && stage.control.isMoving(at: stage.now))
    stage.advance(to: 2)
    #expect(stage.eventNames == ["settled"])
    try stage.set("hue", to: .number(360), at: 3)
    #expect(stage.text == "#ff0000")
    for (name, value) in [
      ("value", Value.text("loud")), ("value", .text("transparent")), ("hue", .number(-1)),
      ("hue", .number(.nan)), ("saturation", .number(101)), ("kelvin", .number(3_000)),
    ] {
      #expect(throws: PropertyError.self) { try stage.set(name, to: value, at: 4) }
    }
  }

  @Test func `a scale chooses temperatures, and finds the temperature of a colour`() throws {
    var stage = scale()
    #expect(stage.number("kelvin") == 4_000 && stage.value("hue") == nil)
    stage.touch(.down, middle + Vector(0, -170), at: 1)
    stage.touch(.move, middle + Vector(170, 0), at: 2)
    #expect(abs(stage.number("kelvin") - 5_333) < 10)
    stage.touch(.move, middle + Vector(60, 160), at: 3)
    #expect(stage.number("kelvin") == 6_000)
    stage.touch(.up, middle, at: 4)
    try stage.set("value", to: .text(Color(kelvin: 2_700).notation), at: 5)
    #expect(abs(stage.number("kelvin") - 2_700) <= 30)
  }

  @Test func `keys change the hue, then the saturation`() {
    var stage = wheel(0xff0000)
    var part: Int?
    func press(_ key: Keystroke) -> Bool {
      var events: [ControlEvent] = []
      let taken = stage.control.handle(key, on: &part, at: stage.now, events: &events)
      stage.advance(to: stage.now.seconds + 1)
      return taken
    }
    #expect(press(.enter) && press(.left) && stage.number("hue") == 355)
    #expect(press(.enter) && part == 1 && press(.down) && stage.number("saturation") == 95)
    #expect(press(.back) && part == nil)
  }

  @Test func `speech names the colour`() {
    func words(_ hex: UInt32) -> [String] {
      wheel(hex).control.wording(of: nil, at: .zero).terms
    }
    #expect(words(0xff0000) == ["red"] && words(0x8888ff) == ["pale", "blue"])
    #expect(words(0xfffcfc) == ["white"])
    let white = scale().control.wording(of: nil, at: .zero)
    #expect(white.terms == ["white"] && white.value == "4000 K")
  }

  @Test func `a reloaded wheel keeps its colour, finger and motion`() throws {
    var stage = wheel(0xff0000)
    try stage.set("hue", to: .number(180), at: 1)
    stage.remake(as: wheel(0x00ff00).control, at: 1.1)
    stage.advance(to: 2)
    #expect(stage.number("hue") == 180 && stage.eventNames == ["settled"])
  }
}
