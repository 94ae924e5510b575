// SPDX-License-Identifier: MIT

internal import Glibc

/// Times in microseconds.
struct FrameTimes {
  enum Clock {
    /// The process's processor time, which other processes hardly affect.
    case processor
    /// The elapsed time, shorter with parallel threads.
    case wall

    fileprivate var number: clockid_t {
      switch self {
      case .processor: CLOCK_PROCESS_CPUTIME_ID
      case .wall: CLOCK_MONOTONIC
      }
    }
  }

  private var sorted: [Double]
  /// Mean bytes per frame, or nil if not counted.
  var bytes: Int?

  /// Returns nil for an empty array.
  init?(_ times: [Double]) {
    guard !times.isEmpty else { return nil }
    sorted = times.sorted()
  }

  var median: Double { sorted[sorted.count / 2] }
  /// The 5th percentile.
  var low: Double { sorted[sorted.count / 20] }
  /// The 95th percentile.
  var high: Double { sorted[sorted.count - 1 - sorted.count / 20] }

  static func of(by clock: Clock, _ body: () -> Void) -> Double {
    func now() -> Double {
      var time = timespec()
      // Cannot fail, and the pointer is to a local.
      unsafe clock_gettime(clock.number, &time)
      return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
    let start = now()
    body()
    return now() - start
  }

  /// Measures after a few runs that warm up the caches.
  static func repeating(_ count: Int, by clock: Clock, _ body: () -> Void) -> FrameTimes {
    for _ in 0..<min(count, 10) { body() }
    return FrameTimes(sorted: (0..<count).map { _ in of(by: clock, body) }.sorted())
  }

  private init(sorted: [Double]) { self.sorted = sorted }
}
