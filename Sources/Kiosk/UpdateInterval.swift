// SPDX-License-Identifier: MIT

package import RoundelExpressions
package import RoundelMotion

/// The update interval of a value that time changes.
package struct UpdateInterval: Hashable, Sendable {
  /// The finest unit of the wall clock that the value depends on.
  var clockUnit: CivilTime.Unit?
  /// Whether the value depends on `uptime`, which counts as changing ten times per second.
  var readsUptime = false

  var isNever: Bool { clockUnit == nil && !readsUptime }

  func combined(with other: UpdateInterval?) -> UpdateInterval {
    guard let other else { return self }
    return UpdateInterval(
      clockUnit: [clockUnit, other.clockUnit].compactMap(\.self).min(),
      readsUptime: readsUptime || other.readsUptime)
  }

  /// The microseconds between two changes of `uptime`.
  static let uptimeStep: Int64 = 100_000
}

extension Engine {
  /// Returns nil if time alone doesn't change the expression.
  package func updateInterval(of expression: ResolvedExpression<Reference>) -> UpdateInterval? {
    plan.bindings.updateInterval(clockUnit: expression.clockUnit, names: expression.names)
  }

  package func updateInterval(of name: Reference) -> UpdateInterval? {
    plan.bindings.updateInterval(clockUnit: name == .now ? .second : nil, names: [name])
  }

  package func next(_ updateInterval: UpdateInterval) -> Instant? { time.next(updateInterval) }
}
