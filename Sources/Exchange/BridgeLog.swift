// SPDX-License-Identifier: MIT

internal import RoundelJSON
internal import SystemPackage

/// The log of a bridge's program, on the standard error.
package struct BridgeLog: Sendable {
  private let program: String

  package init(of program: String) { self.program = program }

  /// Escapes characters that could control a terminal.
  package func write(_ line: String) {
    _ = try? FileDescriptor.standardError.writeAll("\(program): \(line.printable)\n".utf8)
  }
}
