// SPDX-License-Identifier: MIT

internal import Motion

extension Dial {
  /// How a face turns by itself, as a timer's or a clock's does, from when `ticking` is set:
  ///
  ///     ticking ────── step │ ────── step │ ┄┄ at a stop, or when it is set to false: settled
  ///     0                 every        2·every
  ///
  /// It pauses under a finger, and goes on from where that leaves it.
  public struct Ticks: Hashable, Sendable {
    /// Seconds from one tick to the next.
    public var every: Double
    /// The labels that a tick brings the face on; below 0, back.
    public var step: Int

    /// A step of `step` labels every `every` seconds; both must not be 0.
    public init(every: Double, step: Int) {
      precondition(every > 0 && step != 0, "a tick takes time and leads somewhere")
      self.every = every
      self.step = step
    }

    /// Seconds that the face takes for a step, at the end of a tick: as long as for one that is set,
    /// and no more than half of the time.
    fileprivate var duration: Double { min(0.3, every / 2) }
    /// Seconds for which it stands still before.
    fileprivate var pause: Double { every - duration }
  }

  /// When the next step begins; never while something else turns the face.
  var dueTick: Instant? { face.isHeld || face.isMoving ? nil : nextTick }

  /// Whether a tick leads anywhere: at a stop none does.
  var hasWay: Bool {
    guard let ticks else { return false }
    return face.detents.wraps || face.detents.clamped(face.index + ticks.step) != face.index
  }

  /// Starts to tick, where there is a way to go.
  mutating func startTicking(at now: Instant) {
    guard let ticks, nextTick == nil, hasWay else { return }
    nextTick = now + ticks.pause
  }

  mutating func stopTicking(at now: Instant, events: inout [ControlEvent]) {
    guard nextTick != nil else { return }
    nextTick = nil
    // A face in motion tells by itself when it comes to rest.
    if !face.isHeld, !face.isMoving { events.append(event("settled", face.index, at: now)) }
  }

  /// When the next step of a dial begins that goes on where `old` is: then, or sooner where its ticks
  /// are shorter.
  func resumedTick(_ old: Dial, at now: Instant) -> Instant? {
    guard let ticks, let tick = old.nextTick else { return nil }
    return ticks == old.ticks ? tick : min(tick, now + ticks.pause)
  }

  /// Sets the face off for one step, and the next tick.
  mutating func beginTick(at time: Instant) -> [Wheel.Change] {
    guard let ticks else { return [] }
    nextTick = time + ticks.every
    var changes: [Wheel.Change] = []
    face.send(by: ticks.step, duration: ticks.duration, at: time, changes: &changes)
    return changes
  }

  /// Whether the face, which has paused at `time`, will tick on. It stops ticking at a stop, and after
  /// a pause that was longer than a tick the next one is a whole tick away.
  mutating func ticksOn(from time: Instant) -> Bool {
    guard let ticks, let tick = nextTick, hasWay else {
      nextTick = nil
      return false
    }
    if tick < time { nextTick = time + ticks.pause }
    return true
  }
}
