// SPDX-License-Identifier: MIT

package import LinuxIO
package import JSONRPC

extension Failure {
  package init(_ error: KioskError) {
    self.init(Code(error.kind), error.description)
  }

  package init(_ error: ClientError) { self.init(KioskError(error)) }
}

extension Failure.Code {
  fileprivate init(_ kind: KioskError.Kind) {
    self =
      switch kind {
      case .failed: .didNotHold
      case .invalid: .usage
      case .unavailable: .unavailable
      case .denied: .permission
      }
  }
}
