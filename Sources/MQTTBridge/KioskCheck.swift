// SPDX-License-Identifier: MIT

internal import Motion

/// The repeated check whether a kiosk answers.
///
/// A hung kiosk keeps its connections, and its service manager may wait longer than Home Assistant should. A check
/// wakes a kiosk at rest once, for less than 0.1 ms: a hundred thousandth of its time, 5 hundred thousandths if a
/// machine depends on the kiosk.
struct KioskCheck {
  private enum State {
    case due(Timestamp)
    case requested(until: Timestamp)
    /// The answer is late.
    case failed
  }

  enum Step { case request, failure }

  private var state: State
  private var interval: Double
  private var patience: Double

  private static func times(_ isOften: Bool) -> (interval: Double, patience: Double) {
    isOften ? (2, 3) : (10, 5)
  }

  /// - Parameter isOften: whether a machine depends on the kiosk, so a hang has to be noticed early.
  init(often isOften: Bool, at now: Timestamp) {
    (interval, patience) = Self.times(isOften)
    state = .due(now + interval)
  }

  mutating func set(often isOften: Bool, at now: Timestamp) {
    guard interval != Self.times(isOften).interval else { return }
    (interval, patience) = Self.times(isOften)
    if case .due = state { state = .due(now + interval) }
  }

  var deadline: Timestamp? {
    switch state {
    case .due(let time), .requested(until: let time): time
    case .failed: nil
    }
  }

  /// The step that is due, if any.
  mutating func advance(to now: Timestamp) -> Step? {
    switch state {
    case .due(let time) where time <= now:
      state = .requested(until: now + patience)
      return .request
    case .requested(until: let time) where time <= now:
      state = .failed
      return .failure
    case .due, .requested, .failed: return nil
    }
  }

  /// Notes another answer. If the check has failed, the kiosk gets some time for its late answer.
  mutating func noteLife(at now: Timestamp) {
    if case .failed = state { state = .requested(until: now + patience) }
  }

  /// Notes the answer; returns whether it was late.
  mutating func noteAnswer(at now: Timestamp) -> Bool {
    defer { state = .due(now + interval) }
    if case .failed = state { return true }
    return false
  }
}
