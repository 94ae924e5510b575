// SPDX-License-Identifier: MIT

internal import RoundelGeometry
internal import RoundelJSON
internal import JSONRPC
internal import KioskProtocol

// Messages about the current kiosk.

/// Positions are in pixels of the picture.
struct KioskState: PageNotice {
  static let name = "kiosk"
  var kiosk = ""
  var page = ""
  var pages: [String] = []
  var languages: [String] = []
  var language = ""
  var themes: [String] = []
  var theme: String?
  var isRecording = false
  var panel = Panel()
  var speed = 1.0
  var clock = ""
  var scale = 1.0
  var controls: [Control] = []
  var origin: Point?
  var screen: Rect?
  var values: [JSONValue.Member] = []

  static let members: [Member<Self>] = [
    .required("name", \.kiosk, .text), .required("page", \.page, .text),
    .required("pages", \.pages, .list(of: .text)),
    .required("languages", \.languages, .list(of: .text)),
    .required("language", \.language, .text), .required("themes", \.themes, .list(of: .text)),
    .nullable("theme", \.theme, .text), .required("records", \.isRecording, .flag),
    .required("panel", \.panel, .nested), .required("speed", \.speed, .number),
    .required("clock", \.clock, .text), .required("scale", \.scale, .number),
    .required("controls", \.controls, .list(of: .nested)), .optional("origin", \.origin, .pixel),
    .optional("screen", \.screen, .corners), .required("values", \.values, .members),
  ]

  struct Panel: JSONRecord {
    var size = "design"
    var rotation = 0
    var depth: Int?
    var shape = ""

    static let members: [Member<Self>] = [
      .required("size", \.size, .text), .required("rotation", \.rotation, .integer),
      .nullable("depth", \.depth, .integer), .required("shape", \.shape, .text),
    ]
  }

  struct Control: JSONRecord {
    var id = ""
    var kind = ""
    var items: [Item] = []
    var rect: Rect?
    var place: Point?

    static let members: [Member<Self>] = [
      .required("id", \.id, .text), .required("kind", \.kind, .text),
      .required("items", \.items, .list(of: .nested)), .optional("rect", \.rect, .corners),
      .optional("at", \.place, .pixel),
    ]
  }

  struct Item: JSONRecord {
    var id = ""
    var place: Point?

    static let members: [Member<Self>] = [
      .required("id", \.id, .text), .optional("place", \.place, .pixel),
    ]
  }
}

struct KioskAnswer: JSONRecord {
  var state: KioskState?
  static let members: [Member<Self>] = [.optional("state", \.state, .nested)]
}

/// The other machine that runs the kiosk, if any.
struct HostNotice: PageNotice {
  static let name = "host"
  var host: String?
  var isShown = false
  var problem: String?

  static let members: [Member<Self>] = [
    .nullable("name", \.host, .text), .required("shown", \.isShown, .flag),
    .nullable("problem", \.problem, .text),
  ]
}

struct EventNotice: PageNotice {
  static let name = "event"
  var event: [JSONValue.Member] = []
  static let members: [Member<Self>] = [.required("event", \.event, .members)]
}

/// Sent after all parts of a frame.
struct DrawnNotice: PageNotice {
  static let name = "drawn"
  static let members: [Member<Self>] = []
}

struct PaletteAnswer: JSONRecord {
  var kinds: [Kind] = []
  static let members: [Member<Self>] = [.required("kinds", \.kinds, .list(of: .nested))]

  /// The picture is a data URL.
  struct Kind: JSONRecord {
    var name = ""
    var picture = ""
    var about: String?
    var size: Size?

    static let members: [Member<Self>] = [
      .required("name", \.name, .text), .required("picture", \.picture, .text),
      .nullable("about", \.about, .text), .optional("size", \.size, .size),
    ]
  }
}

struct PagesAnswer: JSONRecord {
  var pages: [Page] = []
  var links: [PageLink] = []
  var width = 0
  var height = 0

  static let members: [Member<Self>] = [
    .required("pages", \.pages, .list(of: .nested)),
    .required("links", \.links, .list(of: .nested)), .required("width", \.width, .integer),
    .required("height", \.height, .integer),
  ]

  struct Page: JSONRecord {
    var name = ""
    var picture: String?

    static let members: [Member<Self>] = [
      .required("name", \.name, .text), .optional("picture", \.picture, .text),
    ]
  }
}

struct ShowParameters: JSONRecord {
  var isRemote = false
  static let members: [Member<Self>] = [.required("remote", \.isRemote, .flag)]
}

struct ValueParameters: JSONRecord {
  var name = ""
  var text = ""

  static let members: [Member<Self>] = [
    .required("name", \.name, .text), .required("text", \.text, .text),
  ]
}

/// An invalid choice selects the default.
struct PanelParameters: JSONRecord {
  var width: Int?
  var height: Int?
  var rotation: Int?
  var depth: Int?
  var shape: String?

  static let members: [Member<Self>] = [
    .optional("width", \.width, .integer), .optional("height", \.height, .integer),
    .optional("rotation", \.rotation, .integer), .optional("depth", \.depth, .integer),
    .optional("shape", \.shape, .text),
  ]
}

struct SpeedParameters: JSONRecord {
  var speed = 1.0
  static let members: [Member<Self>] = [.required("speed", \.speed, .number)]
}

extension JSONType where Value == Point {
  static let pixel = JSONType(
    "[x, y] in pixels", point.schema, read: point.read, write: point.write)
}

extension JSONType where Value == Rect {
  /// The edges of a rectangle.
  static let corners = JSONType("[x0, y0, x1, y1] in pixels", rect.schema) { json in
    guard let numbers = JSONType<[Double]>.list(of: .number).read(json), numbers.count == 4 else {
      return nil
    }
    return Rect(x0: numbers[0], y0: numbers[1], x1: numbers[2], y1: numbers[3])
  } write: {
    .array([$0.x0, $0.y0, $0.x1, $0.y1].map { .number($0) })
  }
}
