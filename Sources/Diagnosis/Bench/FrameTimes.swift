// SPDX-License-Identifier: MIT

internal import Glibc

/// Times of many frames, in microseconds.
struct FrameTimes {
  /// The time that is measured.
  enum Clock {
    /// The processor time of this process, which other processes hardly affect.
    case processor
    /// The elapsed time, which is shorter when several threads work at the same time.
    case wall

    fileprivate var number: clockid_t {
      switch self {
      case .processor: CLOCK_PROCESS_CPUTIME_ID
      case .wall: CLOCK_MONOTONIC
      }
    }
  }

  private var sorted: [Double]
  /// Bytes of pixels that a panel is sent for a frame, on the mean; nil where that was not counted.
  var bytes: Int?

  /// Nil where there is no frame.
  init?(_ times: [Double]) {
    guard !times.isEmpty else { return nil }
    sorted = times.sorted()
  }

  var median: Double { sorted[sorted.count / 2] }
  /// One of twenty took less.
  var low: Double { sorted[sorted.count / 20] }
  /// One of twenty took more.
  var high: Double { sorted[sorted.count - 1 - sorted.count / 20] }

  /// The time that `body` takes.
  static func of(by clock: Clock, _ body: () -> Void) -> Double {
    func now() -> Double {
      var time = timespec()
      // Cannot fail: the clocks exist everywhere and the pointer is to a local.
      unsafe clock_gettime(clock.number, &time)
      return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
    let start = now()
    body()
    return now() - start
  }

  /// `count` times of `body`, after a few that warm the caches up.
  static func repeating(_ count: Int, by clock: Clock, _ body: () -> Void) -> FrameTimes {
    for _ in 0..<min(count, 10) { body() }
    return FrameTimes(sorted: (0..<count).map { _ in of(by: clock, body) }.sorted())
  }

  private init(sorted: [Double]) { self.sorted = sorted }
}
