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
    /// The property that follows a template.
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
    /// The value that a `set` of the property sets, where the template is its name.
    var target: String?
    /// Whether the control has a state of the property's name, as a menu has a `label`: the name means
    /// the state, which neither follows the template nor is written back.
    var isHidden = false
    /// Whether its value may change with time alone.
    var followsTime = false
    /// Whether what fingers do is written to the value. No finger changes a key.
    var writesBack: Bool { target != nil && !isKey }
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
  /// How often what a page shows may change with time alone, by page; none where it never does.
  private var pageRhythms: [Int: Rhythm] = [:]
  /// How often anything bound may change with time alone, whether it is seen or not.
  private(set) var rhythm: Rhythm?
  /// By the properties that follow them; those that are hidden are not among them.
  private(set) var byPath: [PropertyPath: Int] = [:]
  /// The bindings of each control, by id.
  private(set) var followers: [String: [Int]] = [:]
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
          binding.isHidden = isKey && entry.propertyKinds.state(property) != nil
          if case .value(let name) = resolved.singleName { binding.target = name }
          if binding.writesBack { writers[place, default: []].append(all.count) }
          if !binding.isHidden { byPath[path] = all.count }
          followers[entry.id, default: []].append(all.count)
          add(binding, description, places)
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
      add(binding, description, places)
    }
    for (index, binding) in all.enumerated() {
      guard let found = rhythm(of: binding.template, in: description) else { continue }
      all[index].followsTime = true
      rhythm = found.joined(with: rhythm)
      let pages =
        if case .property(_, let place) = binding.subject { place.page..<place.page + 1 } else {
          description.pages.indices
        }
      for page in pages { pageRhythms[page] = found.joined(with: pageRhythms[page]) }
    }
  }

  private mutating func add(
    _ binding: Binding, _ description: Description, _ places: [String: Engine.Place]
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
      }
    }
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

  /// How often what a page shows may change with time alone; nil where it never does.
  func rhythm(ofPage page: Int) -> Rhythm? { pageRhythms[page] }

  /// Whether something takes note of it when a value is written that is what it was.
  func takeNews(of name: String) -> Bool { dependents[.news(name)] != nil }

  /// The bindings that depend on `changes`, in order, each with those of them that it depends on.
  /// `isChanged` returns whether a property has changed since its last call.
  func affected(
    by changes: Set<Dependency>, isChanged: (Input) -> Bool
  ) -> [(binding: Int, changes: [Dependency])] {
    // Most turns change little.
    guard !all.isEmpty else { return [] }
    var found: [Int: [Dependency]] = [:]
    for change in changes {
      if case .control(let place) = change {
        for input in inputs[place] ?? [] where isChanged(input) {
          for binding in input.dependents { found[binding, default: []].append(change) }
        }
      } else {
        for binding in dependents[change] ?? [] { found[binding, default: []].append(change) }
      }
    }
    return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension Bindings {
  /// How often the value of a template may change with time alone; nil where it never does.
  func rhythm(of template: TextTemplate, in description: Description) -> Rhythm? {
    rhythm(clockUnit: template.clockUnit, names: template.names, in: description)
  }

  /// How often what reads these names, and the clock by a unit, may change with time alone: also by the
  /// texts that it reads, and by what the controls that it reads follow, on any page.
  func rhythm(
    clockUnit: CivilTime.Unit?, names: [Reference], in description: Description
  ) -> Rhythm? {
    var rhythm = Rhythm(clockUnit: clockUnit)
    var pending = names
    var seen = Set(pending)
    while let name = pending.popLast() {
      if name == .uptime { rhythm.readsUptime = true }
      for template in templates(behind: name, in: description) {
        rhythm = Rhythm(clockUnit: template.clockUnit).joined(with: rhythm)
        for name in template.names where seen.insert(name).inserted { pending.append(name) }
      }
    }
    return rhythm.isNever ? nil : rhythm
  }

  /// The templates that say what a name is worth.
  private func templates(behind name: Reference, in description: Description) -> [TextTemplate] {
    switch name {
    case .text(let text): Array((description.texts[text] ?? [:]).values)
    case .property(let path):
      // What follows no template itself may be a state that another property changes.
      if let index = byPath[path] {
        [all[index].template]
      } else {
        followers[path.control, default: []].map { all[$0].template }
      }
    case .value, .event, .language, .page, .now, .uptime: []
    }
  }

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
