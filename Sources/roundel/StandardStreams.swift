// SPDX-License-Identifier: MIT

import Glibc
import RoundelJSON
import LinuxIO
import SystemPackage

/// The standard error, unbuffered.
enum StandardError {
  /// Escapes characters that could control the terminal.
  static func write(_ text: String) {
    let prefix = JournalStream.isReached(by: 2) ? JournalStream.Priority.error.prefix : ""
    let lines = text.printableLines.split(separator: "\n").map { prefix + $0 + "\n" }
    _ = try? FileDescriptor.standardError.writeAll(lines.joined().utf8)
  }

  /// An empty line clears the progress.
  static func writeProgress(_ line: String) {
    _ = try? FileDescriptor.standardError.writeAll("\r\(line.printable)\u{1b}[K".utf8)
  }

  static var isTerminal: Bool { isatty(2) == 1 }
}

/// The standard output. Without a reader, the program exits silently, as usual in a pipe.
enum StandardOutput {
  static var isTerminal: Bool { isatty(1) == 1 }

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
