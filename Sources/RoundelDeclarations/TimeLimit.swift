// SPDX-License-Identifier: MIT

/// A time limit for reading a file, by the caller's clock, in addition to limits by counts.
package final class TimeLimit {
  private let seconds: Double
  private let elapsed: () -> Double
  private var questions = 0
  private var wasExceeded = false

  package init(seconds: Double, elapsed: @escaping () -> Double) {
    self.seconds = seconds
    self.elapsed = elapsed
  }

  package static var none: TimeLimit { TimeLimit(seconds: .infinity) { 0 } }

  /// Whether the time is up. Once true, it stays true. Reads the clock on every 64th call.
  package var isExceeded: Bool {
    questions &+= 1
    if !wasExceeded, questions & 0x3f == 1 { wasExceeded = elapsed() > seconds }
    return wasExceeded
  }

  package var message: String {
    "reading the file takes longer than \(seconds.brief) s (expected a simpler file)"
  }
}
