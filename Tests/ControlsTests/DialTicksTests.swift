// SPDX-License-Identifier: MIT

import Controls
import Expressions
import Geometry
import Motion
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
  @Test func `it turns itself back to the stop, telling of each label and once of the end`() throws
  {
    var stage = timer(value: 3)
    try stage.set("ticking", to: .flag(true), at: 1)
    #expect(stage.value("ticking") == .flag(true))
    stage.advance(to: 10)
    #expect(stage.passed == [2, 1, 0])
    #expect(stage.told == ["passing", "passing", "passing", "settled"])
    #expect(stage.times(of: "settled") == [4])
    #expect(stage.value("ticking") == .flag(false))
    #expect(stage.control.nextChange(after: stage.now) == nil)
  }

  @Test func `the ticks come at the same moments at any frame rate`() throws {
    var whole = timer(value: 9)
    var steps = timer(value: 9)
    try whole.set("ticking", to: .flag(true), at: 0.5)
    try steps.set("ticking", to: .flag(true), at: 0.5)
    whole.advance(to: 8)
    steps.advance(to: 8, step: 1.0 / 30)
    #expect(whole.events == steps.events)
    #expect(whole.picture == steps.picture)
  }

  @Test func `between two ticks nothing moves`() throws {
    var stage = timer(value: 5)
    try stage.set("ticking", to: .flag(true), at: 0)
    stage.advance(to: 1.5)
    #expect(!stage.control.isMoving(at: stage.now))
    stage.advance(to: 1.9)
    #expect(stage.control.isMoving(at: stage.now))
  }

  @Test func `stopped between two ticks it has settled at once`() throws {
    var stage = timer(value: 5)
    try stage.set("ticking", to: .flag(true), at: 0)
    try stage.set("ticking", to: .flag(false), at: 1.5)
    stage.advance(to: 5)
    #expect(stage.told == ["passing", "settled"])
    #expect(stage.times(of: "settled") == [1.5])
    #expect(stage.value("value") == .integer(4))
  }

  @Test func `stopped during a step it ends the step`() throws {
    var stage = timer(value: 5)
    try stage.set("ticking", to: .flag(true), at: 0)
    try stage.set("ticking", to: .flag(false), at: 1.8)
    stage.advance(to: 5)
    #expect(stage.told == ["passing", "passing", "settled"])
    #expect(stage.times(of: "settled") == [2])
  }

  @Test func `a finger holds it up, and it ticks on from where that leaves it`() throws {
    var stage = timer(value: 5)
    try stage.set("ticking", to: .flag(true), at: 0)
    stage.touch(.down, middle + Angle.degrees(90).unit * 250, at: 0.5)
    // Two labels on: the face turns back by 60°.
    stage.touch(.move, middle + Angle.degrees(60).unit * 250, at: 2)
    stage.touch(.move, middle + Angle.degrees(30).unit * 250, at: 3)
    stage.touch(.up, at: 4.5)
    stage.advance(to: 5)
    #expect(stage.value("value") == .integer(7))
    #expect(stage.told == ["pressed", "passing", "passing"])
    stage.advance(to: 7)
    #expect(stage.passed.starts(with: [6, 7, 6]))
    #expect(stage.value("ticking") == .flag(true))
  }

  @Test func `where there is no way it does not start`() throws {
    var stage = timer(value: 0)
    try stage.set("ticking", to: .flag(true), at: 0)
    stage.advance(to: 5)
    #expect(stage.value("ticking") == .flag(false))
    #expect(stage.events.isEmpty)
  }

  @Test func `set to the stop while it ticks it is at its end`() throws {
    var stage = timer(value: 5)
    try stage.set("ticking", to: .flag(true), at: 0)
    try stage.set("value", to: .integer(0), at: 0.5)
    stage.advance(to: 5)
    #expect(stage.told == ["settled"])
    #expect(stage.value("ticking") == .flag(false))
  }

  @Test func `without stops it goes round until it is stopped`() throws {
    var stage = timer(value: 10, every: 0.1, step: 1, wraps: true)
    try stage.set("ticking", to: .flag(true), at: 0)
    stage.advance(to: 1.45)
    #expect(stage.passed == [11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0])
    stage.reset(at: 1.5)
    #expect(stage.told.last == "settled")
    #expect(stage.control.nextChange(after: stage.now) == nil)
  }

  @Test func `a step of several labels passes each and ends at the stop`() throws {
    var stage = timer(value: 5, step: -3)
    try stage.set("ticking", to: .flag(true), at: 0)
    stage.advance(to: 5)
    #expect(stage.passed == [4, 3, 2, 1, 0])
    #expect(stage.told.filter { $0 == "settled" }.count == 1)
  }

  @Test func `a dial without ticks has no such property`() {
    var stage = Stage(Dial(center: middle, radius: 300, labels: ["a", "b"]))
    #expect(stage.value("ticking") == nil)
    #expect(throws: PropertyError.unknown("ticking")) {
      try stage.set("ticking", to: .flag(true), at: 0)
    }
  }

  @Test func `a changed file keeps it ticking`() throws {
    var old = timer(value: 5)
    try old.set("ticking", to: .flag(true), at: 0)
    var new = timer(value: 0)
    new.control.resume(old.control, at: .zero)
    new.advance(to: 1.5)
    #expect(new.value("value") == .integer(4))
  }
}
