// SPDX-License-Identifier: MIT

package import Motion

/// A control whose keys are declared, so that each can be stored by itself.
package protocol KeyedControl: Control {
  /// Brings up to date what follows from its keys, some of which were others in `old`, and continues the
  /// state of that one. Nil where the control has just been made: then it also takes its first state.
  mutating func keysChanged(since old: Self?, at now: Instant)
}

extension KeyedControl {
  /// Changes nothing: for a control that draws its keys as they are.
  package mutating func keysChanged(since old: Self?, at now: Instant) {}
}
