// SPDX-License-Identifier: MIT

import LinuxIO

/// The half of the disk that the system was started from, where it has two.
enum Slot {
  /// As RAUC's boot loader tells the kernel; nil where there is one system only, or nothing tells.
  static let current: String? = {
    let kind = Files.Kind("the kernel's command line", maximumBytes: 1 << 16)
    let line = (try? Files.read("/proc/cmdline", kind)) ?? []
    return String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\n" }
      .first { $0.hasPrefix("rauc.slot=") }
      .map { String($0.dropFirst("rauc.slot=".count)) }
  }()
}
