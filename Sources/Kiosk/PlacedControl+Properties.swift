// SPDX-License-Identifier: MIT

package import Controls
package import Declarations
package import Expressions
internal import Motion

extension PlacedControl {
  /// A property of all controls.
  package struct CommonProperty: Sendable {
    let name: String
    let flag: WritableKeyPath<PlacedControl, Bool> & Sendable
    /// Whether the control is unusable while the property is false.
    let isUse: Bool
  }

  static let commonProperties = [
    CommonProperty(name: "enabled", flag: \.isEnabled, isUse: true),
    CommonProperty(name: "visible", flag: \.isVisible, isUse: false),
  ]

  /// Returns the common property called `name`, or nil if there isn't one.
  package static func common(_ name: String) -> CommonProperty? {
    commonProperties.first { $0.name == name }
  }

  /// Returns the value of a property, or nil for an unknown name.
  func value(of property: String, at now: Instant) -> Value? {
    if let common = Self.common(property) {
      return .flag(self[keyPath: common.flag])
    }
    return control.value(of: property, at: now) ?? changedKeys[property]
      ?? source?.value(of: property)
  }

  package var propertyKinds: PropertyKinds { PropertyKinds(control, source: source) }
}

/// The properties of a control: flags that all controls have, the state, and the keys that a file declares.
package struct PropertyKinds: Sendable {
  private let control: any Control
  private let source: Declaration?

  /// The properties of a control, with its keys if it comes from a file.
  package init(_ control: any Control, source: Declaration?) {
    self.control = control
    self.source = source
  }

  package enum Row {
    case common(PlacedControl.CommonProperty)
    case state(Value.Kind)
    case key(Keys.Declaration)
  }

  /// Returns a property by name, or nil for an unknown name. A state property hides a key with the same name.
  package func row(_ property: String) -> Row? {
    if let common = PlacedControl.common(property) { return .common(common) }
    if let kind = control.value(of: property, at: .zero)?.kind { return .state(kind) }
    return source?[property].map { .key($0.key) }
  }

  package subscript(property: String) -> Value.Kind? {
    switch row(property) {
    case .common: .flag
    case .state(let kind): kind
    case .key(let key): key.valueKind
    case nil: nil
    }
  }

  /// The names of state properties.
  package var states: [String] {
    control.properties + PlacedControl.commonProperties.map(\.name)
  }

  /// Returns all names: the state, then the keys, at most about `maximum` of them. O(n) in the number of names.
  package func names(upTo maximum: Int) -> [String] {
    let states = states
    let known = Set(states)
    return states + (source?.names(upTo: maximum) ?? []).filter { !known.contains($0) }
  }
}
