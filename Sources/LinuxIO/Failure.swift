// SPDX-License-Identifier: MIT

internal import SystemPackage

/// The reason why a program did not do what it was asked for, and the status to exit with.
package struct Failure: Error, Hashable, CustomStringConvertible {
  /// Exit statuses; those above 1 are sysexits.h's.
  package enum Code: Int32, Sendable {
    case didNotHold = 1
    /// C: EX_USAGE.
    case usage = 64
    /// C: EX_DATAERR.
    case badFile = 65
    /// C: EX_UNAVAILABLE.
    case unavailable = 69
    /// C: EX_NOPERM.
    case permission = 77
  }

  package var code: Code
  /// The problem, its place and its remedy; empty where they have been reported already.
  package var message: String

  package init(_ code: Code, _ message: String = "") {
    self.code = code
    self.message = message
  }

  /// A failure for an error: `what` says what could not be done.
  package init(_ error: any Error, _ what: String) {
    let isDenied = (error as? Errno) == .permissionDenied
    self.init(isDenied ? .permission : .didNotHold, "\(what): \(error)")
  }

  package var description: String { message }
}
