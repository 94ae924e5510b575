// SPDX-License-Identifier: MIT

package import Controls
package import Expressions
package import Motion

/// The keys that a kiosk file has for a control. They are properties, as the control's state is: when one
/// changes, its value is stored in the control, which goes on.
///
/// A key has the name that the file gives it (`color`), within a map both names (`blink.count`), within
/// an item the item's id or index, too (`dateline.label`, `minutes.3.color`).
package protocol ControlSource: Sendable {
  /// The names of all keys and of all items' keys, at most about `maximum`.
  func keys(upTo maximum: Int) -> [String]

  /// The kind of a key's value; nil where there is no such key.
  func kind(of key: String) -> Value.Kind?

  /// The value of a key in the file, or its default; nil for neither.
  func value(of key: String) -> Value?

  /// Whether a key may change.
  func isVariable(_ key: String) -> Bool

  /// Whether a key belongs to an item, however deep, of a list, which is a key itself.
  func isKey(_ key: String, ofItemsIn list: String) -> Bool

  /// The items that a list, which is a key, has in place of none where it cannot be empty; nil where it can.
  func placeholder(of list: String) -> Value?

  /// The number of values that the file has for the control. To change a key of an item takes longer where
  /// there are many.
  var weight: Int { get }

  /// The control as the file has it, at the place that is reflected horizontally, or nil if it cannot be made.
  func reflected() -> (any Control)?

  /// Whether another version of the file says the same of the control. O(n) in the number of values.
  func declares(theSameAs other: any ControlSource) -> Bool

  /// The source with its items, after another version of the file, which says the same of the control.
  func following(_ next: any ControlSource) -> any ControlSource

  /// Changes keys of a control, which continues its state. `present` are those that have been changed
  /// before.
  func changing(
    _ values: [String: Value], of control: any Control, where present: [String: Value],
    at now: Instant
  ) -> KeyChange
}

/// The result of a change of keys of a control.
package struct KeyChange: Sendable {
  /// With all values that can be read, unless there is a conflict.
  package var control: any Control
  /// With the items of lists that were set.
  package var source: any ControlSource
  /// The keys that do not take their values, and why.
  package var refusals: [(key: String, what: String)] = []
  /// The conflict between the values, in which case nothing is changed; nil for none.
  package var conflict: String?

  /// No change.
  package init(control: any Control, source: any ControlSource) {
    self.control = control
    self.source = source
  }
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

  /// All names: the state, then the keys, at most about `maximum` of them. O(n) in the number of names.
  package func names(upTo maximum: Int) -> [String] {
    let states = control.properties + ["enabled", "visible"]
    let known = Set(states)
    return states + (source?.keys(upTo: maximum) ?? []).filter { !known.contains($0) }
  }
}
