// SPDX-License-Identifier: MIT

internal import Motion

extension Dial {
  /// How a face turns by itself, as that of a timer or clock, while `ticking` is set:
  ///
  ///     ticking ────── step │ ────── step │ ┄┄ at a stop, or when it is set to false: settled
  ///     0                 every        2·every
  ///
  /// It pauses while held, and continues from where it is released.
  public struct Ticks: Hashable, Sendable {
    /// Seconds from one tick to the next.
    public var every: Double
    /// The number of labels per tick; negative for backwards.
    public var step: Int

    /// A step of `step` labels every `every` seconds; both must not be 0.
    public init(every: Double, step: Int) {
      precondition(every > 0 && step != 0, "a tick needs an interval and a step")
      self.every = every
      self.step = step
    }

    /// Seconds of motion at the end of a tick: as for a step that is set, at most half of the interval.
    fileprivate var duration: Double { min(0.3, every / 2) }
    /// Seconds at rest before the motion.
    fileprivate var pause: Double { every - duration }
  }

  /// When the next step begins; nil while something else turns the face.
  var dueTick: Instant? { face.isHeld || face.isMoving ? nil : nextTick }

  /// Whether a tick can move the face: not at a stop.
  var hasWay: Bool {
    guard let ticks else { return false }
    return face.detents.wraps || face.detents.clamped(face.index + ticks.step) != face.index
  }

  /// Starts ticking, unless the face is at a stop.
  mutating func startTicking(at now: Instant) {
    guard let ticks, nextTick == nil, hasWay else { return }
    nextTick = now + ticks.pause
  }

  mutating func stopTicking(at now: Instant, events: inout [ControlEvent]) {
    guard nextTick != nil else { return }
    nextTick = nil
    // A moving face reports `settled` when it comes to rest.
    if !face.isHeld, !face.isMoving { events.append(event("settled", face.index, at: now)) }
  }

  /// The next step of a dial that continues `old`: the same, or sooner where the interval is shorter.
  func resumedTick(_ old: Dial, at now: Instant) -> Instant? {
    guard let ticks, let tick = old.nextTick else { return nil }
    return ticks == old.ticks ? tick : min(tick, now + ticks.pause)
  }

  /// Starts one step, and sets the next tick.
  mutating func beginTick(at time: Instant) -> [Wheel.Change] {
    guard let ticks else { return [] }
    nextTick = time + ticks.every
    var changes: [Wheel.Change] = []
    face.send(by: ticks.step, duration: ticks.duration, at: time, changes: &changes)
    return changes
  }

  /// Whether the face, at rest since `time`, continues to tick. It stops ticking at a stop. After a
  /// delay of more than a tick the next one is a whole tick away.
  mutating func ticksOn(from time: Instant) -> Bool {
    guard let ticks, let tick = nextTick, hasWay else {
      nextTick = nil
      return false
    }
    if tick < time { nextTick = time + ticks.pause }
    return true
  }
}
