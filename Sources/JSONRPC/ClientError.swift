// SPDX-License-Identifier: MIT

package import SystemPackage

package enum ClientError: Error, Hashable, Sendable, CustomStringConvertible {
  case absent(path: String)
  case denied(path: String)
  case busy(path: String)
  case unreachable(path: String, reason: String)
  /// The kiosk has closed the connection.
  case wentAway
  case silent(seconds: Double)
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
      "no kiosk is running at \(path), or it is starting just now; see \"roundel run\" and --socket"
    case .denied(let path):
      "\(path) may be used by the kiosk's user, root and the group roundel only"
        + " (usermod -aG roundel USER, then log in again)"
    case .busy(let path): "the kiosk at \(path) is too busy to take another connection"
    case .unreachable(let path, let reason): "the kiosk at \(path) cannot be reached: \(reason)"
    case .wentAway: "the kiosk went away before it answered; it may be restarting"
    case .silent(let seconds):
      "the kiosk has not answered for \(Int(seconds.rounded())) seconds; it is busy or hangs"
    case .garbled(let text): "the other side is not a kiosk; it says \"\(text)\""
    case .misread(let method):
      "the kiosk's answer to \"\(method)\" is not one that this roundel knows; compare roundel "
        + "--version with roundel call version"
    case .refused(let error): error.description
    }
  }
}
