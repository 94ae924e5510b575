// SPDX-License-Identifier: MIT

package import KioskProtocol
package import LinuxIO

package struct Fault {
  private let problem: String
  /// The problems, one per line.
  package let reasons: [String]
  /// The error page, or nil if the panel shows the copy.
  package internal(set) var page: FaultPage?

  init(_ problem: String) {
    self.problem = problem
    reasons = [problem]
  }

  package init(of path: String, _ failure: Failure, _ reasons: [String]) {
    problem = failure.message.isEmpty ? "cannot show \(path): it has errors" : failure.message
    self.reasons = reasons.isEmpty ? [problem] : reasons
  }

  package var fallbackKind: FallbackKind { page == nil ? .copy : .page }

  package var message: String {
    "\(problem); the panel shows \(fallbackKind == .copy ? "the last working copy" : "the error")"
  }
}
