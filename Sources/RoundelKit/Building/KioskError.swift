// SPDX-License-Identifier: MIT

internal import LinuxIO
internal import RoundelDeclarations

/// An error in creating, showing or controlling a kiosk.
public struct KioskError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An error in a kiosk, with its location in a file or in the program's source.
  public struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
    /// The path of a kiosk file, or a Swift file as `Module/File.swift`.
    public var file: String
    /// The line, counted from 1.
    public var line: Int
    /// The column, counted from 1.
    public var column: Int
    /// The error and its correction.
    public var message: String

    /// The error as a line of a compiler.
    public var description: String { "\(file):\(line):\(column): error: \(message)" }
  }

  /// The errors in order, or an empty array for another reason.
  public var diagnostics: [Diagnostic]
  /// The reason, one line for each error.
  public var description: String

  init(_ diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics
    description = diagnostics.map(\.description).joined(separator: "\n")
  }

  init(_ description: String) {
    diagnostics = []
    self.description = description
  }

  init(_ failure: Failure, _ found: [RoundelDeclarations.Diagnostic] = []) {
    self.init(
      found.filter { $0.severity == .error }
        .map {
          Diagnostic(file: $0.file, line: $0.line, column: $0.column, message: $0.message)
        })
    if diagnostics.isEmpty { description = failure.message }
  }
}
