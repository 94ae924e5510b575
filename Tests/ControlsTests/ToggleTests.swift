// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import Testing

/// 300 by 60 pixels; the switch is the right 105.
private func toggle(_ value: Bool = false) -> Stage<Toggle> {
  Stage(Toggle(center: Point(200, 100), size: Size(300, 60), label: "Light", value: value))
}

private let left = Point(80, 100)
private let right = Point(320, 100)

extension Stage<Toggle> {
  fileprivate mutating func stroke(_ points: [Point], at seconds: Double) {
    touch(.down, points[0], at: seconds)
    for (index, point) in points.dropFirst().enumerated() {
      touch(.move, point, at: seconds + 0.01 * Double(index + 1))
    }
    touch(.up, points[points.count - 1], at: seconds + 0.2)
  }
}

@Suite struct ToggleTests {
  @Test func `a tap toggles the switch, also on its label`() {
    for place in [left, right] {
      var stage = toggle()
      stage.tap(place, at: 1)
      #expect(stage.eventNames == ["pressed", "changed"])
      #expect(stage.events.last?.fields.last == Field("value", .flag(true)))
      #expect(stage.value("value") == .flag(true))
      stage.tap(place, at: 2)
      #expect(stage.value("value") == .flag(false))
    }
  }

  @Test func `a touch that ends outside or is cancelled changes nothing`() {
    var stage = toggle()
    stage.stroke([right, Point(320, 300)], at: 1)
    stage.touch(.down, right, at: 2)
    stage.touch(.cancel, right, at: 2.1)
    stage.touch(.down, right, at: 3)
    stage.letGo(at: 3.1)
    #expect(
      stage.eventNames == ["pressed", "cancelled", "pressed", "cancelled", "pressed", "cancelled"])
    #expect(stage.value("value") == .flag(false))
  }

  @Test(arguments: [false, true])
  func `a push sets the side of its direction, wherever it ends`(_ value: Bool) {
    for (points, side) in [([left, Point(500, 180)], true), ([right, left], false)] {
      var stage = toggle(value)
      stage.stroke(points, at: 1)
      #expect(stage.value("value") == .flag(side))
      #expect(stage.eventNames == ["pressed", side == value ? "cancelled" : "changed"])
    }
  }

  @Test func `the knob springs to its side and rests there`() throws {
    var stage = toggle()
    let off = stage.picture
    try stage.set("value", to: .flag(true), at: 1)
    #expect(stage.eventNames == ["changed"])
    #expect(stage.control.isMoving(at: stage.now))
    stage.advance(to: 1.1)
    let middle = stage.picture
    stage.advance(to: 2)
    #expect(!stage.control.isMoving(at: stage.now))
    #expect(Set([off, middle, stage.picture]).count == 3)
    try stage.set("value", to: .flag(true), at: 3)
    #expect(stage.eventNames == ["changed"])
    #expect(throws: PropertyError.self) { try stage.set("value", to: .number(1), at: 3) }
  }

  @Test func `without a label, the switch fills the toggle`() {
    let control = Toggle(center: Point(200, 100), size: Size(120, 60))
    #expect(control.place(of: nil, at: .zero) == Point(200, 100))
    #expect(control.contains(Point(141, 100), at: .zero))
    #expect(!control.contains(Point(139, 100), at: .zero))
  }
}
