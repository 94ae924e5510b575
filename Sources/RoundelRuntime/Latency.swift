// SPDX-License-Identifier: MIT

/// The latency of touches, from the kernel's timestamp to the flip that showed their effect.
///
///     kernel ──► reader ──► paint begins ──► commit ──► flip
///
/// Copying by the display counts towards `commitToFlip`. A client's touch is measured from its due
/// time or, if later, its arrival.
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

/// A histogram of durations. Its memory use is bounded, and each duration is accurate to 3 percent.
package struct Histogram: Hashable, Sendable {
  /// One bucket per microsecond up to 64, then 32 buckets per doubling.
  private var counts: [Int] = []
  package private(set) var count = 0
  /// The longest duration, in seconds, or 0 if the histogram is empty.
  package private(set) var worst = 0.0
  /// In seconds.
  package private(set) var sum = 0.0

  package init() {}

  /// Adds a duration in seconds. Negative values and NaN count as 0.
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

  /// Returns the quantile `share` (0 … 1) in seconds, or nil if the histogram is empty.
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

  package func count(upTo seconds: Double) -> Int {
    let microseconds = UInt32(min(max(seconds, 0), 4000) * 1e6)
    return counts.prefix(Self.bucket(microseconds) + 1).reduce(0, +)
  }

  private static func bucket(_ microseconds: UInt32) -> Int {
    guard microseconds >= 64 else { return Int(microseconds) }
    let octave = 31 - microseconds.leadingZeroBitCount
    return 64 + (octave - 6) * 32 + Int(microseconds >> (octave - 5)) - 32
  }

  /// Returns the longest duration of a bucket, in seconds.
  private static func end(of bucket: Int) -> Double {
    guard bucket >= 64 else { return Double(bucket + 1) * 1e-6 }
    let (octave, step) = (bucket - 64).quotientAndRemainder(dividingBy: 32)
    return Double((32 + step + 1) << (octave + 1)) * 1e-6
  }
}
