// SPDX-License-Identifier: MIT

import LinuxIO

/// The A/B slot that the system was booted from, if the disk has two.
enum BootedSlot {
  /// The name that RAUC's boot loader passes to the kernel, or nil if there is only one system or no such name.
  static var name: String? {
    let kind = Files.Kind("the kernel's command line", maximumBytes: 1 << 16)
    let line = (try? Files.read("/proc/cmdline", kind)) ?? []
    return String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\n" }
      .first { $0.hasPrefix("rauc.slot=") }
      .map { String($0.dropFirst("rauc.slot=".count)) }
  }
}
