// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelGeometry
import RoundelMotion
import RoundelRuntime
import TestSupport
import Testing

/// Predicts the position of a finger for a frame.
private protocol Follower {
  init()
  mutating func add(_ sample: TouchPanel.Sample)
  func position(at frame: Timestamp) -> Point
}

/// Draws the finger at its last sample.
private struct Unresampled: Follower {
  var place = Point.zero
  mutating func add(_ sample: TouchPanel.Sample) { place = sample.place }
  func position(at frame: Timestamp) -> Point { place }
}

/// Android's InputTransport: 5 ms before the frame, along the last two samples, which are 2 to 20
/// ms apart, and at most 8 ms and half of that ahead of the newest.
private struct Android: Follower {
  var newest: TouchPanel.Sample?
  var older: TouchPanel.Sample?

  mutating func add(_ sample: TouchPanel.Sample) {
    older = newest
    newest = sample
  }

  func position(at frame: Timestamp) -> Point {
    guard let newest else { return .zero }
    guard let older else { return newest.place }
    let apart = newest.stamp - older.stamp
    let ahead = frame + -0.005 - newest.stamp
    guard apart >= 0.002, ahead <= 0 || apart <= 0.02 else { return newest.place }
    let limited = min(max(ahead, -apart), min(0.008, apart / 2))
    return newest.place + (newest.place - older.place) * (limited / apart)
  }
}

private struct Resampled: Follower {
  var resampler = TouchResampler()
  var place: Point?

  mutating func add(_ sample: TouchPanel.Sample) {
    resampler.add(
      Touch(finger: 0, phase: place == nil ? .down : .move, position: sample.place),
      at: sample.stamp)
    place = sample.place
  }

  func position(at frame: Timestamp) -> Point {
    resampler.position(of: 0, at: frame) ?? place ?? .zero
  }
}

/// Measurements of a drawn motion.
private struct Look {
  /// The difference in motion per frame between drawing and finger (root mean square, in design
  /// pixels).
  var jitter = 0.0
  /// The latency of the drawing in milliseconds: the delay of the finger's motion that fits best.
  var lag = 0.0
  /// The largest distance of the drawing ahead of the finger's path, in design pixels.
  var overshoot = 0.0
}

@Suite struct JitterTests {
  /// The start and display times of frames while a finger drags a dial.
  private static let frames: [(begin: Timestamp, shown: Timestamp)] = {
    let panel = VblankPanel()
    let cycle = FrameCycle(dialKiosk(), on: panel, seed: 0) { panel.now }
    var random = SeededGenerator(seed: 3)
    var begins: [Timestamp] = []
    panel.cost = {
      begins.append(panel.now)
      return Double.random(in: 0.001...0.002, using: &random)
    }
    var sample = 0
    while panel.now.seconds < 3.5 {
      let deadline = cycle.turn()
      let touch = Timestamp(seconds: 0.5 + Double(sample) * 0.0079)
      let quiet = cycle.nextFrame.flatMap { $0 > panel.now ? $0 : nil }
      guard let wake = [deadline, quiet ?? touch, quiet ?? panel.flip].compactMap({ $0 }).min()
      else { break }
      // The loop wakes up with a delay.
      panel.pass(to: max(wake, panel.now) + Double.random(in: 0.00002...0.0002, using: &random))
      while Timestamp(seconds: 0.5 + Double(sample) * 0.0079) <= panel.now {
        let time = Timestamp(seconds: 0.5 + Double(sample) * 0.0079)
        let place = Point(100, 100) + Angle.degrees(3 * Double(sample)).unit * 60
        cycle.handle(
          Touch(finger: 0, phase: sample == 0 ? .down : .move, position: place), at: time)
        sample += 1
      }
    }
    // Second 0 of the finger's motion is half a second after the first touch.
    return zip(begins, panel.flips).filter { $0.seconds > 1 && $1.seconds < 3.4 }
      .map { ($0 + -1, $1 + -1) }
  }()

  private static let trials = 6

  private func square(_ errors: [Double]) -> Double { errors.reduce(0) { $0 + $1 * $1 } }

  /// Measures a motion on a panel, as a mean of trials with random phases.
  private func look(
    of motion: FingerMotion, on panel: TouchPanel, _ follower: (some Follower).Type
  ) -> Look {
    var mean = Look()
    var random = SeededGenerator(seed: 11)
    for _ in 0..<Self.trials {
      let samples = panel.samples(of: motion, until: 2.5, using: &random)
      var follower = follower.init()
      var next = 0
      var drawn: [(place: Point, shown: Double)] = []
      for (begin, shown) in Self.frames {
        while next < samples.count, samples[next].stamp <= begin {
          follower.add(samples[next])
          next += 1
        }
        if next > 3 { drawn.append((follower.position(at: begin), shown.seconds)) }
      }
      func errors(_ lag: Double) -> [Double] {
        drawn.map { motion.error($0.place, motion.place($0.shown - lag)) }
      }
      // Gauss–Newton: increasing the lag by dt adds the speed times dt to each error.
      var lag = 0.008
      for _ in 0..<3 {
        let (now, later) = (errors(lag), errors(lag + 1e-4))
        let speeds = zip(now, later).map { ($1 - $0) / 1e-4 }
        lag -= zip(now, speeds).reduce(0) { $0 + $1.0 * $1.1 } / square(speeds)
      }
      let best = errors(lag)
      let steps = zip(best, best.dropFirst()).map { $1 - $0 }
      mean.jitter += square(steps) / Double(steps.count)
      mean.lag += lag * 1000
      for (place, shown) in drawn {
        // The last 60 ms.
        let ahead = (0..<7).map { motion.error(place, motion.place(shown - Double($0) * 0.01)) }
        mean.overshoot = max(mean.overshoot, ahead.min() ?? 0)
      }
    }
    mean.jitter = (mean.jitter / Double(Self.trials)).squareRoot()
    mean.lag /= Double(Self.trials)
    return mean
  }

  @Test(arguments: FingerMotion.all)
  func `resampling makes motion more even without more latency`(_ motion: FingerMotion) {
    func number(_ value: Double) -> String {
      let hundredths = Int((value * 100).rounded())
      let sign = hundredths < 0 ? "-" : ""
      let text = "\(sign)\(abs(hundredths) / 100)." + "\(abs(hundredths) % 100 + 100)".dropFirst()
      return String(repeating: " ", count: max(0, 7 - text.count)) + text
    }
    var table = "\(motion.name): jitter px, lag ms, overshoot px\n"
    table += "                     as sampled            Android               resampled\n"
    for panel in TouchPanel.all {
      let off = look(of: motion, on: panel, Unresampled.self)
      let android = look(of: motion, on: panel, Android.self)
      let on = look(of: motion, on: panel, Resampled.self)
      let name = panel.name + String(repeating: " ", count: max(0, 18 - panel.name.count))
      let row = [off, android, on].map {
        number($0.jitter) + number($0.lag) + number($0.overshoot)
      }
      table += name + row.joined(separator: " ") + "\n"
      // If frames and samples have nearly a common rate, they beat only once in several seconds.
      let share = panel.rate.remainder(dividingBy: 60) == 0 ? 1 : 0.25
      #expect(on.jitter < off.jitter * share, "\(panel.name)")
      #expect(on.lag < off.lag, "\(panel.name)")
    }
    print(table)
  }
}
