// SPDX-License-Identifier: MIT

/// The intended state of a device, set with increasing pauses until the device accepts it.
package struct HeldState<State: Equatable, Failure: Error> {
  /// The error of the last attempt, or nil after success.
  package private(set) var failure: Failure?
  private var wanted: State?
  private var isHeld: Bool
  /// The end of the pause after a failed attempt.
  private var nextTry: Timestamp?
  private var backOff = BackOff()

  /// - Parameter state: The device's initial state, or nil if unknown.
  package init(_ state: State? = nil) {
    wanted = state
    isHeld = state != nil
  }

  /// Records that the device may have lost its state. A pause continues.
  package mutating func release() { isHeld = false }

  /// Calls `set` unless the device has `state`, or in a pause. Returns the time of the next
  /// attempt, or nil if the device has the state.
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
