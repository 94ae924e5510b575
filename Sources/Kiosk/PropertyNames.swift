// SPDX-License-Identifier: MIT

public import Expressions
internal import Controls
internal import Motion

/// A text with expressions in it, whose names are properties of controls.
public typealias TextTemplate = ResolvedTemplate<PropertyPath>

/// The names that the expressions of a kiosk's texts may read: `control.property`.
public struct PropertyNames: NameSpace, Sendable {
  /// The kind of each property, by control; nil for a control that could not be read, whose properties
  /// are not known.
  public var controls: [String: [String: Value.Kind]?]

  public init(_ controls: [String: [String: Value.Kind]?] = [:]) { self.controls = controls }

  /// The names of a kiosk.
  public init(_ description: Description) {
    self.init()
    for entry in description.pages.flatMap(\.controls) { controls[entry.id] = entry.propertyKinds }
  }

  /// The property that a path is, if there is one.
  public func find(_ path: NamePath) -> (name: PropertyPath, kind: Value.Kind)? {
    guard let property = PropertyPath(path), let known = controls[property.control] else {
      return nil
    }
    guard let known else { return (property, .any) }
    return known[property.property].map { (property, $0) }
  }
}

extension PropertyPath {
  /// The control and the property of a path; nil for a single name.
  public init?(_ path: NamePath) {
    guard path.parts.count > 1 else { return nil }
    self.init(control: path.parts[0], property: path.parts.dropFirst().joined(separator: "."))
  }
}

extension Entry {
  /// The kind of each of its properties.
  public var propertyKinds: [String: Value.Kind] {
    var kinds: [String: Value.Kind] = ["enabled": .flag, "visible": .flag]
    for property in control.properties {
      kinds[property] =
        control.template(of: property) == nil
        ? control.value(of: property, at: .zero)?.kind ?? .any : .text
    }
    return kinds
  }
}
