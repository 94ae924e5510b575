// SPDX-License-Identifier: MIT

internal import RoundelExpressions

struct Dataflow: Sendable {
  /// The last value of each binding, or nil if it is undefined or not yet evaluated.
  private(set) var bound: [Value?]
  /// The last value of each input that bindings read, by kind of binding.
  private var read: [[Value?]]
  private(set) var undefined: Set<Int> = []
  /// Bindings whose controls still move to a new value.
  private(set) var following: Set<Int> = []
  /// Reactions whose conditions were last true.
  private(set) var holding: Set<Int> = []
  /// Reactions to evaluate even without changes.
  private(set) var unevaluated: Set<Int> = []
  private var reactionChanges: Set<Dependency> = []
  /// The cause of each dependency's last change, with a sequence number.
  private var changers: [Dependency: (cause: Cause, order: UInt64)] = [:]
  private var changeCount: UInt64 = 0

  init(_ bindings: Bindings) {
    bound = [Value?](repeating: nil, count: bindings.all.count)
    read = Bindings.Kind.allCases.map { kind in
      [Value?](repeating: nil, count: bindings[kind].inputIndices.count)
    }
  }

  // MARK: Changes

  mutating func record(_ dependency: Dependency, by cause: Cause, _ bindings: Bindings) {
    if !bindings[.reactions].isEmpty { reactionChanges.insert(dependency) }
    changeCount &+= 1
    changers[dependency] = (cause, changeCount)
  }

  func cause(ofLastOf changes: some Sequence<Dependency>) -> Cause? {
    changes.lazy.compactMap { changers[$0] }.max { $0.order < $1.order }?.cause
  }

  /// Returns the affected bindings of a kind, each with its changes.
  mutating func affected(
    by changes: Set<Dependency>, _ kind: Bindings.Kind, _ scope: EvaluationScope
  ) -> [Int: [Dependency]] {
    scope.plan.bindings[kind].affected(by: changes) { access, index in
      let value = access.part(of: scope.value(of: access.name))
      guard value != read[kind.rawValue][index] else { return false }
      read[kind.rawValue][index] = value
      return true
    }
  }

  // MARK: Bindings

  mutating func set(_ value: Value?, of binding: Int) { bound[binding] = value }

  /// Returns whether the binding was defined before.
  mutating func recordUndefined(_ binding: Int) -> Bool { undefined.insert(binding).inserted }

  mutating func recordDefined(_ binding: Int) { undefined.remove(binding) }

  mutating func beginFollowing(_ binding: Int) { following.insert(binding) }

  mutating func endFollowing(_ binding: Int) { following.remove(binding) }

  // MARK: Reactions

  /// Returns the reactions whose conditions may have changed, in order.
  mutating func takeUnevaluated(_ scope: EvaluationScope) -> [Int] {
    guard !reactionChanges.isEmpty || !unevaluated.isEmpty else { return [] }
    let affected = affected(by: reactionChanges, .reactions, scope)
    defer { (reactionChanges, unevaluated) = ([], []) }
    return unevaluated.union(affected.keys).sorted()
  }

  /// Returns the continuing reactions that wait for their evaluation, and the state to evaluate them from.
  func waitingReactions(
    among taken: Set<Int>, _ scope: EvaluationScope
  ) -> (reactions: [Int], state: Dataflow) {
    var copy = self
    return (copy.takeUnevaluated(scope).filter(taken.contains), self)
  }

  mutating func wait(for waiting: (reactions: [Int], state: Dataflow)) {
    guard !waiting.reactions.isEmpty else { return }
    reactionChanges = waiting.state.reactionChanges
    read[Bindings.Kind.reactions.rawValue] = waiting.state.read[Bindings.Kind.reactions.rawValue]
  }

  mutating func record(_ reaction: Int, holds: Bool) -> Bool {
    if holds { return holding.insert(reaction).inserted }
    holding.remove(reaction)
    return false
  }

  /// Triggers the reaction again if its condition is true at the next evaluation.
  mutating func forget(_ reaction: Int) {
    holding.remove(reaction)
    unevaluated.insert(reaction)
  }

  // MARK: Succession

  /// Returns the continuing bindings. They don't overwrite changes by fingers or clients, sample a
  /// value twice, repeat failures, or trigger for already true conditions.
  ///
  /// - Parameter hasSameTexts: Whether bindings that read strings or the language keep their
  ///   values.
  mutating func adopt(_ mapping: PlanMapping, hasSameTexts: Bool) -> Set<Int> {
    let (bindings, next) = (mapping.former.bindings, mapping.next.bindings)
    let former = self
    self = Dataflow(next)
    var indices: [String: Int] = [:]
    for (index, binding) in bindings.all.enumerated() {
      indices[binding.name(in: mapping.former)] = index
    }
    var taken: Set<Int> = []
    for (index, binding) in next.all.enumerated() {
      guard let before = indices[binding.name(in: mapping.next)],
        bindings.all[before].template == binding.template, hasSameTexts || !binding.readsTexts
      else { continue }
      if former.undefined.contains(before) { undefined.insert(index) }
      switch bindings.all[before].subject {
      case .theme, .brightness: continue
      case .property(_, let location): if mapping[location] == nil { continue }
      case .value, .reaction: break
      }
      taken.insert(index)
      bound[index] = former.bound[before]
      if former.following.contains(before) { following.insert(index) }
      if former.holding.contains(before) { holding.insert(index) }
    }
    for kind in Bindings.Kind.allCases {
      let indices = bindings[kind].inputIndices
      for (access, index) in next[kind].inputIndices {
        if let before = indices[access] {
          read[kind.rawValue][index] = former.read[kind.rawValue][before]
        }
      }
    }
    changeCount = former.changeCount
    for (dependency, change) in former.changers {
      if let dependency = dependency.following(mapping) { changers[dependency] = change }
    }
    reactionChanges = Set(former.reactionChanges.compactMap { $0.following(mapping) })
    return taken
  }
}

extension Dependency {
  /// Returns the dependency in the next plan, or nil if it was removed.
  fileprivate func following(_ mapping: PlanMapping) -> Dependency? {
    switch self {
    case .binding: nil
    case .control(let location): mapping[location].map { .control($0) }
    default: self
    }
  }
}

extension Bindings.Binding {
  fileprivate var readsTexts: Bool {
    template.names.contains { name in
      if case .text = name { true } else { name == .texts || name == .language }
    }
  }

  /// Returns a name that is stable across versions of the kiosk.
  fileprivate func name(in plan: Plan) -> String {
    guard case .reaction(let reaction, let page) = subject else { return "\(subject)" }
    return "\(page.map { plan.pages[$0].name } ?? "") \(reaction)"
  }
}
