// SPDX-License-Identifier: MIT

import RoundelJSON
import SystemPackage

enum Log {
  /// Escapes characters that could control a terminal.
  static func write(_ line: String) {
    _ = try? FileDescriptor.standardError.writeAll(("roundel-mqtt: " + line.printable + "\n").utf8)
  }
}
