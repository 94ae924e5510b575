// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import Testing

private let middle = Point(640, 400)

/// A dial of 12 labels that ticks back every second.
private func timer(value: Int, every: Double = 1, step: Int = -1, wraps: Bool = false)
  -> Stage<Dial>
{
  Stage(
    Dial(
      center: middle, radius: 300, labels: Dial.numbers(12), value: value, labelOffset: 40,
      wraps: wraps, ticks: Dial.Ticks(every: every, step: step)))
}

extension Stage {
  fileprivate var passed: [Double] {
    events.filter { $0.name == "passing" }.map { event in
      if case .number(let index)? = event.fields.first?.value { index } else { -1 }
    }
  }
}

@Suite struct DialTicksTests {
  @Test func `a ticking dial turns to its stop, reporting each label and the end once`() throws {
    var stage = timer(value: 3)
    try stage.set("ticking", to: .flag(true), at: 1)
    #expect(stage.value("ticking") == .flag(true))
    stage.advance(to: 10)
    #expect(stage.passed == [2, 1, 0])
    #expect(stage.eventNames == ["passing", "passing", "passing", "settled"])
    #expect(stage.times(of: "settled") == [4])
    #expect(stage.value("ticking") == .flag(false))
    #expect(stage.control.nextChange(after: stage.now) == nil)
  }

  @Test func `the frame rate doesn't change the times of ticks`() throws {
    var whole = timer(value: 9)
    var steps = timer(value: 9)
    try whole.set("ticking", to: .flag(true), at: 0.5)
    try steps.set("ticking", to: .flag(true), at: 0.5)
    whole.advance(to: 8)
    steps.advance(to: 8, step: 1.0 / 30)
    #expect(whole.events == steps.events)
    #expect(whole.picture == steps.picture)
  }

  @Test func `nothing moves between two ticks`() throws {
    var stage = timer(value: 5)
    try stage.set("ticking", to: .flag(true), at: 0)
    stage.advance(to: 1.5)
    #expect(!stage.control.isMoving(at: stage.now))
    stage.advance(to: 1.9)
    #expect(stage.control.isMoving(at: stage.now))
  }

  @Test func `a dial stopped between two ticks settles immediately`() throws {
    var stage = timer(value: 5)
    try stage.set("ticking", to: .flag(true), at: 0)
    try stage.set("ticking", to: .flag(false), at: 1.5)
    stage.advance(to: 5)
    #expect(stage.eventNames == ["passing", "settled"])
    #expect(stage.times(of: "settled") == [1.5])
    #expect(stage.value("value") == .integer(4))
  }

  @Test func `a dial stopped during a tick finishes it`() throws {
    var stage = timer(value: 5)
    try stage.set("ticking", to: .flag(true), at: 0)
    try stage.set("ticking", to: .flag(false), at: 1.8)
    stage.advance(to: 5)
    #expect(stage.eventNames == ["passing", "passing", "settled"])
    #expect(stage.times(of: "settled") == [2])
  }

  @Test func `a finger pauses ticking, which resumes from the new value`() throws {
    var stage = timer(value: 5)
    try stage.set("ticking", to: .flag(true), at: 0)
    stage.touch(.down, middle + Angle.degrees(90).unit * 250, at: 0.5)
    // Two labels later: the face turns back by 60°.
    stage.touch(.move, middle + Angle.degrees(60).unit * 250, at: 2)
    stage.touch(.move, middle + Angle.degrees(30).unit * 250, at: 3)
    stage.touch(.up, at: 4.5)
    stage.advance(to: 5)
    #expect(stage.value("value") == .integer(7))
    #expect(stage.eventNames == ["pressed", "passing", "passing"])
    stage.advance(to: 7)
    #expect(stage.passed.starts(with: [6, 7, 6]))
    #expect(stage.value("ticking") == .flag(true))
  }

  @Test func `ticking doesn't start if a stop blocks it`() throws {
    var stage = timer(value: 0)
    try stage.set("ticking", to: .flag(true), at: 0)
    stage.advance(to: 5)
    #expect(stage.value("ticking") == .flag(false))
    #expect(stage.events.isEmpty)
  }

  @Test func `setting a ticking dial to its stop ends the ticking`() throws {
    var stage = timer(value: 5)
    try stage.set("ticking", to: .flag(true), at: 0)
    try stage.set("value", to: .integer(0), at: 0.5)
    stage.advance(to: 5)
    #expect(stage.eventNames == ["settled"])
    #expect(stage.value("ticking") == .flag(false))
  }

  @Test func `a dial without stops ticks until it is stopped`() throws {
    var stage = timer(value: 10, every: 0.1, step: 1, wraps: true)
    try stage.set("ticking", to: .flag(true), at: 0)
    stage.advance(to: 1.45)
    #expect(stage.passed == [11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0])
    stage.reset(at: 1.5)
    #expect(stage.eventNames.last == "settled")
    #expect(stage.control.nextChange(after: stage.now) == nil)
  }

  @Test func `a tick of several labels passes each one and ends at the stop`() throws {
    var stage = timer(value: 5, step: -3)
    try stage.set("ticking", to: .flag(true), at: 0)
    stage.advance(to: 5)
    #expect(stage.passed == [4, 3, 2, 1, 0])
    #expect(stage.eventNames.filter { $0 == "settled" }.count == 1)
  }

  @Test func `a dial without ticks has no ticking property`() {
    var stage = Stage(Dial(center: middle, radius: 300, labels: ["a", "b"]))
    #expect(stage.value("ticking") == nil)
    #expect(throws: PropertyError.unknown("ticking")) {
      try stage.set("ticking", to: .flag(true), at: 0)
    }
  }

  @Test func `a dial keeps ticking when its file changes`() throws {
    var old = timer(value: 5)
    try old.set("ticking", to: .flag(true), at: 0)
    var new = timer(value: 0)
    new.control.resume(old.control, at: .zero)
    new.advance(to: 1.5)
    #expect(new.value("value") == .integer(4))
  }
}
