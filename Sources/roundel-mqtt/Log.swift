// SPDX-License-Identifier: MIT

import JSON
import SystemPackage

/// Human-readable messages on the standard error.
enum Log {
  /// Writes a line. Escapes control characters, which could control a terminal.
  static func write(_ line: String) {
    // A failure can't be reported anywhere.
    _ = try? FileDescriptor.standardError.writeAll(("roundel-mqtt: " + line.printable + "\n").utf8)
  }
}
