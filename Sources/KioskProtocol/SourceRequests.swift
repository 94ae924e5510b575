// SPDX-License-Identifier: MIT

package import JSONRPC

// Requests that `roundel source` answers beside a running kiosk, for a studio on another machine.

/// Asks for the kiosk's file. A notification called `changed` reports that it, or a file that it is made of,
/// has changed since.
package struct SourceRequest: MethodRequest {
  package init() {}

  package static let method = Method<SourceRequest, SourceAnswer>(
    "source", "Gives the kiosk's file, and those that it is made of.",
    result: "{path, files: [{path, bytes}]}")
  package static let members: [Member<SourceRequest>] = []

  /// The method of the notification.
  package static let change = Request("changed")
}

package struct SourceAnswer: JSONRecord {
  /// The kiosk file's, from the root.
  package var path = ""
  /// The first one is the kiosk file.
  package var files: [File] = []
  package init() {}

  package static let members: [Member<SourceAnswer>] = [
    .required("path", \.path, .text), .required("files", \.files, .list(of: .nested)),
  ]

  package struct File: JSONRecord {
    package var path = ""
    package var bytes: [UInt8] = []
    package init() {}

    package static let members: [Member<File>] = [
      .required("path", \.path, .text), .required("bytes", \.bytes, .base64),
    ]
  }
}

package struct SaveRequest: MethodRequest {
  package var bytes: [UInt8] = []
  /// Nil for whatever is there.
  package var old: String?
  package var files: [File] = []
  package init() {}

  package static let method = Method<SaveRequest, SaveAnswer>(
    "save", "Checks the kiosk's file with another content, and writes it where it has no mistakes.",
    result: "{saved}")
  package static let members: [Member<SaveRequest>] = [
    .required("bytes", \.bytes, .base64, "The content."),
    .optional(
      "old", \.old, .text, "The SHA-256 of the content before; with another, nothing is written."),
    .optional("files", \.files, .list(of: .nested), "Files that it names, written with it."),
  ]

  /// A file in the kiosk's folder, which the kiosk names.
  package struct File: JSONRecord {
    /// From that folder on, as the kiosk names it.
    package var name = ""
    package var bytes: [UInt8] = []
    /// The SHA-256 of the content before; empty where there is no such file, nil for whatever is there.
    package var old: String?
    package init() {}

    package static let members: [Member<File>] = [
      .required("name", \.name, .text), .required("bytes", \.bytes, .base64),
      .optional("old", \.old, .text),
    ]
  }
}

package struct SaveAnswer: JSONRecord {
  /// False where somebody else has changed the file.
  package var isSaved = false
  package init() {}
  package static let members: [Member<SaveAnswer>] = [.required("saved", \.isSaved, .flag)]
}
