// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc

package enum DeviceAccess {
  /// Advice for a message after `permissionDenied`, which names the device's group.
  package static func advice(for path: String) -> String {
    var information = stat()
    // Writes a local.
    guard unsafe stat(path, &information) == 0 else { return "ask the administrator for access" }
    let mayGroup = information.st_mode & (S_IRGRP | S_IWGRP) == S_IRGRP | S_IWGRP
    guard mayGroup, let group = UserGroups.name(of: information.st_gid) else {
      return "only its owner may use it; run as that user, or change the udev rule"
    }
    return "it belongs to the group \(group); add the user to the group (usermod -aG \(group) USER)"
      + " or set SupplementaryGroups=\(group) in the unit"
  }
}
