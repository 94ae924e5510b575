// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelExpressions

/// A possible dependency of a binding.
enum Dependency: Hashable {
  case value(String)
  /// A write of an equal value.
  case news(String)
  case control(Engine.ControlLocation)
  case language, page, clock, brightness
  case start
  /// A binding that is new or must apply again.
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

/// The bindings by their dependencies.
struct Dependents: Sendable {
  /// Excludes the bindings in `inputs`.
  private var all: [Dependency: [Int]] = [:]
  private var inputs: [Engine.ControlLocation: [Input]] = [:]
  private(set) var inputCount = 0

  /// A property that bindings read. Controls change often, but most of their properties don't.
  struct Input: Sendable {
    var path: PropertyPath
    var dependents: [Int]
    var index: Int
  }

  var isEmpty: Bool { all.isEmpty }

  var inputIndices: [PropertyPath: Int] {
    inputs.values.joined().reduce(into: [:]) { $0[$1.path] = $1.index }
  }

  subscript(dependency: Dependency) -> [Int] { all[dependency] ?? [] }

  mutating func add(_ binding: Int, on dependency: Dependency) {
    all[dependency, default: []].append(binding)
  }

  mutating func add(_ binding: Int, reading path: PropertyPath, of location: Engine.ControlLocation)
  {
    if let known = inputs[location]?.firstIndex(where: { $0.path == path }) {
      inputs[location]?[known].dependents.append(binding)
    } else {
      inputs[location, default: []].append(
        Input(path: path, dependents: [binding], index: inputCount))
      inputCount += 1
    }
  }

  /// Returns the affected bindings, each with its changes. `isChanged` returns whether a property
  /// has changed since its previous call.
  func affected(by changes: Set<Dependency>, isChanged: (Input) -> Bool) -> [Int: [Dependency]] {
    // Most turns change little.
    guard !all.isEmpty else { return [:] }
    var found: [Int: [Dependency]] = [:]
    for change in changes {
      if case .control(let location) = change {
        for input in inputs[location] ?? [] where isChanged(input) {
          for binding in input.dependents { found[binding, default: []].append(change) }
        }
      } else {
        // All bindings are evaluated, which makes the current properties known.
        if change == .start { for input in inputs.values.joined() { _ = isChanged(input) } }
        for binding in all[change] ?? [] { found[binding, default: []].append(change) }
      }
    }
    return found
  }
}
