// SPDX-License-Identifier: MIT

/// A time limit for reading a file, by the caller's clock. Counts also limit the work, so that no file of this
/// project reaches the time limit; it is a second line of defence.
package final class TimeLimit {
  private let seconds: Double
  private let elapsed: () -> Double
  private var questions = 0
  private var wasExceeded = false

  /// `elapsed` returns the seconds since reading began.
  package init(seconds: Double, elapsed: @escaping () -> Double) {
    self.seconds = seconds
    self.elapsed = elapsed
  }

  /// No limit. Time is not measured.
  package static var none: TimeLimit { TimeLimit(seconds: .infinity) { 0 } }

  /// Whether the time is up. Once true, it stays true. The clock is not read on every call.
  package var isExceeded: Bool {
    questions &+= 1
    if !wasExceeded, questions & 0x3f == 1 { wasExceeded = elapsed() > seconds }
    return wasExceeded
  }

  package var mistake: String {
    "reading the file takes longer than \(seconds.brief) s (expected a simpler file)"
  }
}
