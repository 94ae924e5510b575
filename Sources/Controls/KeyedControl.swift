// SPDX-License-Identifier: MIT

package import Geometry
package import Motion

/// A control with declared keys, state, commands and events. Each key can be stored separately, and states and commands
/// are used by their rows in the declaration.
package protocol KeyedControl: Control {
  /// The keys of the type.
  static var keys: ControlKeys<Self> { get }

  /// The state, commands and events of the type.
  static var interface: Interface<Self> { get }
  /// The position in design pixels. It changes if the page is reflected.
  var center: Point { get set }

  /// The role of the control in home automation.
  var home: HomeEntity { get }

  /// Updates everything derived from the keys, some of which differ from `old`, and continues the state of `old`. If
  /// `old` is nil, the control is new and also initializes its state.
  mutating func keysChanged(since old: Self?, at now: Instant)
}

extension KeyedControl {
  /// The role shared by all controls of the type.
  package var home: HomeEntity { Self.keys.home }
  /// An empty interface, for a control that only shows its keys.
  package static var interface: Interface<Self> { Interface() }

  /// Does nothing, for a control without derived values.
  package mutating func keysChanged(since old: Self?, at now: Instant) {}
}
