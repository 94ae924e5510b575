// SPDX-License-Identifier: MIT

internal import SystemPackage

/// An error that ends a program, with its exit status.
package struct Failure: Error, Hashable, CustomStringConvertible {
  /// Exit statuses. Values above 1 are from sysexits.h.
  package enum Code: Int32, Sendable {
    case didNotHold = 1
    case usage = 64
    /// C: EX_DATAERR.
    case badFile = 65
    /// C: EX_UNAVAILABLE.
    case unavailable = 69
    /// C: EX_NOPERM.
    case permission = 77
  }

  package var code: Code
  /// An empty string if it was already reported.
  package var message: String

  package init(_ code: Code, _ message: String = "") {
    self.code = code
    self.message = message
  }

  /// A failure for an error. `what` states what could not be done.
  package init(_ error: any Error, _ what: String) {
    let isDenied = (error as? Errno) == .permissionDenied
    self.init(isDenied ? .permission : .didNotHold, "\(what): \(error)")
  }

  package var description: String { message }
}
