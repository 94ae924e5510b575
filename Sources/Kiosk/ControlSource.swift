// SPDX-License-Identifier: MIT

package import Controls
package import Expressions
internal import Motion

/// What a control is made from: its keys, as a kiosk file has them. A key is a property like its
/// control's state, and a control whose keys change is made again and resumes what the old one was
/// doing.
///
/// A key of the control has its own name (`color`), one of a map in it that of both (`blink.count`),
/// one of an item the item's id, or its index where it has none (`dateline.label`, `minutes.3.color`).
package protocol ControlSource: Sendable {
  /// The names of its keys, those of its items included.
  var keys: [String] { get }

  /// The kind of a key's value; nil where there is no such key.
  func kind(of key: String) -> Value.Kind?

  /// What the file says for a key, or its default; nil where it says nothing.
  func value(of key: String) -> Value?

  /// Whether a key may change.
  func isVariable(_ key: String) -> Bool

  /// The control, with `values` for some of its keys.
  func control(with values: [String: Value]) throws(PropertyError) -> any Control
}

/// The names and kinds of a control's properties, as far as they are known before it is used.
package struct PropertyKinds: Sendable {
  private let control: any Control
  private let source: (any ControlSource)?

  /// The state of a control, and its keys where it comes from a file.
  package init(_ control: any Control, source: (any ControlSource)? = nil) {
    self.control = control
    self.source = source
  }

  /// The kind of a part of its state; nil for what is none.
  package func state(_ property: String) -> Value.Kind? {
    switch property {
    case "enabled", "visible": .flag
    default: control.value(of: property, at: .zero)?.kind
    }
  }

  package subscript(property: String) -> Value.Kind? {
    state(property) ?? source?.kind(of: property)
  }

  /// All names: the state, then the keys. Takes time with the number of items.
  package var names: [String] {
    let states = control.properties + ["enabled", "visible"]
    let known = Set(states)
    return states + (source?.keys ?? []).filter { !known.contains($0) }
  }
}
