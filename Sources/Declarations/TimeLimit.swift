// SPDX-License-Identifier: MIT

/// A limit for the time of reading a file, by the caller's clock. Work is also bounded by counts, so that no
/// file of this project reaches this limit; it is a second line of defence.
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

  /// No limit: time is not measured.
  package static var none: TimeLimit { TimeLimit(seconds: .infinity) { 0 } }

  /// Whether the time is over; once true, it stays so. The clock is not read at every call.
  package var isExceeded: Bool {
    questions &+= 1
    if !wasExceeded, questions & 0x3f == 1 { wasExceeded = elapsed() > seconds }
    return wasExceeded
  }

  package var mistake: String {
    "reading the file takes longer than \(seconds.brief) s (expected a simpler file)"
  }
}
