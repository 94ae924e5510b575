// SPDX-License-Identifier: MIT

/// The state that a device should have. It is set again, after increasing pauses, until the device takes it.
package struct HeldState<State: Equatable, Failure: Error> {
  /// The reason for the last refusal, or nil if the device has its state.
  package private(set) var failure: Failure?
  private var wanted: State?
  private var isHeld: Bool
  /// The end of the pause after a refusal.
  private var nextTry: Timestamp?
  private var backOff = BackOff()

  /// The device has `state`, or an unknown one if that is nil.
  package init(_ state: State? = nil) {
    wanted = state
    isHeld = state != nil
  }

  /// The device may have another state now. A pause continues.
  package mutating func release() { isHeld = false }

  /// Calls `set`, unless the device has `state` or has refused it a moment ago. Returns the time of the next try, or
  /// nil if the device has the state.
  package mutating func hold(
    _ state: State, at now: Timestamp, set: (State) throws(Failure) -> Void
  ) -> Timestamp? {
    if state != wanted {
      wanted = state
      isHeld = false
      nextTry = nil
      backOff.reset()
    }
    guard !isHeld else { return nil }
    if let nextTry, now < nextTry { return nextTry }
    do throws(Failure) {
      try set(state)
      isHeld = true
      failure = nil
      nextTry = nil
      backOff.reset()
    } catch {
      failure = error
      nextTry = now + backOff.next()
    }
    return nextTry
  }
}

extension HeldState: Sendable where State: Sendable, Failure: Sendable {}
