// SPDX-License-Identifier: MIT

package import Controls
package import Geometry
package import JSON
package import JSONRPC

package struct TreeRequest: MethodRequest {
  package var properties = false
  package init() {}

  package static let method = Method<TreeRequest, TreeAnswer>(
    "tree", "Lists all controls, where they are and how they are.",
    result: "{page, language, values, size, pages: [{page, shown, controls: [{id, kind, at, "
      + "properties, …, items}]}]}")
  package static let members: [Member<TreeRequest>] = [
    .optional(
      "properties", \.properties, .flag,
      "Whether all properties are listed, what the file says of controls and items, of languages and "
        + "of what values may be and of what properties follow included.")
  ]
}

/// Everything in a kiosk that has a name.
package struct TreeAnswer: JSONRecord {
  /// The page that is shown.
  package var page = ""
  package var language: String?
  /// All languages, where there are several; the first is in use at first.
  package var languages: [String]?
  package var values: [JSONValue.Member] = []
  /// The declarations of values in the file, by name: a `ValueRange` each.
  package var ranges: [JSONValue.Member]?
  /// The computed values and the properties that follow templates, by name, each with the value that a `set`
  /// of it sets in its place; null where it cannot be set.
  package var bound: [JSONValue.Member]?
  /// The design's.
  package var size = Size(0, 0)
  package var pages: [Page] = []
  /// Whether some properties were left out, since there are more than an answer holds.
  package var isIncomplete = false
  package init() {}

  package static let members: [Member<TreeAnswer>] = [
    .required("page", \.page, .text), .optional("language", \.language, .text),
    .optional("languages", \.languages, .list(of: .text)),
    .optional("values", \.values, .members), .optional("ranges", \.ranges, .members),
    .optional("bound", \.bound, .members), .required("size", \.size, .size),
    .required("pages", \.pages, .list(of: .nested)),
    .optional("incomplete", \.isIncomplete, .flag),
  ]

  package struct Page: JSONRecord {
    package var name = ""
    package var isShown = false
    package var controls: [Control] = []
    package init() {}

    package static let members: [Member<Page>] = [
      .required("page", \.name, .text), .required("shown", \.isShown, .flag),
      .required("controls", \.controls, .list(of: .nested)),
    ]
  }

  package struct Control: JSONRecord {
    package var id = ""
    package var kind = ""
    /// Where a finger finds it; nil where none does.
    package var place: Point?
    package var isEnabled = false
    package var isVisible = false
    package var isMoving = false
    package var properties: [JSONValue.Member] = []
    package var commands: [String] = []
    package var items: [Item] = []
    /// The entity that it is in home automation, in an answer with all properties.
    package var home: HomeEntity?
    package init() {}

    package static let members: [Member<Control>] = [
      .required("id", \.id, .text), .required("kind", \.kind, .text),
      .nullable("at", \.place, .roundedPoint), .required("enabled", \.isEnabled, .flag),
      .required("visible", \.isVisible, .flag), .required("moving", \.isMoving, .flag),
      .optional("properties", \.properties, .members),
      .optional("commands", \.commands, .list(of: .text)),
      .optional("items", \.items, .list(of: .nested)), .optional("home", \.home, .nested),
    ]
  }

  package struct Item: JSONRecord {
    package var id = ""
    package var place: Point?
    package var isEnabled = false
    package init() {}

    package static let members: [Member<Item>] = [
      .required("id", \.id, .text), .nullable("at", \.place, .roundedPoint),
      .required("enabled", \.isEnabled, .flag),
    ]
  }
}

extension HomeEntity: JSONRecord {
  package static let members: [Member<HomeEntity>] = [
    .required("role", \.role, .role), .optional("property", \.property, .text),
    .optional("unit", \.unit, .text), .optional("events", \.events, .list(of: .text)),
    .optional("device_class", \.deviceClass, .text), .optional("command", \.command, .text),
    .optional("turned", \.isTurned, .flag),
  ]
}

extension JSONType where Value == HomeEntity.Role {
  fileprivate static let role = JSONType(
    "what a home automation knows",
    .schema("string", .init("enum", .array(HomeEntity.Role.allCases.map { .string($0.rawValue) })))
  ) {
    $0.string.flatMap(HomeEntity.Role.init)
  } write: {
    .string($0.rawValue)
  }
}
