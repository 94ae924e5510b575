// SPDX-License-Identifier: MIT

internal import Glibc
internal import LinuxIO

package enum SocketPath {
  private static let ofUnit = "/run/roundel/control.sock"

  private static var ofUser: String? {
    guard let folder = Environment.variable("XDG_RUNTIME_DIR"), !folder.isEmpty else { return nil }
    return folder + "/roundel.sock"
  }

  /// The path in the user's runtime directory, or in `/run/roundel` for a service, or nil.
  package static var ofServer: String? {
    if let ofUser { return ofUser }
    return Files.isWritable("/run/roundel") ? ofUnit : nil
  }

  /// The user's socket if it exists, otherwise the service's.
  package static var ofClient: String {
    if let ofUser, Folder.isAnythingAt(ofUser) { return ofUser }
    return ofUnit
  }
}
