// SPDX-License-Identifier: MIT

import RoundelGeometry
import Glibc
import RoundelMotion
import TestSupport
import Testing

/// A path of a finger.
struct FingerMotion: Sendable, CustomTestStringConvertible {
  let name: String
  /// The position at a time in seconds.
  let place: @Sendable (Double) -> Point
  /// The distance of a drawing ahead of a position, in design pixels.
  let error: @Sendable (_ drawn: Point, _ place: Point) -> Double

  var testDescription: String { name }

  /// A motion along a line.
  private static func line(
    _ name: String, _ x: @escaping @Sendable (Double) -> Double
  ) -> FingerMotion {
    FingerMotion(name: name, place: { Point(x($0), 300) }, error: { $0.x - $1.x })
  }

  /// A motion round the centre of a dial, which turns with the finger's direction.
  private static func circle(
    _ name: String, _ angle: @escaping @Sendable (Double) -> Double
  ) -> FingerMotion {
    let center = Point(640, 400)
    return FingerMotion(
      name: name, place: { center + Angle(radians: angle($0)).unit * 250 },
      error: { Angle(of: $0 - center).turn(from: Angle(of: $1 - center)).radians * 250 })
  }

  static let all = [
    line("even, 1000 px/s") { 1000 * $0 },
    line("faster and faster, to 2500 px/s") { 500 * $0 * $0 },
    line("to and fro once a second, 300 px") { 300 * sin(2 * .pi * $0) },
    line("trembling, 3 times a second, 60 px") { 60 * sin(6 * .pi * $0) },
    line("on and off, 1000 px/s, stops in 0.15 s") { time in
      // 0.5 s of motion, then braking, then rest.
      let (count, part) = (time.rounded(.down), time - time.rounded(.down))
      let distance = min(part, 0.5) * 1000
      let braking = min(max(part - 0.5, 0), 0.15)
      return count * 575 + distance + 1000 * braking * (1 - braking / 0.3)
    },
    line("on and off, 1000 px/s, stops at once") { time in
      time.rounded(.down) * 500 + min(time - time.rounded(.down), 0.5) * 1000
    },
    circle("round a dial, 1000 px/s") { 4 * $0 },
    circle("round a dial, to and fro") { 2 * sin(3 * $0) },
  ]
}

/// The sampling rate of a touch panel and the delays of its reports.
struct TouchPanel: Sendable, CustomTestStringConvertible {
  let name: String
  /// Samples per second.
  let rate: Double
  /// The delays of consecutive reports relative to the earliest, in microseconds.
  let delays: [Int]

  var testDescription: String { name }

  struct Sample {
    var stamp: Timestamp
    var place: Point
  }

  /// The samples of a finger until `end`. The first is at a random time. The rate is off by up to 1
  /// %, because some controllers lack a crystal. Movements below a quarter of a pixel aren't
  /// reported.
  func samples(
    of motion: FingerMotion, until end: Double, using random: inout SeededGenerator
  ) -> [Sample] {
    let interval = 1 / rate / Double.random(in: 0.99...1.01, using: &random)
    let start = Double.random(in: 0...interval, using: &random)
    let offset = Int.random(in: 0..<delays.count, using: &random)
    var samples: [Sample] = []
    for index in 0..<Int((end - start) / interval) {
      let time = start + Double(index) * interval
      let exact = motion.place(time)
      let place = Point((exact.x * 4).rounded() / 4, (exact.y * 4).rounded() / 4)
      if place == samples.last?.place { continue }
      let delay = Double(delays[(offset + index) % delays.count]) * 1e-6
      samples.append(Sample(stamp: Timestamp(seconds: time + delay), place: place))
    }
    return samples
  }

  /// At even rates, reports wait for up to 0.1 ms. The other delays are from recorded drags (time
  /// stamps relative to the best-fitting even intervals, from the collection evemu-devices): an
  /// Atmel maXTouch and an EDT EP0430M09 on I2C, and a Dell Canvas, which USB polls once per
  /// millisecond.
  static let all =
    [60.0, 90, 120, 240].map { rate in
      TouchPanel(
        name: "\(Int(rate)) Hz", rate: rate,
        delays: (0..<61).map { ($0 * 37) % 61 * 100 / 61 })
    } + [
      TouchPanel(name: "73 Hz, maXTouch", rate: 1e6 / 13752.4, delays: maXTouch),
      TouchPanel(name: "134 Hz, EP0430M09", rate: 1e6 / 7435.0, delays: ep0430m09),
      TouchPanel(name: "160 Hz, Canvas", rate: 1e6 / 6248.6, delays: canvas),
    ]

  private static let maXTouch = [
    300, 484, 301, 555, 120, 543, 209, 967, 816, 956, 277, 603, 305, 697, 387, 411, 105, 512,
    258, 1152, 567, 856, 581, 663, 490, 739, 375, 647, 171, 712, 235, 827, 671, 929, 502, 825,
    423, 800, 564, 584, 245, 534, 166, 908, 602, 869, 580, 676, 443, 822, 235, 399, 0, 519, 176,
    737, 717, 889, 513, 851,
  ]

  private static let ep0430m09 = [
    413, 239, 77, 89, 42, 79, 76, 76, 51, 77, 86, 52, 67, 92, 90, 7, 58, 84, 101, 61, 66, 95,
    96, 67, 62, 106, 95, 76, 95, 98, 92, 76, 91, 89, 49, 7, 0, 179, 82, 56, 88, 84, 87, 13, 53,
    100, 101, 71, 94, 114, 70, 68, 93, 100, 19, 76, 100, 103, 73, 67,
  ]

  private static let canvas = [
    209, 795, 534, 262, 25, 775, 550, 291, 143, 781, 564, 295, 24, 820, 648, 309, 39, 782, 543,
    269, 65, 838, 566, 401, 74, 786, 539, 295, 49, 859, 547, 377, 56, 821, 614, 353, 110, 861,
    686, 315, 120, 833, 566, 367, 201, 884, 578, 336, 195, 840, 586, 455, 206, 839, 614, 381,
    118, 850, 715, 466,
  ]
}
