// SPDX-License-Identifier: MIT

/// The result of one test.
package struct TestResult: Sendable {
  package enum Outcome: Hashable, Sendable {
    case passed
    case failed(TestFailure)
    /// Why it was not done.
    case skipped(String)
  }

  package var suite: String
  package var test: TestCase
  package var outcome: Outcome
  /// Seconds by the clock on the wall.
  package var seconds: Double
  /// Remarks for people that are not failures.
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

/// Why a test failed, and where in its file.
package struct TestFailure: Error, Hashable, Sendable {
  /// The suite's file.
  package var file: String
  /// Both from 1.
  package var line: Int
  package var column: Int
  /// The expectation, and the state that was found instead.
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

/// A file that tells more of a test, such as the picture that was seen.
package struct Artifact: Hashable, Sendable {
  /// Without a folder.
  package var name: String
  package var bytes: [UInt8]

  package init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// Where expected pictures are kept.
package protocol GoldenStore {
  /// The bytes of a file; nil where there is none.
  func read(_ path: String) throws -> [UInt8]?
  /// The names of the files in a folder.
  func names(in folder: String) -> [String]
  func write(_ bytes: [UInt8], to path: String) throws
}
