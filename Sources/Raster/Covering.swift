// SPDX-License-Identifier: MIT

/// How a tile covers the canvas, and memory for when it moves.
struct Covering {
  /// The remembered coverage that it shows; nil where it shows its own.
  private var shared: Coverage?
  /// Nothing else refers to it. It stays while something else is shown: a shape that comes to rest will
  /// move again.
  private var own: Coverage?

  init(_ coverage: Coverage) { shared = coverage }

  var coverage: Coverage {
    guard let coverage = shared ?? own else { preconditionFailure("one of both is there") }
    return coverage
  }

  /// Whether it can show a new shape without asking for memory, or for hardly any.
  var hasMemory: Bool { own != nil }

  /// Shows a coverage that others may show, too.
  mutating func show(_ coverage: Coverage) { shared = coverage }

  /// Shows the coverage that the builder has collected, in its own memory.
  mutating func show(_ builder: borrowing CoverageBuilder) {
    if isKnownUniquelyReferenced(&own) {
      own?.update(builder)
    } else {
      own = Coverage(builder)
    }
    shared = nil
  }
}
