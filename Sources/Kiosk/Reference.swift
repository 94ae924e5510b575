// SPDX-License-Identifier: MIT

internal import RoundelControls
package import RoundelExpressions

/// The meaning of a name in an expression.
public enum Reference: Hashable, Sendable {
  /// A value of the kiosk.
  case value(String)
  case property(PropertyPath)
  /// An entry of `texts`, in the current language.
  case text(String)
  /// All entries of `texts`, in the current language.
  case texts
  /// A field of the event that triggered the action.
  case event(String)
  case language
  /// The name of the current page.
  case page
  /// The wall clock.
  case now
  /// The seconds since the start.
  case uptime
}

extension Reference {
  /// Parses `control.property`, a value, `language`, `page` or `uptime`, or returns nil.
  public init?(_ text: some StringProtocol) {
    if let path = PropertyPath(text) {
      self = .property(path)
    } else if text == "language" {
      self = .language
    } else if text == "page" {
      self = .page
    } else if text == "uptime" {
      self = .uptime
    } else if !text.isEmpty, !text.contains(".") {
      self = .value(String(text))
    } else {
      return nil
    }
  }
}

package typealias TextTemplate = ResolvedTemplate<Reference>
package typealias Condition = ResolvedExpression<Reference>

/// The names that a kiosk's expressions may read.
package struct Names: NameSpace, Sendable {
  package private(set) var values: [String: Value.Kind] = [:]
  /// The values that are lists or records.
  private var collections: [String: ValueDeclaration] = [:]
  package var texts: Set<String>
  /// The properties of each control, or nil for a control with errors.
  package var controls: [String: PropertyKinds?]
  /// The event's fields in an action, otherwise nil.
  package var event: [String: Value.Kind]?
  /// Whether the event may have fields that only its sender knows.
  package var isEventOpen = false
  /// The sentence's fields in a spoken sentence, otherwise nil.
  package var sentence: [String: Value.Kind]?

  package init(values: [ValueDeclaration] = [], texts: Set<String> = []) {
    self.texts = texts
    controls = [:]
    for value in values { add(value) }
  }

  package init(_ description: Description) {
    self.init(values: description.values, texts: Set(description.texts.keys))
    for entry in description.pages.flatMap(\.controls) { controls[entry.id] = entry.propertyKinds }
  }

  package mutating func add(_ value: ValueDeclaration) {
    values[value.name] = value.kind
    collections[value.name] = [.list, .record].contains(value.kind) ? value : nil
  }

  package mutating func add(unknown name: String) { values[name] = .any }

  static let builtInValues = [
    "now", "uptime", "page", "language", Description.themeValue, Description.textScaleValue,
    Description.overlayValue,
  ]

  /// Names that values cannot have.
  package static let reserved = ["now", "uptime", "page", "language", "texts", "event"]

  package func find(_ path: NamePath) -> (name: Reference, kind: Value.Kind)? {
    let parts = path.parts
    if parts.count == 1, let kind = sentence?[parts[0]] { return (.event(parts[0]), kind) }
    if parts.count == 2, parts[0] == "event", let kind = event?[parts[1]] {
      return (.event(parts[1]), kind)
    }
    if parts.count == 2, parts[0] == "event", isEventOpen { return (.event(parts[1]), .any) }
    switch (parts.count, parts[0]) {
    case (1, "now"): return (.now, .time)
    case (1, "uptime"): return (.uptime, .number)
    case (1, "page"): return (.page, .text)
    case (1, "language"): return (.language, .text)
    case (1, "texts"): return (.texts, .record)
    case (1, let name):
      if let kind = values[name] { return (.value(name), kind) }
      if name == Description.textScaleValue { return (.value(name), .number) }
      return [Description.themeValue, Description.overlayValue].contains(name)
        ? (.value(name), .text) : nil
    case (2, Message.name)
    where Message.fieldNames.contains(parts[1]) && controls[parts[0]] == nil
      && values[parts[0]] == nil:
      return (.property(PropertyPath(control: parts[0], property: parts[1])), .text)
    case (2, "texts") where texts.contains(parts[1]): return (.text(parts[1]), .text)
    default:
      guard let properties = controls[parts[0]] else { return nil }
      let path = PropertyPath(control: parts[0], property: parts.dropFirst().joined(separator: "."))
      guard let properties else { return (.property(path), .any) }
      return properties[path.property].map { (.property(path), $0) }
    }
  }

  package func elementKind(of name: Reference) -> Value.Kind {
    switch name {
    case .texts: .text
    case .value(let name): collections[name]?.elementKind ?? .any
    default: .any
    }
  }

  package func mayHave(_ member: String, in name: Reference) -> Bool {
    name != .texts || texts.contains(member)
  }

  package func problem(in path: NamePath) -> (what: String, suggestion: String?) {
    ("unknown name \"\(path)\"", nil)
  }
}
