// SPDX-License-Identifier: MIT

internal import RoundelJSON
internal import JSONRPC

// Messages about suites and recorded tests.

struct SuitesNotice: PageNotice {
  static let name = "suites"
  var suites: [String] = []
  /// The suites that tests can be added to.
  var own: [String] = []
  /// Whether this program removes the suites when it exits.
  var areCopies = false

  static let members: [Member<Self>] = [
    .required("suites", \.suites, .list(of: .text)), .required("own", \.own, .list(of: .text)),
    .required("areCopies", \.areCopies, .flag),
  ]
}

struct RunParameters: JSONRecord {
  var path = ""
  /// The test whose pictures become the expected ones.
  var accepted: String?

  static let members: [Member<Self>] = [
    .required("path", \.path, .text), .optional("accepted", \.accepted, .text),
  ]
}

struct ResultsAnswer: JSONRecord {
  var results: [Outcome] = []
  var diagnostics: [String] = []
  var mayAccept = false

  static let members: [Member<Self>] = [
    .required("results", \.results, .list(of: .nested)),
    .required("diagnostics", \.diagnostics, .list(of: .text)),
    .required("mayAccept", \.mayAccept, .flag),
  ]

  struct Outcome: JSONRecord {
    var name = ""
    var hasPassed = false
    var text: String?
    var pictures: [Picture] = []

    static let members: [Member<Self>] = [
      .required("name", \.name, .text), .required("passed", \.hasPassed, .flag),
      .nullable("text", \.text, .text), .required("pictures", \.pictures, .list(of: .nested)),
    ]
  }

  /// An unexpected picture, as data URLs.
  struct Picture: JSONRecord {
    var name = ""
    var shot: String?
    var golden: String?
    var difference: String?

    static let members: [Member<Self>] = [
      .required("name", \.name, .text), .optional("shot", \.shot, .text),
      .optional("golden", \.golden, .text), .optional("difference", \.difference, .text),
    ]
  }
}

struct RecordingNotice: PageNotice {
  static let name = "recording"
  /// The steps, or nil if no test is being recorded.
  var steps: String?
  static let members: [Member<Self>] = [.nullable("steps", \.steps, .text)]
}

struct StepsNotice: PageNotice {
  static let name = "steps"
  var text = ""
  static let members: [Member<Self>] = [.required("text", \.text, .text)]
}

struct SeenAnswer: JSONRecord {
  var all: [String] = []
  static let members: [Member<Self>] = [.required("all", \.all, .list(of: .text))]
}

struct KeepParameters: JSONRecord {
  var name = ""
  var steps = ""
  /// The suite's path, or nil for a new suite.
  var path: String?

  static let members: [Member<Self>] = [
    .required("name", \.name, .text), .required("steps", \.steps, .text),
    .optional("path", \.path, .text),
  ]
}

struct KeptAnswer: JSONRecord {
  var path = ""
  /// The content of a suite that this program removes when it exits.
  var text: String?

  static let members: [Member<Self>] = [
    .required("path", \.path, .text), .nullable("text", \.text, .text),
  ]
}
