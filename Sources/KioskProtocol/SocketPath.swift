// SPDX-License-Identifier: MIT

internal import Glibc
internal import LinuxIO

/// Where kiosks listen for clients.
package enum SocketPath {
  /// The path of a kiosk that runs as a unit.
  private static let ofUnit = "/run/roundel/control.sock"

  private static var ofUser: String? {
    guard let folder = Environment.variable("XDG_RUNTIME_DIR"), !folder.isEmpty else { return nil }
    return folder + "/roundel.sock"
  }

  /// Where a kiosk that is started here listens: services have no folder of a user. Nil where there
  /// is no place for it.
  package static var ofServer: String? {
    if let ofUser { return ofUser }
    return Files.isWritable("/run/roundel") ? ofUnit : nil
  }

  /// Where a client looks for one: this user's own, else the unit's.
  package static var ofClient: String {
    if let ofUser, Folder.isAnythingAt(ofUser) { return ofUser }
    return ofUnit
  }
}
