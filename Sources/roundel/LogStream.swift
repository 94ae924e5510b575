// SPDX-License-Identifier: MIT

import JSON
import LinuxIO

/// Where a kiosk's log goes: lines that never wait for whoever reads them.
struct LogStream: TextOutputStream, Sendable {
  /// A kiosk logs from the thread of its loop alone; the logger wants all that it holds to be
  /// sendable.
  nonisolated(unsafe) private let lines: LineWriter

  init(_ lines: LineWriter) {
    unsafe self.lines = lines
  }

  /// Takes a message with the end of its line, as the logger gives it.
  func write(_ message: String) {
    let line = message.last == "\n" ? message.dropLast() : message[...]
    unsafe lines.write(String(line).printableLines)
  }
}
