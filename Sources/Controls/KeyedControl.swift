// SPDX-License-Identifier: MIT

package import Geometry
package import Motion

/// A control whose keys, state, commands and events are declared, so that each key can be stored by itself,
/// and states and commands are used by their rows in the declaration.
package protocol KeyedControl: Control {
  /// Its keys.
  static var keys: ControlKeys<Self> { get }

  /// Its state, commands and events.
  static var interface: Interface<Self> { get }
  /// Its place, in design pixels. It moves where the page is reflected.
  var center: Point { get set }

  /// Its role in a home automation.
  var home: HomeEntity { get }

  /// Updates everything that is derived from its keys, some of which differ from those of `old`, and continues the
  /// state of `old`. Nil for a control that has just been made: then it also takes its first state.
  mutating func keysChanged(since old: Self?, at now: Instant)
}

extension KeyedControl {
  /// The role of all controls of its type.
  package var home: HomeEntity { Self.keys.home }
  /// Empty: for a control that only shows its keys.
  package static var interface: Interface<Self> { Interface() }

  /// Changes nothing: for a control that draws its keys as they are.
  package mutating func keysChanged(since old: Self?, at now: Instant) {}
}
