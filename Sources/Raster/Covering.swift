// SPDX-License-Identifier: MIT

/// The coverage of a tile, with memory for when it moves.
struct Covering {
  /// The cached coverage in use, or nil if the tile uses its own.
  private var shared: Coverage?
  /// The tile's own coverage, not shared. It is kept while a cached one is in use, because a shape at rest will move
  /// again.
  private var own: Coverage?

  init(_ coverage: Coverage) { shared = coverage }

  var coverage: Coverage {
    guard let coverage = shared ?? own else { preconditionFailure("one of both is there") }
    return coverage
  }

  /// Whether a new shape needs little or no additional memory.
  var hasMemory: Bool { own != nil }

  /// Uses a coverage that may be shared.
  mutating func show(_ coverage: Coverage) { shared = coverage }

  /// Uses the coverage collected by the builder, in the tile's own memory.
  mutating func show(_ builder: borrowing CoverageBuilder) {
    if isKnownUniquelyReferenced(&own) {
      own?.update(builder)
    } else {
      own = Coverage(builder)
    }
    shared = nil
  }
}
