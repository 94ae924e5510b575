// SPDX-License-Identifier: MIT

package import SystemPackage

package enum ClientError: Error, Hashable, Sendable, CustomStringConvertible {
  case absent(path: String)
  case denied(path: String)
  case busy(path: String)
  case unreachable(path: String, reason: String)
  /// The kiosk has closed the connection.
  case disconnected
  case timedOut(seconds: Double)
  case garbled(String)
  case misread(method: String)
  case refused(RemoteError)

  package init(connectingTo path: String, _ error: Errno) {
    self =
      switch error {
      case .noSuchFileOrDirectory, .connectionRefused: .absent(path: path)
      case .permissionDenied, .notPermitted: .denied(path: path)
      case .resourceTemporarilyUnavailable: .busy(path: path)
      default: .unreachable(path: path, reason: "\(error)")
      }
  }

  package var description: String {
    switch self {
    case .absent(let path):
      "no kiosk is running at \(path), or it is still starting; see \"roundel run\" and --socket"
    case .denied(let path):
      "only the kiosk's user, root and the group roundel may use \(path)"
        + " (usermod -aG roundel USER, then log in again)"
    case .busy(let path): "the kiosk at \(path) is too busy for another connection; try again later"
    case .unreachable(let path, let reason): "cannot connect to the kiosk at \(path): \(reason)"
    case .disconnected: "the kiosk disconnected before it answered; it may be restarting"
    case .timedOut(let seconds):
      "no answer from the kiosk for \(Int(seconds.rounded())) seconds; it is busy or hangs"
    case .garbled(let text): "the other side is not a kiosk: it sent \"\(text)\""
    case .misread(let method):
      "cannot read the kiosk's answer to \"\(method)\"; compare roundel --version with"
        + " roundel call version"
    case .refused(let error): error.description
    }
  }
}
