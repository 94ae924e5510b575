// SPDX-License-Identifier: MIT

import RoundelMotion
import Testing

@Suite struct GlideTests {
  @Test(arguments: [(Glide.Friction.normal, -2.0020, 499.50), (.fast, -10.0503, 99.50)])
  func `friction projects like a scroll view's`(
    friction: Glide.Friction, rate: Double, distance: Double
  ) {
    #expect(abs(friction.rate - rate) < 5e-5)
    #expect(abs(friction.projection(from: 20, velocity: 1000) - 20 - distance) < 0.005)
  }

  @Test func `a glide lands exactly on its target, with almost no velocity`() throws {
    let glide = try #require(
      Glide(from: 0.25, velocity: 12, landingOn: 6, finalVelocity: 0.01, at: .zero))
    #expect(glide.position(at: .zero) == 0.25)
    #expect(abs(glide.velocity(at: .zero) - 12) < 1e-9)
    let before = glide.end + -1e-6
    #expect(abs(glide.position(at: before) - 6) < 1e-6)
    #expect(abs(glide.velocity(at: before) - 0.01) < 1e-6)
    #expect(glide.position(at: glide.end) == 6)
    #expect(glide.velocity(at: glide.end) == 0)
    #expect(glide.isSettled(at: glide.end) && !glide.isSettled(at: before))
  }

  @Test func `a glide never overshoots or reverses`() throws {
    for velocity in [0.7, 3, 40, 900] {
      for distance in [0.5, 2, 17, 400] {
        guard
          let glide = Glide(
            from: 5, velocity: -velocity, landingOn: 5 - distance, finalVelocity: 0.02, at: .zero)
        else { continue }
        var last = 5.0
        for step in 0...400 {
          let position = glide.position(at: .zero + (glide.end - .zero) * Double(step) / 400)
          #expect(position <= last && position >= 5 - distance)
          last = position
        }
      }
    }
  }

  @Test func `a glide passes a position at the predicted time`() throws {
    let start = Instant(microseconds: 1_234_567)
    let glide = try #require(
      Glide(from: 0, velocity: 31, landingOn: 15, finalVelocity: 0.01, at: start))
    var last = start
    for detent in 0..<15 {
      let time = try #require(glide.reaches(Double(detent) + 0.5))
      #expect(time > last)
      #expect(glide.position(at: time + -1e-6) < Double(detent) + 0.5)
      #expect(glide.position(at: time + 1e-6) > Double(detent) + 0.5)
      last = time
    }
    #expect(glide.reaches(15) == glide.end)
    #expect(glide.reaches(15.1) == nil)
    #expect(glide.reaches(-0.1) == nil)
  }

  @Test func `a glide against a stop arrives with the velocity that friction leaves`() throws {
    let glide = try #require(
      Glide(from: 0, velocity: 1000, against: 300, friction: .normal, at: .zero))
    #expect(abs(glide.finalVelocity - (1000 - 2.0020 * 300)) < 0.05)
    #expect(abs(glide.velocity(at: glide.end + -1e-6) - glide.finalVelocity) < 0.01)
    #expect(Glide(from: 0, velocity: 1000, against: 500, friction: .normal, at: .zero) == nil)
  }

  @Test func `a glide needs a sufficient velocity towards its target`() {
    #expect(Glide(from: 0, velocity: -4, landingOn: 1, finalVelocity: 0.1, at: .zero) == nil)
    #expect(Glide(from: 0, velocity: 0.1, landingOn: 1, finalVelocity: 0.1, at: .zero) == nil)
    #expect(Glide(from: 1, velocity: 4, landingOn: 1, finalVelocity: 0.1, at: .zero) == nil)
    #expect(Glide(from: 0, velocity: .nan, landingOn: 1, finalVelocity: 0.1, at: .zero) == nil)
  }
}

@Suite struct ApproachTests {
  @Test func `an approach starts with the given velocity and arrives at rest, on time`() {
    let approach = Approach(from: 2, velocity: -9, to: 7, at: .zero, duration: 0.3)
    #expect(approach.position(at: .zero) == 2)
    #expect(approach.velocity(at: .zero) == -9)
    #expect(approach.end == Instant(seconds: 0.3))
    #expect(approach.position(at: approach.end) == 7)
    #expect(abs(approach.velocity(at: approach.end + -1e-6)) < 1e-3)
  }

  @Test func `the velocity is the derivative of the position`() {
    let approach = Approach(from: -3, velocity: 14, to: 20, at: .zero, duration: 0.3)
    for step in 1..<30 {
      let time = Instant(seconds: Double(step) * 0.01)
      let slope = (approach.position(at: time + 1e-6) - approach.position(at: time + -1e-6)) / 2e-6
      #expect(abs(slope - approach.velocity(at: time)) < 1e-3)
    }
  }

  @Test func `from rest an approach passes each position once, at the predicted time`() throws {
    let approach = Approach(from: 9, to: 2, at: Instant(seconds: 5), duration: 0.3)
    var last = Instant(seconds: 5)
    for place in [8.5, 7.5, 6.5, 5.5, 4.5, 3.5, 2.5] {
      let time = try #require(approach.reaches(place))
      #expect(time > last && time < approach.end)
      #expect(abs(approach.position(at: time) - place) < 1e-4)
      last = time
    }
    #expect(approach.reaches(1.9) == nil && approach.reaches(9.1) == nil)
  }
}

@Suite struct RubberBandTests {
  @Test(arguments: [(5.0, 2.74), (100, 52.02), (400, 178.98), (960, 340.65)])
  func `a rubber band stretches like a scroll view of height 960`(pull: Double, stretch: Double) {
    let band = RubberBand(reach: 960)
    // The published value for 5 is truncated, not rounded, from 2.742.
    #expect(abs(band.stretch(for: pull) - stretch) < 0.0151)
    #expect(abs(band.stretch(for: -pull) + stretch) < 0.0151)
  }

  @Test func `the pull of a stretch is the inverse of the stretch`() {
    let band = RubberBand(reach: 0.5)
    for pull in [-7, -0.2, 0, 0.01, 3, 90] {
      #expect(abs(band.pull(for: band.stretch(for: pull)) - pull) < 1e-9)
    }
    #expect(band.stretch(for: .infinity) == 0.5)
    #expect(band.pull(for: 2).isFinite)
  }
}

@Suite struct DetentsTests {
  @Test func `an index is a detent modulo the count, also below zero`() {
    let detents = Detents(count: 7, wraps: true)
    #expect([-8, -7, -1, 0, 6, 7, 15].map(detents.index) == [6, 0, 6, 0, 6, 0, 1])
    #expect(Detents(count: 1, wraps: true).index(of: -3) == 0)
  }

  @Test func `each position belongs to one detent`() {
    let detents = Detents(count: 7, wraps: true)
    #expect([-0.51, -0.5, -0.49, 0.49, 0.5, 6.5].map(detents.nearest) == [-1, 0, 0, 0, 1, 7])
    #expect(detents.nearest(to: .nan) == 0)
    #expect(detents.nearest(to: .infinity) == 1 << 52)
    #expect(Detents(count: 7, wraps: false).nearest(to: 6.5) == 6)
  }

  @Test func `the path to an index is the shortest way round, or the only one`() {
    let round = Detents(count: 12, wraps: true)
    #expect(round.detent(of: 11, closestTo: 0) == -1)
    #expect(round.detent(of: 1, closestTo: 35) == 37)
    #expect(round.detent(of: 6, closestTo: 0) == 6)
    #expect(round.detent(of: 6, closestTo: 0.1) == 6)
    #expect(round.detent(of: 6, closestTo: -0.1) == -6)
    #expect(Detents(count: 12, wraps: false).detent(of: 11, closestTo: 0) == 11)
  }
}

@Suite struct VelocityTrackerTests {
  private func tracker(_ samples: [(Double, Double)]) -> VelocityTracker {
    var tracker = VelocityTracker()
    for (time, position) in samples { tracker.add(position, at: Instant(seconds: time)) }
    return tracker
  }

  /// Ten samples, 4 units per 8 ms.
  private func steady(from start: Double, _ position: Double) -> VelocityTracker {
    tracker(
      (0...9).map { step in
        let step = Double(step)
        return (start + step * 0.008, position + step * 4)
      })
  }

  @Test func `a steady finger's velocity is exact`() {
    let steady = steady(from: 1, 40)
    #expect(abs(steady.velocity(at: Instant(seconds: 1.072)) - 500) < 1e-6)
  }

  @Test func `a slowing finger has its latest velocity`() {
    // x = 1000 t − 4000 t²: velocity 1000 at first, 400 at 75 ms.
    let slowing = tracker(
      (0...15).map { step in
        let t = Double(step) * 0.005
        return (t, 1000 * t - 4000 * t * t)
      })
    #expect(abs(slowing.velocity(at: Instant(seconds: 0.08)) - 400) < 1e-3)
  }

  @Test func `a finger that rested before lifting has no velocity`() {
    let moved = steady(from: 0, 0)
    #expect(moved.velocity(at: Instant(seconds: 0.072 + 0.041)) == 0)
    #expect(moved.velocity(at: Instant(seconds: 0.072 + 0.039)) > 0)
  }

  @Test func `motion before a pause is ignored`() {
    var resumed = steady(from: 0, 0)
    for step in 0...3 {
      resumed.add(36 - Double(step), at: Instant(seconds: 0.2 + 0.01 * Double(step)))
    }
    #expect(abs(resumed.velocity(at: Instant(seconds: 0.23)) + 100) < 1e-6)
  }

  @Test func `two samples aren't a movement`() {
    #expect(tracker([(0, 0), (0.01, 50)]).velocity(at: Instant(seconds: 0.01)) == 0)
    #expect(tracker([]).velocity(at: .zero) == 0)
  }

  @Test func `repeated or decreasing times give a finite velocity`() {
    let odd = tracker([(1, 0), (1, 5), (0.5, 9), (0.2, 11), (1, 3), (1.01, 4), (1.02, 5)])
    #expect(odd.velocity(at: Instant(seconds: 1.02)).isFinite)
    #expect(odd.velocity(at: Instant(seconds: 90_000)) == 0)
  }
}
