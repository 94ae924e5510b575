// SPDX-License-Identifier: MIT

import Glibc

/// Statistics of durations over many frames, in microseconds of processor time.
struct Timing {
  var median: Double
  var least: Double
  /// The 95th percentile.
  var late: Double
  var count: Int

  /// Repeats `body` for `seconds` after a warm-up.
  init(seconds: Double, _ body: (_ frame: Int) -> Void) {
    var frame = 1
    let start = Self.now
    while frame < 6 || Self.now - start < 0.07 * seconds * 1e6 {
      body(frame)
      frame += 1
    }
    var samples: [Double] = []
    samples.reserveCapacity(20_000)
    let begin = Self.now
    while samples.count < 20_000, samples.count < 15 || Self.now - begin < seconds * 1e6 {
      let before = Self.now
      body(frame)
      samples.append(Self.now - before)
      frame += 1
    }
    samples.sort()
    median = samples[samples.count / 2]
    least = samples[0]
    late = samples[samples.count * 95 / 100]
    count = samples.count
  }

  private static var now: Double {
    var time = timespec()
    // Safe and infallible: the clock exists everywhere, and the pointer is to a local.
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
}
