// SPDX-License-Identifier: MIT

package import Motion

/// A control whose keys, state, commands and events are declared, so that each key can be stored by itself,
/// and all that reads a state or gives a command does so by its row.
package protocol KeyedControl: Control {
  /// Its keys.
  static var keys: ControlKeys<Self> { get }

  /// Its state, commands and events.
  static var interface: Interface<Self> { get }
  /// What it is to a home automation.
  var home: HomeEntity { get }

  /// Brings up to date what follows from its keys, some of which were others in `old`, and continues the
  /// state of that one. Nil where the control has just been made: then it also takes its first state.
  mutating func keysChanged(since old: Self?, at now: Instant)
}

extension KeyedControl {
  /// What all controls of its type are.
  package var home: HomeEntity { Self.keys.home }
  /// Empty: for a control that only shows its keys.
  package static var interface: Interface<Self> { Interface() }

  /// Changes nothing: for a control that draws its keys as they are.
  package mutating func keysChanged(since old: Self?, at now: Instant) {}
}
