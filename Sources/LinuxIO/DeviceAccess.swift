// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc

/// Who may use a device.
package enum DeviceAccess {
  /// Advice on how this process gets the right to open `path`, for a message after `permissionDenied`:
  /// names the group that the device belongs to.
  package static func advice(for path: String) -> String {
    var information = stat()
    // Both calls fill what they are given, which lives here; the name is copied at once.
    guard unsafe stat(path, &information) == 0 else { return "ask the administrator for access" }
    let mayGroup = information.st_mode & (S_IRGRP | S_IWGRP) == S_IRGRP | S_IWGRP
    guard mayGroup, let group = groupName(information.st_gid) else {
      return "only its owner may use it; run as that user or change the rule of udev"
    }
    return "it belongs to the group \(group): add the user to it (usermod -aG \(group) USER)"
      + " or give the unit SupplementaryGroups=\(group)"
  }

  private static func groupName(_ id: gid_t) -> String? {
    // As getgrgid_r wants its memory; the name points into `buffer` and is copied before it ends.
    var entry = unsafe group()
    var found: UnsafeMutablePointer<group>?
    var buffer = [CChar](repeating: 0, count: 4096)
    guard unsafe getgrgid_r(id, &entry, &buffer, buffer.count, &found) == 0,
      unsafe found != nil, let name = unsafe entry.gr_name
    else { return nil }
    return unsafe String(cString: name)
  }
}
