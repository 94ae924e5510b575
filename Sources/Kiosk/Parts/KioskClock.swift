// SPDX-License-Identifier: MIT

internal import RoundelExpressions
internal import RoundelMotion

struct KioskClock: Sendable {
  private(set) var now: Instant
  /// The wall clock at `Instant.zero`.
  private var epoch = Engine.defaultClock

  init(at now: Instant) { self.now = now }

  mutating func advance(to time: Instant) { now = time }

  mutating func adopt(_ other: KioskClock) { epoch = other.epoch }

  /// Returns whether the wall clock changes.
  mutating func set(to time: CivilTime) -> Bool {
    let (start, overflows) = time.microseconds.subtractingReportingOverflow(Int(now.microseconds))
    guard !overflows, CivilTime(microseconds: start) != epoch else { return false }
    epoch = CivilTime(microseconds: start)
    return true
  }

  var time: CivilTime { time(at: now) }

  func time(at instant: Instant) -> CivilTime {
    let (sum, overflows) = epoch.microseconds.addingReportingOverflow(Int(instant.microseconds))
    return overflows ? epoch : CivilTime(microseconds: sum)
  }

  /// Returns nil if a time is too far away.
  func instant(_ time: CivilTime) -> Instant? {
    let (instant, overflows) = time.microseconds.subtractingReportingOverflow(epoch.microseconds)
    return overflows ? nil : Instant(microseconds: Int64(instant))
  }

  func next(_ updateInterval: UpdateInterval) -> Instant? {
    var next: Instant?
    if updateInterval.readsUptime {
      next = Instant(
        microseconds: (now.microseconds / UpdateInterval.uptimeStep + 1) * UpdateInterval.uptimeStep
      )
    }
    if let unit = updateInterval.clockUnit, let instant = time.next(unit).flatMap(instant) {
      next = min(next ?? instant, instant)
    }
    return next
  }

  /// Returns the last possible change after now and up to `time`.
  func last(_ updateInterval: UpdateInterval, by time: Instant) -> Instant? {
    var last: Instant?
    func consider(_ instant: Instant?) {
      if let instant, instant > now, instant <= time { last = max(last ?? instant, instant) }
    }
    if updateInterval.readsUptime {
      consider(
        Instant(
          microseconds: time.microseconds / UpdateInterval.uptimeStep * UpdateInterval.uptimeStep))
    }
    if let unit = updateInterval.clockUnit {
      consider(self.time(at: time).start(of: unit).flatMap(instant))
    }
    return last
  }
}
