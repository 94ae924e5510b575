// SPDX-License-Identifier: MIT

package struct TestResult: Sendable {
  package enum Outcome: Hashable, Sendable {
    case passed
    case failed(TestFailure)
    case skipped(String)
  }

  package var suite: String
  package var test: TestCase
  package var outcome: Outcome
  /// The wall-clock time in seconds.
  package var seconds: Double
  /// Remarks that are not failures.
  package var notes: [String]
  package var artifacts: [Artifact]

  package init(
    suite: String, test: TestCase, outcome: Outcome, seconds: Double = 0, notes: [String] = [],
    artifacts: [Artifact] = []
  ) {
    self.suite = suite
    self.test = test
    self.outcome = outcome
    self.seconds = seconds
    self.notes = notes
    self.artifacts = artifacts
  }

  package var failure: TestFailure? {
    if case .failed(let failure) = outcome { failure } else { nil }
  }
}

package struct TestFailure: Error, Hashable, Sendable {
  package var file: String
  /// The line and column, counted from 1.
  package var line: Int
  package var column: Int
  package var message: String

  package init(file: String, line: Int, column: Int, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }

  /// `FILE:LINE:COLUMN`.
  package var place: String { "\(file):\(line):\(column)" }
}

/// A file about a test, such as a picture.
package struct Artifact: Hashable, Sendable {
  /// The name without a folder.
  package var name: String
  package var bytes: [UInt8]

  package init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

package protocol GoldenStore {
  /// Returns nil if the file doesn't exist.
  func read(_ path: String) throws -> [UInt8]?
  func names(in folder: String) -> [String]
  func write(_ bytes: [UInt8], to path: String) throws
}
