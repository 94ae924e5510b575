// SPDX-License-Identifier: MIT

import LinuxIO

enum BootedSlot {
  /// The name that RAUC's boot loader passes to the kernel, or nil.
  static var name: String? {
    let kind = Files.Kind("the kernel's command line", maximumBytes: 1 << 16)
    let line = (try? Files.read("/proc/cmdline", kind)) ?? []
    return String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\n" }
      .first { $0.hasPrefix("rauc.slot=") }
      .map { String($0.dropFirst("rauc.slot=".count)) }
  }
}
