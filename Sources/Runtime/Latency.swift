// SPDX-License-Identifier: MIT

/// How long touches take to be seen, from the kernel's time stamp to the flip that showed their
/// effect.
///
///     kernel ──► reader ──► paint begins ──► commit ──► flip
///
/// At the commit the painted frame is given to the display, so what that copies counts to the flip.
/// A touch that a client has sent takes the same way from when it was due, or from when it came if
/// that was later.
package struct Latency: Hashable, Sendable {
  package enum Stage: String, CaseIterable, Sendable {
    case kernelToReader = "kernel_to_reader"
    case readerToPaint = "reader_to_paint"
    case paint
    case commitToFlip = "commit_to_flip"
    /// From the kernel to the flip.
    case total
  }

  private var histograms: [Stage: Histogram] = [:]

  package init() {}

  package mutating func record(_ stage: Stage, seconds: Double) {
    histograms[stage, default: Histogram()].add(seconds)
  }

  package subscript(stage: Stage) -> Histogram { histograms[stage] ?? Histogram() }
}

/// How often durations occurred. It takes the same memory however many there are, and tells each to
/// within 3 percent.
package struct Histogram: Hashable, Sendable {
  /// Counted by microseconds up to 64, above that by 32 steps to each doubling.
  private var counts: [Int] = []
  package private(set) var count = 0
  /// The longest, in seconds; 0 where there is none.
  package private(set) var worst = 0.0
  /// All of them together, in seconds.
  package private(set) var sum = 0.0

  package init() {}

  /// Adds a duration of 0 or more seconds; a negative one, or NaN, counts as 0.
  package mutating func add(_ seconds: Double) {
    let seconds = seconds > 0 ? min(seconds, 4000) : 0
    let bucket = Self.bucket(UInt32(seconds * 1e6))
    if bucket >= counts.count {
      counts += Array(repeating: 0, count: bucket + 1 - counts.count)
    }
    counts[bucket] += 1
    count += 1
    sum += seconds
    worst = max(worst, seconds)
  }

  /// The duration in seconds that a `share` of all, 0 … 1, do not exceed; nil where there are none.
  package func quantile(_ share: Double) -> Double? {
    guard count > 0 else { return nil }
    let wanted = max(1, Int((share * Double(count)).rounded(.up)))
    var seen = 0
    for (bucket, number) in counts.enumerated() {
      seen += number
      if seen >= wanted { return min(Self.end(of: bucket), worst) }
    }
    return worst
  }

  /// How many do not exceed a duration in seconds.
  package func count(upTo seconds: Double) -> Int {
    let microseconds = UInt32(min(max(seconds, 0), 4000) * 1e6)
    return counts.prefix(Self.bucket(microseconds) + 1).reduce(0, +)
  }

  private static func bucket(_ microseconds: UInt32) -> Int {
    guard microseconds >= 64 else { return Int(microseconds) }
    let octave = 31 - microseconds.leadingZeroBitCount
    return 64 + (octave - 6) * 32 + Int(microseconds >> (octave - 5)) - 32
  }

  /// The longest duration of a bucket, in seconds.
  private static func end(of bucket: Int) -> Double {
    guard bucket >= 64 else { return Double(bucket + 1) * 1e-6 }
    let (octave, step) = (bucket - 64).quotientAndRemainder(dividingBy: 32)
    return Double((32 + step + 1) << (octave + 1)) * 1e-6
  }
}
