// SPDX-License-Identifier: MIT

package import RoundelAuthoring
internal import RoundelGeometry
internal import RoundelJSON
package import JSONRPC
internal import KioskProtocol

// Messages about the text of the kiosk file.

extension TextPosition: JSONRecord {
  package init() { self.init(line: 0, column: 0) }

  package static let members: [Member<TextPosition>] = [
    .required("line", \.line, .integer), .required("ch", \.column, .integer),
  ]
}

struct TextChange: JSONRecord {
  var from = TextPosition()
  var to = TextPosition()
  var text = ""

  static let members: [Member<Self>] = [
    .required("from", \.from, .nested), .required("to", \.to, .nested),
    .required("text", \.text, .text),
  ]
}

struct EditParameters: JSONRecord {
  var revision = 0
  var changes: [TextChange] = []

  static let members: [Member<Self>] = [
    .required("revision", \.revision, .integer),
    .required("changes", \.changes, .list(of: .nested)),
  ]
}

struct EditAnswer: JSONRecord {
  /// Nil if the changes don't match the text, which the page then gets.
  var revision: Int?
  var isSaved = false

  static let members: [Member<Self>] = [
    .optional("revision", \.revision, .integer), .required("saved", \.isSaved, .flag),
  ]
}

struct SaveParameters: JSONRecord {
  var isForced = false
  static let members: [Member<Self>] = [.optional("force", \.isForced, .flag)]
}

struct SaveAnswer: JSONRecord {
  /// The reason for a question before the file is replaced, or nil.
  var conflict: ConflictNotice?
  static let members: [Member<Self>] = [.optional("conflict", \.conflict, .nested)]
}

struct CopyParameters: JSONRecord {
  var name = ""
  static let members: [Member<Self>] = [.required("name", \.name, .text)]
}

struct PutParameters: JSONRecord {
  var name = ""
  var bytes: [UInt8] = []

  static let members: [Member<Self>] = [
    .required("name", \.name, .text), .required("bytes", \.bytes, .base64),
  ]
}

struct PlaceParameters: JSONRecord {
  var place = TextPosition()
  static let members: [Member<Self>] = [.required("at", \.place, .nested)]
}

struct CompletionsAnswer: JSONRecord {
  var from = TextPosition()
  var to = TextPosition()
  var items: [Completion] = []

  static let members: [Member<Self>] = [
    .required("from", \.from, .nested), .required("to", \.to, .nested),
    .required("items", \.items, .list(of: .nested)),
  ]

  struct Completion: JSONRecord {
    var label = ""
    var text = ""
    var detail: String?
    var about: String?

    static let members: [Member<Self>] = [
      .required("label", \.label, .text), .required("text", \.text, .text),
      .nullable("detail", \.detail, .text), .nullable("about", \.about, .text),
    ]
  }
}

struct HoverAnswer: JSONRecord {
  var text: String?
  static let members: [Member<Self>] = [.nullable("text", \.text, .text)]
}

struct FileNotice: PageNotice {
  static let name = "file"
  var path = ""
  var text = ""
  var revision = 0
  var isSaved = false

  static let members: [Member<Self>] = [
    .required("path", \.path, .text), .required("text", \.text, .text),
    .required("revision", \.revision, .integer), .required("saved", \.isSaved, .flag),
  ]
}

struct SavedNotice: PageNotice {
  static let name = "saved"
  var isSaved = false
  /// Whether another program has deleted the file.
  var isDeleted = false

  static let members: [Member<Self>] = [
    .required("saved", \.isSaved, .flag), .required("deleted", \.isDeleted, .flag),
  ]
}

/// A version of the file that both the pages and another program have changed.
struct ConflictNotice: PageNotice {
  static let name = "conflict"
  /// The reason, or an empty string if a page has resolved the conflict.
  var text = ""
  /// The other version, or nil if the file was deleted.
  var theirs: String?

  static let members: [Member<Self>] = [
    .required("text", \.text, .text), .nullable("theirs", \.theirs, .text),
  ]
}

struct DiagnosticsNotice: PageNotice {
  static let name = "diagnostics"
  var diagnostics: [LocatedDiagnostic] = []
  var hasPicture = false
  /// The text's revision, which the edits of fixes apply to.
  var revision = 0

  static let members: [Member<Self>] = [
    .required("diagnostics", \.diagnostics, .list(of: .nested)),
    .required("revision", \.revision, .integer),
    .required("hasPicture", \.hasPicture, .flag),
  ]

  struct LocatedDiagnostic: JSONRecord {
    var severity = ""
    var message = ""
    /// The file's name, or nil for the open file.
    var file: String?
    var line = 0
    var from: TextPosition?
    var to: TextPosition?
    var fixes: [Fix] = []

    static let members: [Member<Self>] = [
      .required("severity", \.severity, .text), .required("message", \.message, .text),
      .nullable("file", \.file, .text), .required("line", \.line, .integer),
      .optional("from", \.from, .nested), .optional("to", \.to, .nested),
      .required("fixes", \.fixes, .list(of: .nested)),
    ]
  }

  struct Fix: JSONRecord {
    var title = ""
    var edits: [TextChange] = []

    static let members: [Member<Self>] = [
      .required("title", \.title, .text), .required("edits", \.edits, .list(of: .nested)),
    ]
  }
}
