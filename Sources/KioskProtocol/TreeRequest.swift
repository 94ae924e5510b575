// SPDX-License-Identifier: MIT

package import RoundelControls
package import RoundelGeometry
package import RoundelJSON
package import JSONRPC

package struct TreeRequest: MethodRequest {
  package var properties = false
  package init() {}

  package static let method = Method<TreeRequest, TreeAnswer>(
    "tree", "Lists all controls with their positions and states.",
    result: "{page, language, values, size, pages: [{page, shown, controls: [{id, kind, at, "
      + "properties, …, items}]}]}")
  package static let members: [Member<TreeRequest>] = [
    .optional(
      "properties", \.properties, .flag,
      "Whether all properties are listed, including the file's declarations of controls, items and languages, the ranges of values, and the sources of properties."
    )
  ]
}

package struct TreeAnswer: JSONRecord {
  package var page = ""
  /// The name of the page over the current page, or nil.
  package var over: String?
  package var language: String?
  /// All languages, starting with the initial one, or nil if there is only one.
  package var languages: [String]?
  package var values: [JSONValue.Member] = []
  /// The declarations, as `ValueRange`s by name.
  package var ranges: [JSONValue.Member]?
  /// Computed values and properties with templates, each with the value that `set` changes instead,
  /// or null.
  package var bound: [JSONValue.Member]?
  package var size = Size(0, 0)
  package var pages: [Page] = []
  /// Whether properties are missing, because the answer would be too long.
  package var isIncomplete = false
  package init() {}

  package static let members: [Member<TreeAnswer>] = [
    .required("page", \.page, .text), .optional("over", \.over, .text),
    .optional("language", \.language, .text),
    .optional("languages", \.languages, .list(of: .text)),
    .optional("values", \.values, .members), .optional("ranges", \.ranges, .members),
    .optional("bound", \.bound, .members), .required("size", \.size, .size),
    .required("pages", \.pages, .list(of: .nested)),
    .optional("incomplete", \.isIncomplete, .flag),
  ]

  package struct Page: JSONRecord {
    package var name = ""
    package var isShown = false
    /// Whether `show` shows the page over others.
    package var isOver = false
    package var controls: [Control] = []
    package init() {}

    package static let members: [Member<Page>] = [
      .required("page", \.name, .text), .required("shown", \.isShown, .flag),
      .optional("over", \.isOver, .flag),
      .required("controls", \.controls, .list(of: .nested)),
    ]
  }

  package struct Control: JSONRecord {
    package var id = ""
    package var kind = ""
    /// The position for touches, or nil if touches can't reach the control.
    package var place: Point?
    package var isEnabled = false
    package var isVisible = false
    package var isMoving = false
    package var properties: [JSONValue.Member] = []
    package var commands: [String] = []
    package var items: [Item] = []
    /// The control's entity in home automation. Only present in answers with all properties.
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
    .optional("other_property", \.otherProperty, .text),
    .optional("unit", \.unit, .text), .optional("events", \.events, .list(of: .text)),
    .optional("device_class", \.deviceClass, .text), .optional("command", \.command, .text),
    .optional("turned", \.isTurned, .flag), .optional("climate", \.isClimate, .flag),
  ]
}

extension JSONType where Value == HomeEntity.Role {
  fileprivate static let role = JSONType(
    "entities for home automation",
    .schema("string", .init("enum", .array(HomeEntity.Role.allCases.map { .string($0.rawValue) })))
  ) {
    $0.string.flatMap(HomeEntity.Role.init)
  } write: {
    .string($0.rawValue)
  }
}
