// SPDX-License-Identifier: MIT

internal import RoundelMotion

/// A periodic check whether a kiosk answers.
///
/// A hung kiosk keeps its connections, and its service manager may react late. A check wakes an
/// idle kiosk for less than 0.1 ms, which is 0.001 % of its time, or 0.005 % if a machine depends
/// on the kiosk.
struct KioskCheck {
  private enum State {
    case due(Timestamp)
    case requested(until: Timestamp)
    case failed
  }

  enum Step { case request, failure }

  private var state: State
  private var interval: Double
  private var timeout: Double

  private static func times(_ isOften: Bool) -> (interval: Double, timeout: Double) {
    isOften ? (2, 3) : (10, 5)
  }

  /// - Parameter isOften: Whether a machine depends on the kiosk.
  init(often isOften: Bool, at now: Timestamp) {
    (interval, timeout) = Self.times(isOften)
    state = .due(now + interval)
  }

  mutating func set(often isOften: Bool, at now: Timestamp) {
    guard interval != Self.times(isOften).interval else { return }
    (interval, timeout) = Self.times(isOften)
    if case .due = state { state = .due(now + interval) }
  }

  var deadline: Timestamp? {
    switch state {
    case .due(let time), .requested(until: let time): time
    case .failed: nil
    }
  }

  mutating func advance(to now: Timestamp) -> Step? {
    switch state {
    case .due(let time) where time <= now:
      state = .requested(until: now + timeout)
      return .request
    case .requested(until: let time) where time <= now:
      state = .failed
      return .failure
    case .due, .requested, .failed: return nil
    }
  }

  /// Gives the kiosk more time for a late answer after a failed check.
  mutating func recordLife(at now: Timestamp) {
    if case .failed = state { state = .requested(until: now + timeout) }
  }

  /// Returns whether the answer was late.
  mutating func recordAnswer(at now: Timestamp) -> Bool {
    defer { state = .due(now + interval) }
    if case .failed = state { return true }
    return false
  }
}
