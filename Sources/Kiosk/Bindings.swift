// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions

/// Something that a binding may depend on.
enum Dependency: Hashable {
  case value(String)
  /// A value was written that is what it was.
  case news(String)
  case control(Engine.Place)
  case language, page, clock, brightness
  /// Changes only at the start. All bindings depend on it.
  case start
}

/// The properties that follow templates, and their dependencies.
struct Bindings: Sendable {
  struct Binding: Sendable {
    /// What follows a template.
    enum Subject: Sendable, CustomStringConvertible {
      case property(PropertyPath, of: Engine.Place)
      case theme, brightness

      var description: String {
        switch self {
        case .property(let path, _): "\(path)"
        case .theme: "theme"
        case .brightness: "brightness"
        }
      }
    }

    var subject: Subject
    var template: TextTemplate
    /// The kind of the property.
    var kind: Value.Kind
    /// Whether the property is a key from which the control is made, rather than its state.
    var isKey: Bool
    /// Whether the property takes note of each value that is written, also of the same.
    var takesNews = false
    /// The value to write back to, where the template is its name.
    var target: String?
  }

  private(set) var all: [Binding] = []
  /// The bindings by their dependencies, in order; those that read properties are in `inputs`.
  private var dependents: [Dependency: [Int]] = [:]

  /// A property that bindings read. Controls change often, as under a finger, but most of their
  /// properties do not.
  struct Input: Sendable {
    var path: PropertyPath
    var dependents: [Int]
    /// Its index among all.
    var index: Int
  }

  private(set) var inputs: [Engine.Place: [Input]] = [:]
  private(set) var inputCount = 0
  /// The bindings that write back, by control.
  private var writers: [Engine.Place: [Int]] = [:]
  private var clockUnits: [Int: CivilTime.Unit] = [:]
  private(set) var byPath: [PropertyPath: Int] = [:]
  /// The binding of the panel's brightness.
  private(set) var brightness: Int?
  /// Errors of templates that name something unknown. Files are checked before, so only programs have
  /// any.
  private(set) var mistakes: [String] = []

  /// The bindings of a kiosk.
  init(_ description: Description, places: [String: Engine.Place]) {
    let names = Names(description)
    for (page, controls) in description.pages.map(\.controls).enumerated() {
      for (control, entry) in controls.enumerated() {
        for (property, template) in entry.bindings.sorted(by: { $0.key < $1.key }) {
          let resolved: TextTemplate
          do throws(ExpressionError) {
            resolved = try template.resolved(in: names)
          } catch {
            mistakes.append("\(entry.id).\(property): \(error.what)")
            continue
          }
          let isKey = entry.source?.isVariable(property) ?? false
          let place = Engine.Place(page: page, control: control)
          let path = PropertyPath(control: entry.id, property: property)
          var binding = Binding(
            subject: .property(path, of: place), template: resolved,
            kind: (isKey ? entry.source?.kind(of: property) : entry.propertyKinds[property])
              ?? .any,
            isKey: isKey)
          binding.takesNews = !isKey && entry.control.takesNews(property)
          if case .value(let name) = resolved.singleName { binding.target = name }
          if binding.target != nil { writers[place, default: []].append(all.count) }
          byPath[path] = all.count
          add(binding, of: [page], description, places)
        }
      }
    }
    for (subject, template, kind) in [
      (Binding.Subject.theme, description.themeChoice, Value.Kind.text),
      (.brightness, description.dimming, .number),
    ] {
      guard let template else { continue }
      var binding = Binding(subject: subject, template: template, kind: kind, isKey: false)
      if case .brightness = subject {
        brightness = all.count
        if case .value(let name) = template.singleName { binding.target = name }
      }
      add(
        binding,
        of: Array(description.pages.indices), description, places)
    }
  }

  /// Adds a binding that is seen on some pages.
  private mutating func add(
    _ binding: Binding, of pages: [Int], _ description: Description,
    _ places: [String: Engine.Place]
  ) {
    let index = all.count
    all.append(binding)
    dependents[.start, default: []].append(index)
    var pending = binding.template.names
    var seen = Set(pending)
    while let name = pending.popLast() {
      if case .property(let path) = name, let place = places[path.control] {
        add(index, reading: path, of: place)
      } else if let dependency = Dependency(name) {
        dependents[dependency, default: []].append(index)
        if binding.takesNews, case .value(let name) = name {
          dependents[.news(name), default: []].append(index)
        }
      }
      // Texts are templates with dependencies of their own.
      guard case .text(let text) = name else { continue }
      for template in (description.texts[text] ?? [:]).values {
        for name in template.names where seen.insert(name).inserted { pending.append(name) }
        for page in pages { add(template.clockUnit, of: page) }
      }
    }
    for page in pages { add(binding.template.clockUnit, of: page) }
  }

  private mutating func add(_ binding: Int, reading path: PropertyPath, of place: Engine.Place) {
    if let known = inputs[place]?.firstIndex(where: { $0.path == path }) {
      inputs[place]?[known].dependents.append(binding)
    } else {
      inputs[place, default: []].append(
        Input(path: path, dependents: [binding], index: inputCount))
      inputCount += 1
    }
  }

  private mutating func add(_ unit: CivilTime.Unit?, of page: Int) {
    guard let unit else { return }
    clockUnits[page] = min(clockUnits[page] ?? unit, unit)
  }

  /// The finest clock unit on a page; nil without clocks.
  func clockUnit(of page: Int) -> CivilTime.Unit? { clockUnits[page] }

  /// The changes that update all bindings.
  var everything: Set<Dependency> { dependents[.start] == nil ? [] : [.start] }

  /// Whether something takes note of it when a value is written that is what it was.
  func takeNews(of name: String) -> Bool { dependents[.news(name)] != nil }

  /// The bindings that depend on `changes`, in order. `isChanged` returns whether a property has
  /// changed since its last call.
  func affected(by changes: Set<Dependency>, isChanged: (Input) -> Bool) -> [Int] {
    // Most turns change little.
    guard !all.isEmpty else { return [] }
    var found: [Int] = []
    for change in changes {
      if case .control(let place) = change {
        for input in inputs[place] ?? [] where isChanged(input) {
          found += input.dependents
        }
      } else {
        found += dependents[change] ?? []
      }
    }
    return found.count < 2 ? found : Set(found).sorted()
  }
}

extension Bindings {
  /// The bindings of controls that write back, in order.
  func written(by places: some Sequence<Engine.Place>) -> [Int] {
    guard !writers.isEmpty else { return [] }
    return places.flatMap { writers[$0] ?? [] }.sorted()
  }
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
