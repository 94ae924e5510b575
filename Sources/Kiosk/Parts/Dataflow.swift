// SPDX-License-Identifier: MIT

internal import Expressions

/// The state of bindings, computed values and reactions, and the causes of the last changes.
struct Dataflow: Sendable {
  /// The last value of each binding, or nil before the first and if it is undefined.
  private(set) var bound: [Value?]
  /// The last value of each property that bindings read, by their kinds.
  private var read: [[Value?]]
  /// Undefined bindings that have been reported.
  private(set) var undefined: Set<Int> = []
  /// Bindings whose controls are still moving to a new value.
  private(set) var following: Set<Int> = []
  /// Reactions whose conditions held when they were last judged.
  private(set) var holding: Set<Int> = []
  /// Reactions to judge next, whether or not anything changes.
  private(set) var unjudged: Set<Int> = []
  /// Changes for reactions that have not been judged since.
  private var reactionChanges: Set<Dependency> = []
  /// The cause of the last change of each, with its number in the order of changes.
  private var changers: [Dependency: (cause: Cause, order: UInt64)] = [:]
  private var changeCount: UInt64 = 0

  init(_ bindings: Bindings) {
    bound = [Value?](repeating: nil, count: bindings.all.count)
    read = Bindings.Kind.allCases.map {
      [Value?](repeating: nil, count: bindings[$0].inputCount)
    }
  }

  // MARK: Changes

  /// Notes a change and its cause.
  mutating func note(_ dependency: Dependency, by cause: Cause, _ bindings: Bindings) {
    if !bindings[.reactions].isEmpty { reactionChanges.insert(dependency) }
    changeCount &+= 1
    changers[dependency] = (cause, changeCount)
  }

  /// The cause of the last of some changes, or nil if nothing has changed any of them.
  func cause(ofLastOf changes: some Sequence<Dependency>) -> Cause? {
    changes.lazy.compactMap { changers[$0] }.max { $0.order < $1.order }?.cause
  }

  /// The bindings of a kind that depend on changes, each with these.
  mutating func affected(
    by changes: Set<Dependency>, _ kind: Bindings.Kind, _ reading: Reading
  ) -> [Int: [Dependency]] {
    reading.plan.bindings[kind].affected(by: changes) { input in
      let value = reading.value(of: input.path.property, of: input.path.control)
      guard value != read[kind.rawValue][input.index] else { return false }
      read[kind.rawValue][input.index] = value
      return true
    }
  }

  // MARK: Bindings

  mutating func set(_ value: Value?, of binding: Int) { bound[binding] = value }

  /// A binding is undefined. Returns whether that is new.
  mutating func noteUndefined(_ binding: Int) -> Bool { undefined.insert(binding).inserted }

  mutating func noteDefined(_ binding: Int) { undefined.remove(binding) }

  /// The control of a binding moves to a new value.
  mutating func beginFollowing(_ binding: Int) { following.insert(binding) }

  mutating func endFollowing(_ binding: Int) { following.remove(binding) }

  // MARK: Reactions

  /// The reactions to judge now, in order, whose conditions may have changed since the last call.
  mutating func takeUnjudged(_ reading: Reading) -> [Int] {
    guard !reactionChanges.isEmpty || !unjudged.isEmpty else { return [] }
    let affected = affected(by: reactionChanges, .reactions, reading)
    defer { (reactionChanges, unjudged) = ([], []) }
    return unjudged.union(affected.keys).sorted()
  }

  /// Notes whether the condition of a reaction holds. Returns whether it has become true.
  mutating func note(_ reaction: Int, holds: Bool) -> Bool {
    if holds { return holding.insert(reaction).inserted }
    holding.remove(reaction)
    return false
  }

  /// Lets a reaction count as never judged: if its condition is true then, it has become true.
  mutating func forget(_ reaction: Int) {
    holding.remove(reaction)
    unjudged.insert(reaction)
  }

  // MARK: Succession

  /// Takes over a binding's state in the former version.
  mutating func follow(_ binding: Int, _ former: Dataflow, _ before: Int) {
    bound[binding] = former.bound[before]
    if former.undefined.contains(before) { undefined.insert(binding) }
    if former.following.contains(before) { following.insert(binding) }
  }

  /// Takes over the properties that bindings of both versions of the kiosk have read.
  mutating func followInputs(of former: Dataflow, _ old: Bindings, _ new: Bindings) {
    for kind in Bindings.Kind.allCases {
      let indices = old[kind].inputIndices
      for (path, index) in new[kind].inputIndices {
        if let before = indices[path] {
          read[kind.rawValue][index] = former.read[kind.rawValue][before]
        }
      }
    }
  }

  /// Takes over the causes of the last changes. `successor` maps a dependency to its successor, if any.
  mutating func followCauses(of former: Dataflow, _ successor: (Dependency) -> Dependency?) {
    changeCount = former.changeCount
    for (dependency, change) in former.changers {
      if let dependency = successor(dependency) { changers[dependency] = change }
    }
  }
}
