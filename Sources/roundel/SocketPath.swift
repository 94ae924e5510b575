// SPDX-License-Identifier: MIT

import Glibc

/// Where kiosks listen for clients.
enum SocketPath {
  /// Of a kiosk that runs as a unit.
  private static let ofUnit = "/run/roundel/control.sock"

  private static var ofUser: String? {
    guard let folder = unsafe getenv("XDG_RUNTIME_DIR").map({ unsafe String(cString: $0) }),
      !folder.isEmpty
    else { return nil }
    return folder + "/roundel.sock"
  }

  /// Where a kiosk that is started here listens; nil where there is no place for it.
  static var ofServer: String? {
    // The unit's folder is there because systemd made it for this user.
    if unsafe access("/run/roundel", W_OK) == 0, ofUser == nil || geteuid() != 0 { return ofUnit }
    return ofUser
  }

  /// Where a client looks for one: this user's own, else the unit's.
  static var ofClient: String {
    if let ofUser, unsafe access(ofUser, F_OK) == 0 { return ofUser }
    return ofUnit
  }
}
