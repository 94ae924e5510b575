// SPDX-License-Identifier: MIT

package import Expressions
package import Motion

/// How often the value of an expression may change with time alone.
package struct Rhythm: Hashable, Sendable {
  /// The finest unit of the wall clock that it reads.
  var clockUnit: CivilTime.Unit?
  /// Whether it reads `uptime`, which counts as changing ten times a second.
  var readsUptime: Bool

  /// The rhythm of an expression and of the texts that it reads; nil where it does not read the time.
  package init?(of expression: ResolvedExpression<Reference>, in description: Description) {
    clockUnit = expression.clockUnit
    readsUptime = false
    var pending = expression.names
    var seen = Set(pending)
    while let name = pending.popLast() {
      if name == .uptime { readsUptime = true }
      guard case .text(let text) = name else { continue }
      for template in (description.texts[text] ?? [:]).values {
        clockUnit = [clockUnit, template.clockUnit].compactMap(\.self).min()
        for name in template.names where seen.insert(name).inserted { pending.append(name) }
      }
    }
    guard clockUnit != nil || readsUptime else { return nil }
  }
}

extension Engine {
  /// The next moment at which a value of this rhythm may change.
  package func next(_ rhythm: Rhythm) -> Instant? {
    var next: Instant?
    if rhythm.readsUptime {
      let tenth: Int64 = 100_000
      next = Instant(microseconds: (now.microseconds / tenth + 1) * tenth)
    }
    if let unit = rhythm.clockUnit, let time = clock.next(unit) {
      let moment = Instant(
        microseconds: now.microseconds + Int64(time.microseconds - clock.microseconds))
      next = min(next ?? moment, moment)
    }
    return next
  }
}
