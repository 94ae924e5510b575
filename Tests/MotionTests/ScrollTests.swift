// SPDX-License-Identifier: MIT

import RoundelMotion
import Testing

@Suite struct ScrollTests {
  /// A surface dragged at `speed` pixels per second for 0.1 s, then released.
  private func flung(_ speed: Double, from start: Double = 0, length: Double = 10_000) -> Scroll {
    var scroll = Scroll(length: length, reach: 200)
    scroll.turn(to: start, duration: 0.1, at: .zero)
    scroll.advance(to: Instant(seconds: 1))
    scroll.grab(at: Instant(seconds: 1))
    for sample in 1...12 {
      scroll.drag(by: speed / 120, at: Instant(seconds: 1 + Double(sample) / 120))
    }
    scroll.release(at: Instant(seconds: 1.1))
    return scroll
  }

  @Test func `a fling has the same distance as in a scroll view`() {
    var scroll = flung(1000)
    let start = scroll.position(at: Instant(seconds: 1.1))
    #expect(abs(start - 100) < 1e-6)
    // v / (1 - 0.998 per millisecond): the distance of half a second.
    let expected = start + Glide.Friction.normal.projection(from: 0, velocity: 1000)
    scroll.advance(to: Instant(seconds: 10))
    #expect(!scroll.isMoving && scroll.nextChange == nil)
    #expect(abs(scroll.position(at: Instant(seconds: 10)) - expected) < 1)
  }

  @Test(arguments: [1.0 / 60, 0.4, 3])
  func `positions depend only on the time, not on the number of updates`(_ step: Double) {
    let whole = flung(-4000, from: 900)
    var stepped = whole
    var time = 1.1
    while time < 4 {
      let now = Instant(seconds: time)
      stepped.advance(to: now)
      var once = whole
      while let next = once.nextChange, next <= now { once.advance(to: next) }
      #expect(once.position(at: now) == stepped.position(at: now))
      time += step
    }
  }

  @Test(arguments: [-20_000.0, -3000, -200, 200, 3000, 20_000, 1e9, -1e9])
  func `beyond a stop a scroll gives less than its reach, and returns`(_ speed: Double) {
    for length in [0.0, 300, 5000] {
      var scroll = flung(speed, from: length / 2, length: length)
      for frame in 0..<600 {
        let now = Instant(seconds: 1.1 + Double(frame) / 60)
        scroll.advance(to: now)
        #expect((-200...length + 200).contains(scroll.position(at: now)))
      }
      #expect(!scroll.isMoving)
      #expect((0...length).contains(scroll.position(at: Instant(seconds: 20))))
    }
  }

  @Test func `the speed is continuous at a stop`() throws {
    var scroll = flung(-3000, from: 500)
    let hit = try #require(scroll.nextChange)
    func speed(_ from: Double, _ to: Double) -> Double {
      let (a, b) = (hit + from, hit + to)
      scroll.advance(to: a)
      let start = scroll.position(at: a)
      scroll.advance(to: b)
      return (scroll.position(at: b) - start) / (to - from)
    }
    let before = speed(-0.002, -0.001)
    let after = speed(0.0001, 0.0011)
    #expect(before < -1000)
    #expect(abs(before - after) < 0.1 * abs(before))
  }

  @Test func `a touch catches a scroll, and releasing it without speed leaves it there`() {
    var scroll = flung(3000)
    let now = Instant(seconds: 1.4)
    scroll.advance(to: now)
    let place = scroll.position(at: now)
    scroll.grab(at: now)
    #expect(abs(scroll.position(at: Instant(seconds: 1.5)) - place) < 1e-6)
    scroll.release(at: Instant(seconds: 1.5))
    #expect(!scroll.isMoving)
    #expect(abs(scroll.position(at: Instant(seconds: 9)) - place) < 1e-6)
  }

  @Test func `a release just beyond a stop rests there without a motion`() {
    var scroll = Scroll(length: 100, reach: 50)
    scroll.grab(at: .zero)
    scroll.drag(by: -0.2, at: .zero)
    scroll.release(at: .zero, hasMomentum: false)
    #expect(!scroll.isMoving && scroll.nextChange == nil && scroll.position(at: .zero) == 0)
  }

  @Test func `with another length a scroll continues from its position`() {
    for length in [0.0, 50, 400, 20_000] {
      for time in [1.1, 1.2, 1.6, 5] {
        var old = flung(3000)
        let now = Instant(seconds: time)
        old.advance(to: now)
        var new = Scroll(length: length, reach: 200)
        new.resume(old, at: now)
        if new.isMoving {
          #expect(abs(new.position(at: now) - old.position(at: now)) < 1e-6)
        }
        new.advance(to: Instant(seconds: 20))
        while let next = new.nextChange { new.advance(to: next) }
        #expect((0...length).contains(new.position(at: Instant(seconds: 20))))
      }
    }
  }

  @Test func `non-finite numbers don't move a scroll, and an infinite length counts as zero`() {
    var scroll = Scroll(length: .infinity, reach: 10)
    #expect(scroll.length == 0)
    scroll = Scroll(length: 100, reach: 10)
    scroll.grab(at: .zero)
    scroll.drag(by: .nan, at: .zero)
    scroll.drag(by: .infinity, at: .zero)
    scroll.drag(by: 1e300, at: .zero)
    #expect((0...110).contains(scroll.position(at: .zero)))
    scroll.release(at: .zero)
    scroll.advance(to: Instant(seconds: 5))
    while let next = scroll.nextChange { scroll.advance(to: next) }
    #expect(scroll.position(at: Instant(seconds: 5)) == 100)
  }
}
