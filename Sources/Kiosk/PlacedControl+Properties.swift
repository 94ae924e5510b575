// SPDX-License-Identifier: MIT

package import RoundelControls
package import RoundelDeclarations
package import RoundelExpressions
internal import RoundelMotion

extension PlacedControl {
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

  package static func common(_ name: String) -> CommonProperty? {
    commonProperties.first { $0.name == name }
  }

  func value(of property: String, at now: Instant) -> Value? {
    if let common = Self.common(property) { return .flag(self[keyPath: common.flag]) }
    return control.value(of: property, at: now) ?? changedKeys[property]
      ?? source?.value(of: property)
  }

  package var propertyKinds: PropertyKinds { PropertyKinds(control, source: source) }
}

/// The properties of a control: flags of all controls, the state, and the keys in a file.
package struct PropertyKinds: Sendable {
  private let control: any Control
  private let source: Declaration?

  package init(_ control: any Control, source: Declaration?) {
    self.control = control
    self.source = source
  }

  package enum Row {
    case common(PlacedControl.CommonProperty)
    case state(Value.Kind)
    case key(Keys.Declaration)
  }

  /// Returns nil for an unknown name. A state property hides a key with the same name.
  package func row(_ property: String) -> Row? {
    if let common = PlacedControl.common(property) { return .common(common) }
    if let kind = control.value(of: property, at: .zero)?.kind { return .state(kind) }
    return source?[property].map { .key($0.key) }
  }

  /// Whether a state hides a variable key of the same name.
  package func isHidden(_ property: String) -> Bool {
    guard case .state = row(property) else { return false }
    return source?[property]?.key.role == .variable
  }

  package subscript(property: String) -> Value.Kind? {
    switch row(property) {
    case .common: .flag
    case .state(let kind): kind
    case .key(let key): key.valueKind
    case nil: nil
    }
  }

  package var states: [String] { control.properties + PlacedControl.commonProperties.map(\.name) }

  /// Returns at most about `maximum` names: the state, then the keys. O(n) in the names.
  package func names(upTo maximum: Int) -> [String] {
    let states = states
    let known = Set(states)
    return states + (source?.names(upTo: maximum) ?? []).filter { !known.contains($0) }
  }
}
