// SPDX-License-Identifier: MIT

internal import Expressions
internal import Motion

struct KioskClock: Sendable {
  private(set) var now: Instant
  /// The wall clock at `Instant.zero`.
  private var epoch = Engine.defaultClock

  init(at now: Instant) { self.now = now }

  mutating func advance(to time: Instant) { now = time }

  mutating func follow(_ other: KioskClock) { epoch = other.epoch }

  /// Returns whether the wall clock changes.
  mutating func set(to time: CivilTime) -> Bool {
    let (start, overflows) = time.microseconds.subtractingReportingOverflow(Int(now.microseconds))
    guard !overflows, CivilTime(microseconds: start) != epoch else { return false }
    epoch = CivilTime(microseconds: start)
    return true
  }

  var time: CivilTime { time(at: now) }

  func time(at moment: Instant) -> CivilTime {
    let (sum, overflows) = epoch.microseconds.addingReportingOverflow(Int(moment.microseconds))
    return overflows ? epoch : CivilTime(microseconds: sum)
  }

  /// Returns nil if a time is too far away.
  func moment(_ time: CivilTime) -> Instant? {
    let (moment, overflows) = time.microseconds.subtractingReportingOverflow(epoch.microseconds)
    return overflows ? nil : Instant(microseconds: Int64(moment))
  }

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

  /// Returns the last possible change after now and up to `time`.
  func last(_ rhythm: Rhythm, by time: Instant) -> Instant? {
    var last: Instant?
    func consider(_ moment: Instant?) {
      if let moment, moment > now, moment <= time { last = max(last ?? moment, moment) }
    }
    if rhythm.readsUptime {
      consider(Instant(microseconds: time.microseconds / Rhythm.tenth * Rhythm.tenth))
    }
    if let unit = rhythm.clockUnit { consider(self.time(at: time).start(of: unit).flatMap(moment)) }
    return last
  }
}
