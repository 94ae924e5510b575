// SPDX-License-Identifier: MIT

internal import Expressions
internal import Motion

/// The current time and the wall clock. Callers advance both.
struct KioskClock: Sendable {
  private(set) var now: Instant
  /// The wall clock at `Instant.zero`.
  private var epoch = Engine.defaultClock

  init(at now: Instant) { self.now = now }

  mutating func advance(to time: Instant) { now = time }

  /// Copies the wall clock of another clock.
  mutating func follow(_ other: KioskClock) { epoch = other.epoch }

  /// Sets the wall clock, which continues from there. Returns whether it changes.
  mutating func set(to time: CivilTime) -> Bool {
    let (start, overflows) = time.microseconds.subtractingReportingOverflow(Int(now.microseconds))
    guard !overflows, CivilTime(microseconds: start) != epoch else { return false }
    epoch = CivilTime(microseconds: start)
    return true
  }

  /// The current wall-clock time.
  var time: CivilTime { time(at: now) }

  /// Returns the wall-clock time at `moment`.
  func time(at moment: Instant) -> CivilTime {
    let (sum, overflows) = epoch.microseconds.addingReportingOverflow(Int(moment.microseconds))
    return overflows ? epoch : CivilTime(microseconds: sum)
  }

  /// Returns the instant of a wall-clock time, or nil if it is too far away.
  func moment(_ time: CivilTime) -> Instant? {
    let (moment, overflows) = time.microseconds.subtractingReportingOverflow(epoch.microseconds)
    return overflows ? nil : Instant(microseconds: Int64(moment))
  }

  /// Returns the next possible change of a value with this update interval.
  func next(_ rhythm: Rhythm) -> Instant? {
    var next: Instant?
    if rhythm.readsUptime {
      next = Instant(microseconds: (now.microseconds / Rhythm.tenth + 1) * Rhythm.tenth)
    }
    if let unit = rhythm.clockUnit, let moment = time.next(unit).flatMap(moment) {
      next = min(next ?? moment, moment)
    }
    return next
  }

  /// Returns the last possible change, after now and up to `time`, of a value with this update interval.
  func last(_ rhythm: Rhythm, by time: Instant) -> Instant? {
    var last: Instant?
    func consider(_ moment: Instant?) {
      if let moment, moment > now, moment <= time { last = max(last ?? moment, moment) }
    }
    if rhythm.readsUptime {
      consider(Instant(microseconds: time.microseconds / Rhythm.tenth * Rhythm.tenth))
    }
    if let unit = rhythm.clockUnit {
      consider(self.time(at: time).start(of: unit).flatMap(moment))
    }
    return last
  }
}
