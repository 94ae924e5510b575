// SPDX-License-Identifier: MIT

/// The coverage of a tile, with memory for motion.
struct Covering {
  /// Nil if the tile uses its own.
  private var shared: Coverage?
  /// The memory stays, because a shape at rest will move again.
  private var own: Coverage?

  init(_ coverage: Coverage) { shared = coverage }

  var coverage: Coverage {
    guard let coverage = shared ?? own else { preconditionFailure("neither coverage exists") }
    return coverage
  }

  var hasMemory: Bool { own != nil }

  mutating func show(_ coverage: Coverage) { shared = coverage }

  mutating func show(_ builder: borrowing CoverageBuilder) {
    if isKnownUniquelyReferenced(&own) {
      own?.update(builder)
    } else {
      own = Coverage(builder)
    }
    shared = nil
  }
}
