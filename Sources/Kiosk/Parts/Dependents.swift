// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions

/// Something that a binding may depend on.
enum Dependency: Hashable {
  case value(String)
  /// A value was written that equals the old one.
  case news(String)
  case control(Engine.Place)
  case language, page, clock, brightness
  /// Changes only at the start. All bindings depend on it.
  case start
  /// Changes only if a new version of the file adds the binding or makes it apply again.
  case binding(Int)
}

extension Dependency {
  init?(_ name: Reference) {
    switch name {
    case .value(let name): self = .value(name)
    case .text, .language: self = .language
    case .page: self = .page
    case .now, .uptime: self = .clock
    case .property, .event: return nil
    }
  }
}

/// Bindings by what they depend on.
struct Dependents: Sendable {
  /// In order; those that read properties are in `inputs`.
  private var all: [Dependency: [Int]] = [:]
  /// The properties of controls that bindings read.
  private var inputs: [Engine.Place: [Input]] = [:]
  /// How many properties are read.
  private(set) var inputCount = 0

  /// A property that bindings read. Controls change often, as under a finger, but most of their
  /// properties do not.
  struct Input: Sendable {
    var path: PropertyPath
    var dependents: [Int]
    /// Its index among all.
    var index: Int
  }

  var isEmpty: Bool { all.isEmpty }

  /// The index of each property among the inputs.
  var inputIndices: [PropertyPath: Int] {
    inputs.values.joined().reduce(into: [:]) { $0[$1.path] = $1.index }
  }

  subscript(dependency: Dependency) -> [Int] { all[dependency] ?? [] }

  mutating func add(_ binding: Int, on dependency: Dependency) {
    all[dependency, default: []].append(binding)
  }

  mutating func add(_ binding: Int, reading path: PropertyPath, of place: Engine.Place) {
    if let known = inputs[place]?.firstIndex(where: { $0.path == path }) {
      inputs[place]?[known].dependents.append(binding)
    } else {
      inputs[place, default: []].append(
        Input(path: path, dependents: [binding], index: inputCount))
      inputCount += 1
    }
  }

  /// The bindings that depend on `changes`, each with those of them that it depends on. `isChanged`
  /// returns whether a property has changed since its last call.
  func affected(
    by changes: Set<Dependency>, isChanged: (Input) -> Bool
  ) -> [Int: [Dependency]] {
    // Most turns change little.
    guard !all.isEmpty else { return [:] }
    var found: [Int: [Dependency]] = [:]
    for change in changes {
      if case .control(let place) = change {
        for input in inputs[place] ?? [] where isChanged(input) {
          for binding in input.dependents { found[binding, default: []].append(change) }
        }
      } else {
        // All bindings are evaluated, so the present properties are known from then on.
        if change == .start { for input in inputs.values.joined() { _ = isChanged(input) } }
        for binding in all[change] ?? [] { found[binding, default: []].append(change) }
      }
    }
    return found
  }
}
