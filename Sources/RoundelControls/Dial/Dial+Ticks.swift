// SPDX-License-Identifier: MIT

internal import RoundelMotion

extension Dial {
  /// The automatic turning of a face, like a timer's or clock's, while `ticking` is set:
  ///
  ///     ticking ────── step │ ────── step │ ┄┄ at a stop, or when it is set to false: settled
  ///     0                 every        2·every
  ///
  /// It pauses while the face is held, and continues from the position where the face is released.
  public struct Ticks: Hashable, Sendable {
    /// The interval, in seconds.
    public var every: Double
    /// The number of labels per tick, negative for backwards.
    public var step: Int

    /// Ticks of `step` labels every `every` seconds. Neither may be 0.
    public init(every: Double, step: Int) {
      precondition(every > 0 && step != 0, "a tick needs an interval and a step")
      self.every = every
      self.step = step
    }

    /// 0.3 s, but at most half of the interval.
    fileprivate var duration: Double { min(0.3, every / 2) }
    fileprivate var pause: Double { every - duration }
  }

  /// The next tick, or nil if the face is held or moving.
  var dueTick: Instant? { face.isHeld || face.isMoving ? nil : nextTick }

  /// Whether a tick can move the face, which a stop prevents.
  var canTick: Bool {
    guard let ticks else { return false }
    return face.detents.wraps || face.detents.clamped(face.index + ticks.step) != face.index
  }

  mutating func startTicking(at now: Instant) {
    guard let ticks, nextTick == nil, canTick else { return }
    nextTick = now + ticks.pause
  }

  mutating func stopTicking(at now: Instant, events: inout [ControlEvent]) {
    guard nextTick != nil else { return }
    nextTick = nil
    if !face.isHeld, !face.isMoving { events.append(event("settled", face.index, at: now)) }
  }

  func resumedTick(_ old: Dial, at now: Instant) -> Instant? {
    guard let ticks, let tick = old.nextTick else { return nil }
    return ticks == old.ticks ? tick : min(tick, now + ticks.pause)
  }

  mutating func beginTick(at time: Instant) -> [Wheel.Change] {
    guard let ticks else { return [] }
    nextTick = time + ticks.every
    var changes: [Wheel.Change] = []
    face.send(by: ticks.step, duration: ticks.duration, at: time, changes: &changes)
    return changes
  }

  /// Whether a face at rest since `time` continues to tick. An overdue tick waits a full interval.
  mutating func ticksOn(from time: Instant) -> Bool {
    guard let ticks, let tick = nextTick, canTick else {
      nextTick = nil
      return false
    }
    if tick < time { nextTick = time + ticks.pause }
    return true
  }
}
