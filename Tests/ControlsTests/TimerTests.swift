// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import RoundelMotion
import Testing

@Suite struct TimerTests {
  @Test func `a timer fires at each multiple of its interval, without drift`() {
    var stage = Stage(Timer(every: 1.0 / 3))
    stage.appear(at: 2)
    stage.advance(to: 2.2)
    #expect(stage.eventNames == [])
    stage.advance(to: 1002.1)
    #expect(stage.events.count == 3000)
    for (index, event) in stage.events.enumerated() {
      #expect(event.name == "due" && event.item == nil && event.fields == [])
      #expect(event.time == Instant(seconds: 2) + Double(index + 1) / 3)
    }
  }

  @Test(arguments: [0.01, 0.4, 3])
  func `the frame rate doesn't change the times of a timer`(step: Double) {
    var stage = Stage(Timer(every: 0.7))
    stage.appear(at: 0)
    stage.advance(to: 3, step: step)
    #expect(stage.times(of: "due") == [0.7, 1.4, 2.1, 2.8])
  }

  @Test func `a timer waits until it is in use, and restarts each time`() {
    var stage = Stage(Timer(every: 1))
    stage.advance(to: 10)
    #expect(stage.control.nextChange(after: stage.now) == nil)
    stage.appear(at: 10.5)
    stage.advance(to: 12)
    stage.reset(at: 12.4)
    stage.advance(to: 20)
    stage.appear(at: 20)
    stage.advance(to: 21)
    #expect(stage.times(of: "due") == [11.5, 21])
    stage.control.disappear(at: stage.now)
    stage.advance(to: 30)
    #expect(stage.events.count == 2)
  }

  @Test func `a timer in use doesn't restart, and letting go doesn't change it`() {
    var stage = Stage(Timer(every: 1))
    stage.appear(at: 0)
    stage.appear(at: 0.6)
    stage.letGo(at: 0.7)
    stage.advance(to: 1)
    #expect(stage.times(of: "due") == [1])
  }

  @Test func `a timer runs only while its running property is true`() throws {
    var stage = Stage(Timer(every: 1, isRunning: false))
    stage.appear(at: 0)
    stage.advance(to: 5)
    #expect(stage.value("running") == .flag(false))
    try stage.set("running", to: .flag(true), at: 5.5)
    try stage.set("running", to: .flag(true), at: 6)
    stage.advance(to: 8)
    try stage.set("running", to: .flag(false), at: 8)
    stage.advance(to: 20)
    #expect(stage.times(of: "due") == [6.5, 7.5])
    #expect(throws: PropertyError.unsuitable("running", expected: "true or false")) {
      try stage.set("running", to: .integer(1), at: 20)
    }
    #expect(throws: PropertyError.unknown("every")) {
      try stage.set("every", to: .integer(1), at: 20)
    }
  }

  @Test func `a timer is invisible and ignores touches`() {
    var stage = Stage(Timer(every: 1))
    stage.appear(at: 0)
    #expect(stage.picture.items.isEmpty)
    #expect(!stage.control.contains(.zero, at: .zero))
    #expect(stage.control.extent == nil && stage.control.place(of: nil, at: .zero) == nil)
    #expect(stage.control.isStill(at: .zero) && !stage.control.isMoving(at: .zero))
  }

  @Test func `a reloaded timer keeps its time`() throws {
    var stage = Stage(Timer(every: 10))
    stage.appear(at: 0)
    stage.remake(as: Timer(every: 10), at: 4)
    stage.advance(to: 10)
    // The next multiple of the new interval.
    stage.remake(as: Timer(every: 3), at: 13)
    stage.advance(to: 18)
    try stage.set("running", to: .flag(false), at: 18)
    stage.remake(as: Timer(every: 1), at: 19)
    stage.advance(to: 30)
    // A changed key takes precedence.
    stage.remake(as: Timer(every: 1, isRunning: false), at: 30)
    stage.remake(as: Timer(every: 1), at: 31)
    stage.advance(to: 32)
    #expect(stage.times(of: "due") == [10, 15, 18, 32])
  }
}
