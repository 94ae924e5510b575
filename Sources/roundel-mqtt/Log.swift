// SPDX-License-Identifier: MIT

import JSON
import SystemPackage

/// Lines for people, on the standard error.
enum Log {
  /// What would command their terminal is escaped, wherever it comes from.
  static func write(_ line: String) {
    // Nobody is left to be told where this fails.
    _ = try? FileDescriptor.standardError.writeAll(("roundel-mqtt: " + line.printable + "\n").utf8)
  }
}
