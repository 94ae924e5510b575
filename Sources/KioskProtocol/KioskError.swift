// SPDX-License-Identifier: MIT

package import JSONRPC

/// Why a running kiosk did not do what it was asked for.
package struct KioskError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The kiosk could not do it now.
    case failed
    /// It was asked in a wrong way.
    case invalid
    /// There is no kiosk to ask, or it does not answer.
    case unavailable
    /// This user has no permission.
    case denied
  }

  package var kind: Kind
  /// The problem, its place and its remedy; empty where they have been reported already.
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
      case .absent, .busy, .unreachable, .wentAway, .silent, .garbled, .misread: .unavailable
      case .refused(let error):
        switch error.code {
        case .denied: .denied
        case .busy, .internalError: .unavailable
        case .failed: .failed
        default: .invalid
        }
      }
  }

  /// How a roundel ended that was started for a kiosk, by its exit code; nil where that says nothing.
  package init?(exitCode: Int) {
    switch exitCode {
    case 64: self = .invalid
    case 69: self = .unavailable
    case 77: self = .denied
    default: return nil
    }
  }
}
