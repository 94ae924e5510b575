// SPDX-License-Identifier: MIT

internal import RoundelAuthoring
internal import RoundelGeometry
internal import RoundelJSON
internal import JSONRPC
internal import KioskProtocol

// Messages about edits of the text, which the program computes and the page applies.

/// The parameters of all these requests. Each request uses some of them.
struct ChangeParameters: JSONRecord {
  var revision = 0
  var owner = Owner()
  var key = ""
  /// The new value, or nil to remove the key.
  var value: JSONValue?
  var isSource = false
  var inPixels = false
  var kind = ""
  var pixel: Point?
  var name = ""
  var width = 0
  var height = 0
  var isForward = true
  var command = ""
  var owners: [Owner] = []
  var changes: [Setting] = []
  var before: Owner?
  var page: String?

  static let members: [Member<Self>] = [.revision, .owner]

  /// A change of a key.
  struct Setting: JSONRecord {
    var owner = Owner()
    var key = ""
    var value: JSONValue?
    var inPixels = false

    static let members: [Member<Self>] = [
      .required("owner", \.owner, .nested), .required("key", \.key, .text),
      .nullable("value", \.value, .any), .optional("inPixels", \.inPixels, .flag),
    ]
  }

  struct Owner: JSONRecord {
    var control: String?
    var item: String?
    var page: String?
    var path: [JSONValue]?

    static let members: [Member<Self>] = [
      .optional("control", \.control, .text), .optional("item", \.item, .text),
      .optional("page", \.page, .text),
      .optional("path", \.path, .list(of: .any), "Names of keys and numbers of elements."),
    ]

    private static let maximumSteps = 16

    var keyOwner: KeyOwner {
      let owner: KeyOwner =
        control.map { id in item.map { .item($0, of: id) } ?? .control(id) }
        ?? page.map { .page($0) } ?? .kiosk
      guard let path else { return owner }
      return .part(
        of: owner,
        path: path.prefix(Self.maximumSteps).compactMap { step in
          step.string.map { .key($0) } ?? step.integer.map { .index($0) }
        })
    }
  }
}

extension Member<ChangeParameters> {
  static let revision = required("revision", \.revision, .integer)
  static let owner = required("owner", \.owner, .nested)
  static let owners = required("owners", \.owners, .list(of: .nested))
  static let command = required("command", \.command, .text)
}

/// Edits of the text at a revision.
struct ChangeAnswer: JSONRecord {
  var revision = 0
  var edits: [TextChange] = []
  /// The new selection and page after the edits.
  var chosen: Chosen?

  static let members: [Member<Self>] = [
    .required("revision", \.revision, .integer), .required("edits", \.edits, .list(of: .nested)),
    .optional("chosen", \.chosen, .nested),
  ]

  struct Chosen: JSONRecord {
    var control: String?
    var item: String?
    var page: String?
    /// All selected controls, if there are several.
    var controls: [String]?

    static let members: [Member<Self>] = [
      .optional("control", \.control, .text), .optional("item", \.item, .text),
      .optional("page", \.page, .text), .optional("controls", \.controls, .list(of: .text)),
    ]
  }
}

struct CopyAnswer: JSONRecord {
  var text = ""
  static let members: [Member<Self>] = [.required("text", \.text, .text)]
}

struct WordsAnswer: JSONRecord {
  /// The number of UTF-16 units before the end that a completion replaces.
  var typed = 0
  var items: [CompletionsAnswer.Completion] = []

  static let members: [Member<Self>] = [
    .required("typed", \.typed, .integer), .required("items", \.items, .list(of: .nested)),
  ]
}

struct LocateAnswer: JSONRecord {
  var page: String?
  var control: String?
  var item: String?

  static let members: [Member<Self>] = [
    .optional("page", \.page, .text), .optional("control", \.control, .text),
    .optional("item", \.item, .text),
  ]
}

struct OutlineAnswer: JSONRecord {
  var pages: [Page] = []
  static let members: [Member<Self>] = [.required("pages", \.pages, .list(of: .nested))]

  struct Page: JSONRecord {
    var name = ""
    var controls: [Control] = []

    static let members: [Member<Self>] = [
      .required("name", \.name, .text), .required("controls", \.controls, .list(of: .nested)),
    ]
  }

  struct Control: JSONRecord {
    var id = ""
    var kind = ""
    var items: [String] = []

    static let members: [Member<Self>] = [
      .required("id", \.id, .text), .required("kind", \.kind, .text),
      .required("items", \.items, .list(of: .text)),
    ]
  }
}

struct KeysAnswer: JSONRecord {
  var keys: [Key] = []
  var actions: [Actions] = []
  var state: [JSONValue.Member] = []
  var commands: [String] = []
  var mayReact = false
  var mayHaveItems = false
  var from: TextPosition?
  /// The reason for missing keys.
  var text: String?

  static let members: [Member<Self>] = [
    .required("keys", \.keys, .list(of: .nested)),
    .required("actions", \.actions, .list(of: .nested)), .required("state", \.state, .members),
    .required("commands", \.commands, .list(of: .text)), .required("mayReact", \.mayReact, .flag),
    .required("mayHaveItems", \.mayHaveItems, .flag), .optional("from", \.from, .nested),
    .optional("text", \.text, .text),
  ]

  struct Key: JSONRecord {
    var name = ""
    var input = ""
    var present: String?
    var written: String?
    var text: String?
    var standard: String?
    var about: String?
    var isRequired = false
    var isWhole = false
    var minimum: Double?
    var maximum: Double?
    var words: [String]?
    var likely: [String]?
    var hex: String?

    static let members: [Member<Self>] = [
      .required("name", \.name, .text), .required("input", \.input, .text),
      .nullable("present", \.present, .text), .nullable("written", \.written, .text),
      .nullable("text", \.text, .text), .nullable("default", \.standard, .text),
      .nullable("about", \.about, .text), .required("required", \.isRequired, .flag),
      .optional("isWhole", \.isWhole, .flag), .optional("minimum", \.minimum, .number),
      .optional("maximum", \.maximum, .number), .optional("words", \.words, .list(of: .text)),
      .optional("likely", \.likely, .list(of: .text)), .optional("hex", \.hex, .text),
    ]
  }

  struct Actions: JSONRecord {
    var cause = ""
    var path: [JSONValue] = []
    var condition: Key?
    var actions: [Action] = []

    static let members: [Member<Self>] = [
      .required("cause", \.cause, .text), .required("path", \.path, .list(of: .any)),
      .nullable("condition", \.condition, .nested),
      .required("actions", \.actions, .list(of: .nested)),
    ]
  }

  struct Action: JSONRecord {
    var command = ""
    var keys: [Key] = []
    var fields: [Key]?
    var more: [String] = []

    static let members: [Member<Self>] = [
      .required("command", \.command, .text), .required("keys", \.keys, .list(of: .nested)),
      .nullable("fields", \.fields, .list(of: .nested)),
      .required("more", \.more, .list(of: .text)),
    ]
  }
}
