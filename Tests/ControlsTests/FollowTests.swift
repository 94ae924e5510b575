// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelGeometry
import RoundelMotion
import Testing

private func dial(_ drag: Dial.Drag = .relative) -> Dial {
  Dial(center: Point(200, 200), radius: 180, labels: Dial.numbers(12), drag: drag)
}

private func column(_ id: String) -> Picker.Column {
  Picker.Column(id: id, items: (0..<9).map { Picker.Item(label: "\($0)") })
}

extension Stage {
  /// The display list with fingers moved to other positions.
  fileprivate func picture(following places: [Int: Point]) -> DisplayList {
    var list = DisplayList()
    control.draw(
      into: &list, in: DrawingContext(now: now, font: "DejaVu Sans"),
      following: { places[$0] })
    return list
  }

  /// Whether drawing fingers at `places` looks the same as moving them there.
  fileprivate func follows(_ places: [Int: Point]) -> Bool {
    var moved = self
    for (finger, place) in places {
      moved.touch(.move, place, finger: finger, at: moved.now.seconds + 0.01)
    }
    return picture(following: places) == moved.picture(following: [:])
      && picture(following: places) != picture(following: [:])
  }
}

@Suite struct FollowTests {
  @Test(arguments: Dial.Drag.allCases)
  func `a held face can be drawn for another finger position`(_ drag: Dial.Drag) {
    var stage = Stage(dial(drag))
    stage.touch(.down, Point(200, 60), at: 0)
    stage.touch(.move, Point(240, 60), at: 0.01)
    #expect(stage.follows([0: Point(247, 62)]))
    #expect(stage.follows([0: Point(231, 60)]))
    #expect(!stage.follows([1: Point(247, 62)]))
    stage.touch(.up, Point(240, 60), at: 0.5)
    stage.advance(to: 5)
    #expect(!stage.follows([0: Point(247, 62)]))
  }

  @Test func `a finger near the centre of a face, or without a position, turns nothing`() {
    var stage = Stage(dial())
    stage.touch(.down, Point(200, 60), at: 0)
    let rest = stage.picture(following: [:])
    #expect(stage.picture(following: [0: Point(200, 201)]) == rest)
    #expect(stage.picture(following: [0: Point(.nan, 0)]) == rest)
    #expect(stage.picture(following: [0: Point(.infinity, 0)]) == rest)
  }

  @Test func `each wheel of a picker can be drawn for another position of its finger`() {
    var stage = Stage(
      Picker(center: Point(200, 200), size: Size(300, 300), columns: [column("a"), column("b")]))
    stage.touch(.down, Point(100, 200), finger: 3, at: 0)
    stage.touch(.down, Point(300, 200), finger: 5, at: 0)
    stage.touch(.move, Point(100, 230), finger: 3, at: 0.01)
    #expect(stage.follows([3: Point(100, 241)]))
    #expect(stage.follows([3: Point(100, 225), 5: Point(300, 150)]))
    let rest = stage.picture(following: [:])
    #expect(stage.picture(following: [3: Point(0, .nan)]) == rest)
    #expect(stage.picture(following: [3: Point(0, 1e300)]) != rest)
  }

  @Test func `the wheels of a resistor follow, while its bands keep their colours`() throws {
    let code = try #require(Resistor.standard(bands: 4))
    var stage = Stage(Resistor(center: Point(300, 300), size: Size(400, 500), code: code))
    stage.touch(.down, Point(150, 410), at: 0)
    #expect(stage.follows([0: Point(150, 413)]))
    let bands = stage.picture(following: [:]).items.prefix { item in
      if case .strip = item.tiles.first?.fill { false } else { true }
    }
    let far = stage.picture(following: [0: Point(150, 540)])
    #expect(!bands.isEmpty && far.items.starts(with: bands))
    #expect(far != stage.picture(following: [:]))
  }

  @Test func `drawing ahead reports no events and keeps touches and speed`() {
    var (one, other) = (Stage(dial()), Stage(dial()))
    for step in 0...20 {
      let place = Point(200, 200) + Angle.degrees(Double(step) * 6).unit * 140
      let ahead = Point(200, 200) + Angle.degrees(Double(step) * 6 + 50).unit * 140
      let phase: Touch.Phase = step == 0 ? .down : .move
      one.touch(phase, place, at: Double(step) * 0.01)
      other.touch(phase, place, at: Double(step) * 0.01)
      _ = other.picture(following: [0: ahead])
    }
    one.touch(.up, at: 0.2)
    other.touch(.up, at: 0.2)
    one.advance(to: 5)
    other.advance(to: 5)
    #expect(one.control == other.control && one.events == other.events)
  }
}
