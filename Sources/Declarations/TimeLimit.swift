// SPDX-License-Identifier: MIT

/// How long the reading of a file may take, by a clock of the caller's. Work is bounded by counts, so
/// that it is never needed for a file that this project knows; it stands behind them.
package final class TimeLimit {
  private let seconds: Double
  private let elapsed: () -> Double
  private var questions = 0
  private var wasExceeded = false

  /// `elapsed` gives the seconds since reading began.
  package init(seconds: Double, elapsed: @escaping () -> Double) {
    self.seconds = seconds
    self.elapsed = elapsed
  }

  /// Nothing is measured.
  package static var none: TimeLimit { TimeLimit(seconds: .infinity) { 0 } }

  /// Whether the time is over, which it then stays. The clock is read for one question in many.
  package var isExceeded: Bool {
    questions &+= 1
    if !wasExceeded, questions & 0x3f == 1 { wasExceeded = elapsed() > seconds }
    return wasExceeded
  }

  package var mistake: String {
    "reading the file takes longer than \(seconds.brief) s (expected a simpler file)"
  }
}
