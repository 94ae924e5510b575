// SPDX-License-Identifier: MIT

package import Geometry
package import Motion

/// A control with declared keys, state, commands and events.
package protocol KeyedControl: Control {
  static var keys: ControlKeys<Self> { get }

  static var interface: Interface<Self> { get }
  /// Changes if the page is reflected.
  var center: Point { get set }

  /// The role in home automation.
  var home: HomeEntity { get }

  /// Updates everything derived from the keys, and continues the state of `old`. If `old` is nil,
  /// the control is new.
  mutating func keysChanged(since old: Self?, at now: Instant)
}

extension KeyedControl {
  package var home: HomeEntity { Self.keys.home }
  package static var interface: Interface<Self> { Interface() }

  package mutating func keysChanged(since old: Self?, at now: Instant) {}
}
