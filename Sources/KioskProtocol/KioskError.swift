// SPDX-License-Identifier: MIT

package import JSONRPC

/// An error that prevented a running kiosk from handling a request.
package struct KioskError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The kiosk can't handle the request now.
    case failed
    case invalid
    /// There is no kiosk, or it doesn't answer.
    case unavailable
    case denied
  }

  package var kind: Kind
  /// The problem, its location and its remedy, or an empty string if they have been reported.
  package var description: String

  package init(_ kind: Kind, _ description: String = "") {
    self.kind = kind
    self.description = description
  }

  package init(_ error: ClientError) {
    self.init(Kind(error), "\(error)")
  }
}

extension KioskError.Kind {
  init(_ error: ClientError) {
    self =
      switch error {
      case .denied: .denied
      case .absent, .busy, .unreachable, .disconnected, .timedOut, .garbled, .misread: .unavailable
      case .refused(let error):
        switch error.code {
        case .denied: .denied
        case .busy, .internalError: .unavailable
        case .failed: .failed
        default: .invalid
        }
      }
  }

  /// Returns nil if the exit code of a `roundel` process isn't specific.
  package init?(exitCode: Int) {
    switch exitCode {
    case 64: self = .invalid
    case 69: self = .unavailable
    case 77: self = .denied
    default: return nil
    }
  }
}
