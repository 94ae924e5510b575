// SPDX-License-Identifier: MIT

/// What came of one test.
public struct TestResult: Sendable {
  public enum Outcome: Hashable, Sendable {
    case passed
    case failed(TestFailure)
    /// Why it was not done.
    case skipped(String)
  }

  public var suite: String
  public var test: TestCase
  public var outcome: Outcome
  /// Seconds by the clock on the wall.
  public var seconds: Double
  /// What people should know although it is no failure.
  public var notes: [String]
  public var artifacts: [Artifact]

  public init(
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

  public var failure: TestFailure? {
    if case .failed(let failure) = outcome { failure } else { nil }
  }
}

/// Why a test failed, and where in its file.
public struct TestFailure: Error, Hashable, Sendable {
  /// The suite's file.
  public var file: String
  /// Both from 1.
  public var line: Int
  public var column: Int
  /// What was expected, and what there is instead.
  public var message: String

  public init(file: String, line: Int, column: Int, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }

  /// `FILE:LINE:COLUMN`.
  public var place: String { "\(file):\(line):\(column)" }
}

/// A file that tells more of a test, such as the picture that was seen.
public struct Artifact: Hashable, Sendable {
  /// Without a folder.
  public var name: String
  public var bytes: [UInt8]

  public init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// Where expected pictures are kept.
public protocol GoldenStore {
  /// The bytes of a file; nil where there is none.
  func read(_ path: String) throws -> [UInt8]?
  /// The names of the files in a folder.
  func names(in folder: String) -> [String]
  func write(_ bytes: [UInt8], to path: String) throws
}
