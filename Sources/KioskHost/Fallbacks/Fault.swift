// SPDX-License-Identifier: MIT

package import KioskProtocol
package import LinuxIO

/// A failure to show a kiosk file.
package struct Fault {
  private let problem: String
  /// The problems in detail, one per line.
  package let reasons: [String]
  /// The page that reports them on the panel, or nil if the panel shows the copy.
  package internal(set) var page: FaultPage?

  init(_ problem: String) {
    self.problem = problem
    reasons = [problem]
  }

  /// Creates a fault from the errors in a kiosk file.
  package init(of path: String, _ failure: Failure, _ reasons: [String]) {
    problem = failure.message.isEmpty ? "\(path) is not shown: it has mistakes" : failure.message
    self.reasons = reasons.isEmpty ? [problem] : reasons
  }

  /// The fallback on the panel.
  package var fallbackKind: FallbackKind { page == nil ? .copy : .page }

  /// The problem and the fallback, in one line.
  package var message: String {
    "\(problem); \(fallbackKind == .copy ? "the last copy that worked is shown" : "a page on the panel says so")"
  }
}
