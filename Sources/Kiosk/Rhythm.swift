// SPDX-License-Identifier: MIT

package import Expressions
package import Motion

/// How often a value may change with time alone.
package struct Rhythm: Hashable, Sendable {
  /// The finest unit of the wall clock that it reads.
  var clockUnit: CivilTime.Unit?
  /// Whether it reads `uptime`, which counts as changing ten times a second.
  var readsUptime = false

  /// Whether it never changes.
  var isNever: Bool { clockUnit == nil && !readsUptime }

  /// How often one of two values may change.
  func joined(with other: Rhythm?) -> Rhythm {
    guard let other else { return self }
    return Rhythm(
      clockUnit: [clockUnit, other.clockUnit].compactMap(\.self).min(),
      readsUptime: readsUptime || other.readsUptime)
  }

  /// Microseconds from one change of `uptime` to the next.
  static let tenth: Int64 = 100_000
}

extension Engine {
  /// The rhythm of an expression; nil where time alone does not change it.
  package func rhythm(of expression: ResolvedExpression<Reference>) -> Rhythm? {
    bindings.rhythm(
      clockUnit: expression.clockUnit, names: expression.names, in: description)
  }

  /// The rhythm of a name's value; nil where time alone does not change it.
  package func rhythm(of name: Reference) -> Rhythm? {
    bindings.rhythm(
      clockUnit: name == .now ? .second : nil, names: [name], in: description)
  }

  /// The next moment at which a value of this rhythm may change.
  package func next(_ rhythm: Rhythm) -> Instant? { time.next(rhythm) }
}
