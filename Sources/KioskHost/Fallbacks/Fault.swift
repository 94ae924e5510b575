// SPDX-License-Identifier: MIT

package import KioskProtocol
package import LinuxIO

/// The reason why a kiosk file is not shown.
package struct Fault {
  private let problem: String
  /// The problems in detail, as lines.
  package let reasons: [String]
  /// The page that reports them on the panel; nil where the copy is shown.
  package internal(set) var page: FaultPage?

  init(_ problem: String) {
    self.problem = problem
    reasons = [problem]
  }

  /// The mistakes of a kiosk file.
  package init(of path: String, _ failure: Failure, _ reasons: [String]) {
    problem = failure.message.isEmpty ? "\(path) is not shown: it has mistakes" : failure.message
    self.reasons = reasons.isEmpty ? [problem] : reasons
  }

  /// The stand-in that is shown.
  package var standIn: StandIn { page == nil ? .copy : .page }

  /// The problem and the stand-in, in a line.
  package var message: String {
    "\(problem); \(standIn == .copy ? "the last copy that worked is shown" : "a page on the panel says so")"
  }
}
