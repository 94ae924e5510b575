// SPDX-License-Identifier: MIT

import JSON
import SystemPackage

/// Messages for people, on the standard error.
enum Log {
  /// Control characters, which could command a terminal, are escaped, wherever they come from.
  static func write(_ line: String) {
    // Nobody is left to be told where this fails.
    _ = try? FileDescriptor.standardError.writeAll(("roundel-mqtt: " + line.printable + "\n").utf8)
  }
}
