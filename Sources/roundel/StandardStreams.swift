// SPDX-License-Identifier: MIT

import Glibc
import JSON
import LinuxIO
import SystemPackage

/// The standard error, unbuffered.
enum StandardError {
  /// Writes lines for people. Text that would control their terminal is escaped, wherever it comes from.
  static func write(_ text: String) {
    let prefix = JournalStream.isReached(by: 2) ? JournalStream.Priority.error.prefix : ""
    let lines = text.printableLines.split(separator: "\n").map { prefix + $0 + "\n" }
    // Nobody is left to be told where this fails.
    _ = try? FileDescriptor.standardError.writeAll(lines.joined().utf8)
  }

  /// Shows a line in the place of the one before it; an empty one clears it.
  static func writeProgress(_ line: String) {
    // Back to the line's beginning, and what is left of it is cleared.
    _ = try? FileDescriptor.standardError.writeAll("\r\(line.printable)\u{1b}[K".utf8)
  }

  static var isTerminal: Bool { isatty(2) == 1 }
}

/// The standard output; a reader that has gone ends the program silently, as in any pipe.
enum StandardOutput {
  static var isTerminal: Bool { isatty(1) == 1 }

  /// Writes lines, for people or of JSON. Text that would control a terminal is escaped.
  static func write(_ text: String) {
    do {
      try FileDescriptor.standardOutput.writeAll(text.printableLines.utf8)
    } catch {
      if (error as? Errno) != .brokenPipe {
        StandardError.write("roundel: cannot write to the standard output: \(error)")
      }
      Glibc.exit(Failure.Code.didNotHold.rawValue)
    }
  }
}
