// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelExpressions

enum Dependency: Hashable {
  case value(String)
  /// A write of an equal value.
  case news(String)
  case control(Engine.ControlLocation)
  case language, page, clock, brightness
  case message
  case start
  /// A binding that is new or must apply again.
  case binding(Int)
}

extension Dependency {
  init?(_ name: Reference) {
    switch name {
    case .value(let name): self = .value(name)
    case .text, .texts, .language: self = .language
    case .page: self = .page
    case .now, .uptime: self = .clock
    case .property(let path) where path.isOfMessage: self = .message
    case .property, .event: return nil
    }
  }
}

/// The bindings, indexed by their dependencies.
struct Dependents: Sendable {
  /// Excludes the bindings in `inputs`.
  private var all: [Dependency: [Int]] = [:]
  private var inputs: [Input] = []
  private var inputsByDependency: [Dependency: [Int]] = [:]
  private(set) var inputIndices: [Access<Reference>: Int] = [:]

  /// A property, or part of a value, that bindings read. Controls and lists change often, but most of their parts don't.
  private struct Input {
    var access: Access<Reference>
    var dependents: [Int]
  }

  var isEmpty: Bool { all.isEmpty }

  subscript(dependency: Dependency) -> [Int] { all[dependency] ?? [] }

  mutating func add(_ binding: Int, on dependency: Dependency) {
    all[dependency, default: []].append(binding)
  }

  mutating func add(_ binding: Int, reading access: Access<Reference>, of dependency: Dependency) {
    if let known = inputIndices[access] {
      inputs[known].dependents.append(binding)
    } else {
      inputIndices[access] = inputs.count
      inputsByDependency[dependency, default: []].append(inputs.count)
      inputs.append(Input(access: access, dependents: [binding]))
    }
  }

  /// Returns the affected bindings, each with its changes. `isChanged` returns whether an input has
  /// changed since its previous call.
  func affected(
    by changes: Set<Dependency>, isChanged: (Access<Reference>, Int) -> Bool
  ) -> [Int: [Dependency]] {
    // Most turns change little.
    guard !all.isEmpty else { return [:] }
    var found: [Int: [Dependency]] = [:]
    for change in changes {
      for index in inputsByDependency[change] ?? [] where isChanged(inputs[index].access, index) {
        for binding in inputs[index].dependents { found[binding, default: []].append(change) }
      }
      // All bindings are evaluated, which makes the current inputs known.
      if change == .start {
        for (index, input) in inputs.enumerated() { _ = isChanged(input.access, index) }
      }
      for binding in all[change] ?? [] { found[binding, default: []].append(change) }
    }
    return found
  }
}
