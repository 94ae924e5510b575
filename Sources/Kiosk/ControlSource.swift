// SPDX-License-Identifier: MIT

package import Controls
package import Expressions
internal import Motion

/// The keys in a kiosk file from which a control is made. Keys are properties, like the control's
/// state: when one changes, the control is made again and resumes the state of the old one.
///
/// A key has the name that the file gives it (`color`), within a map both names (`blink.count`), within
/// an item the item's id or index, too (`dateline.label`, `minutes.3.color`).
package protocol ControlSource: Sendable {
  /// The names of all keys, including those of items.
  var keys: [String] { get }

  /// The kind of a key's value; nil where there is no such key.
  func kind(of key: String) -> Value.Kind?

  /// The value of a key in the file, or its default; nil for neither.
  func value(of key: String) -> Value?

  /// Whether a key may change.
  func isVariable(_ key: String) -> Bool

  /// The names of the keys of items of a list, which is a key itself.
  func keys(ofItemsIn list: String) -> [String]

  /// How much is read to make the control: the number of values in the file.
  var weight: Int { get }

  /// What the source would be if the file had these values.
  func replacing(_ values: [String: Value]) -> any ControlSource

  /// Makes the control with other `values` of some keys.
  func control(with values: [String: Value]) throws(ControlMistake) -> any Control
}

/// Why a control cannot be made with some values of its keys.
package struct ControlMistake: Error, Hashable, Sendable {
  /// What is wrong with it.
  package let what: String

  package init(_ what: String) { self.what = what }
}

/// The names and kinds of a control's properties.
package struct PropertyKinds: Sendable {
  private let control: any Control
  private let source: (any ControlSource)?

  /// The properties of a control, and its keys where it comes from a file.
  package init(_ control: any Control, source: (any ControlSource)? = nil) {
    self.control = control
    self.source = source
  }

  /// The kind of a property that is state; nil for keys and unknown names.
  package func state(_ property: String) -> Value.Kind? {
    switch property {
    case "enabled", "visible": .flag
    default: control.value(of: property, at: .zero)?.kind
    }
  }

  package subscript(property: String) -> Value.Kind? {
    state(property) ?? source?.kind(of: property)
  }

  /// All names: the state, then the keys. O(n) in the number of items.
  package var names: [String] {
    let states = control.properties + ["enabled", "visible"]
    let known = Set(states)
    return states + (source?.keys ?? []).filter { !known.contains($0) }
  }
}
