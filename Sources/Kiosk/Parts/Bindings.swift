// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelExpressions

/// The values and properties that follow templates, the reactions, and their dependencies.
struct Bindings: Sendable {
  struct Binding: Sendable {
    enum Subject: Sendable, CustomStringConvertible {
      case value(String)
      case property(PropertyPath, of: Engine.ControlLocation)
      case theme, brightness
      case reaction(Reaction, ofPage: Int?)

      var description: String {
        switch self {
        case .value(let name): name
        case .property(let path, _): "\(path)"
        case .theme: "theme"
        case .brightness: "brightness"
        case .reaction(let reaction, _): "\(reaction)"
        }
      }

      fileprivate var bindingKind: Kind {
        switch self {
        case .value: .values
        case .property, .theme, .brightness: .properties
        case .reaction: .reactions
        }
      }
    }

    var subject: Subject
    var template: TextTemplate
    var kind: Value.Kind
    /// Whether the property is a key, rather than state.
    var isKey: Bool
    /// Whether the property handles each write, even of an equal value.
    var takesNews = false
    /// The value that a `set` of the property sets, if the template is its name.
    var target: String?
    /// Whether a state hides the property; see `PropertyKinds`.
    var isHidden = false
    /// The items that replace an empty list, or nil if the list may be empty.
    var placeholder: Value?
    /// Whether time alone may change the value.
    var followsTime = false
    var computed: [Int] = []
    /// The values with a time limit that the template reads.
    var perishable: [String] = []
    /// Whether changes by fingers are written to the value. Fingers don't change keys.
    var writesBack: Bool { target != nil && !isKey }
  }

  enum Kind: Int, CaseIterable {
    case values, properties, reactions
  }

  private let description: Description
  private let pages: [Page]
  private let locations: [String: Engine.ControlLocation]
  /// All bindings: computed values in dependency order, then properties, then reactions.
  private(set) var all: [Binding] = []
  private var dependents = Kind.allCases.map { _ in Dependents() }
  private(set) var computed: [String: Int] = [:]
  /// The reactions of each page, and the kiosk's under nil.
  private(set) var reactions: [Int?: Range<Int>] = [:]
  private var reactionUpdateIntervals: [Int?: UpdateInterval] = [:]
  private var valueUpdateIntervals: [String: UpdateInterval] = [:]
  /// Names that depend on computed values without an intermediate binding.
  private var computedNames: Set<Reference> = []
  private var writers: [Engine.ControlLocation: [Int]] = [:]
  /// The controls that set values, by value.
  private var operators: [String: [Engine.ControlLocation]] = [:]
  /// Has no entry for pages that time doesn't change.
  private var pageUpdateIntervals: [Int: UpdateInterval] = [:]
  /// The shortest of all bindings, visible or not.
  private(set) var updateInterval: UpdateInterval?
  /// Omits hidden bindings.
  private(set) var byPath: [PropertyPath: Int] = [:]
  private(set) var followers: [String: [Int]] = [:]
  private(set) var brightness: Int?
  /// Errors of unknown names, which only programs have, because files are checked earlier.
  private(set) var diagnostics: [String] = []

  subscript(kind: Kind) -> Dependents { dependents[kind.rawValue] }

  init(_ description: Description, pages: [Page], locations: [String: Engine.ControlLocation]) {
    (self.description, self.pages, self.locations) = (description, pages, locations)
    let names = Names(description)
    addValues()
    for (page, controls) in pages.map(\.controls).enumerated() {
      for (control, entry) in controls.enumerated() {
        for (property, template) in entry.bindings.sorted(by: { $0.key < $1.key }) {
          let resolved: TextTemplate
          do throws(ExpressionError) {
            resolved = try template.resolved(in: names)
          } catch {
            diagnostics.append("\(entry.id).\(property): \(error.what)")
            continue
          }
          let key = entry.source?[property]?.key
          let isKey = key?.role == .variable
          let location = Engine.ControlLocation(page: page, control: control)
          let path = PropertyPath(control: entry.id, property: property)
          var binding = Binding(
            subject: .property(path, of: location), template: resolved,
            kind: (isKey ? key?.valueKind : entry.propertyKinds[property]) ?? .any, isKey: isKey)
          binding.takesNews = !isKey && entry.control.takesNews(property)
          if binding.kind == .list { binding.placeholder = key?.placeholder }
          binding.isHidden = entry.propertyKinds.isHidden(property)
          binding.target = target(of: resolved)
          if binding.writesBack, let target = binding.target {
            writers[location, default: []].append(all.count)
            operators[target, default: []].append(location)
          }
          if !binding.isHidden { byPath[path] = all.count }
          followers[entry.id, default: []].append(all.count)
          add(binding)
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
        binding.target = target(of: template)
      }
      add(binding)
    }
    addReactions(description.reactions, ofPage: nil)
    for (index, page) in description.pages.enumerated() {
      addReactions(page.reactions, ofPage: index)
    }
    findUpdateIntervals()
  }

  private mutating func addReactions(_ own: [Reaction], ofPage page: Int?) {
    let first = all.count
    for reaction in own {
      add(
        Binding(
          subject: .reaction(reaction, ofPage: page), template: TextTemplate(reaction.condition),
          kind: .flag, isKey: false))
    }
    reactions[page] = first..<all.count
  }

  private mutating func findUpdateIntervals() {
    // Values come first, in dependency order.
    for (index, binding) in all.enumerated() {
      let found = updateInterval(
        clockUnit: binding.template.clockUnit, names: binding.template.names)
      if case .value(let name) = binding.subject {
        valueUpdateIntervals[name] = found ?? UpdateInterval()
      }
      guard let found else { continue }
      all[index].followsTime = true
      updateInterval = found.combined(with: updateInterval)
      switch binding.subject {
      // Values are visible only through properties.
      case .value: break
      case .property(_, let location): addRhythm(found, ofPage: location.page)
      case .theme, .brightness:
        for page in pages.indices { addRhythm(found, ofPage: page) }
      case .reaction(_, let page):
        reactionUpdateIntervals[page] = found.combined(with: reactionUpdateIntervals[page])
      }
    }
  }

  private mutating func addRhythm(_ updateInterval: UpdateInterval, ofPage page: Int) {
    pageUpdateIntervals[page] = updateInterval.combined(with: pageUpdateIntervals[page])
  }

  private mutating func addValues() {
    let declared = description.values.reduce(into: [:]) { $0[$1.name] = $1.template }
    guard !declared.isEmpty else { return }
    func reads(_ name: Reference) -> [Reference] {
      switch name {
      case .value(let name): declared[name]?.names ?? []
      case .text(let text): (description.texts[text] ?? [:]).values.flatMap(\.names)
      case .texts: description.texts.keys.map { .text($0) }
      default: []
      }
    }
    let roots = declared.keys.sorted().map { Reference.value($0) }
    for name in readingOrder(roots + [.texts], reads: reads) {
      if case .value(let value) = name, let template = declared[value] {
        computed[value] = all.count
        computedNames.insert(name)
        add(Binding(subject: .value(value), template: template, kind: template.kind, isKey: false))
      } else if readComputed(reads(name)) {
        computedNames.insert(name)
      }
    }
  }

  /// Returns the value that a `set` of a bound property changes instead: the only value in the template.
  private func target(of template: TextTemplate) -> String? {
    guard case .value(let name) = template.singleName, description.isSettable(name) else {
      return nil
    }
    return name
  }

  private mutating func add(_ binding: Binding) {
    let index = all.count
    all.append(binding)
    let perishable = description.values.lazy.filter { $0.staleAfter != nil }.map(\.name)
    let kind = binding.subject.bindingKind.rawValue
    dependents[kind].add(index, on: .start)
    dependents[kind].add(index, on: .binding(index))
    let accesses = accesses(readBy: binding.template)
    let whole = Set(accesses.filter { $0.keys.isEmpty || binding.takesNews }.map(\.name))
    var seen: Set<Reference> = []
    for access in accesses {
      let isNew = seen.insert(access.name).inserted
      switch access.name {
      case .property(let path):
        let location = locations[path.control]
        guard let source = location.map(Dependency.control) ?? Dependency(access.name) else {
          continue
        }
        dependents[kind].add(index, reading: access, of: source)
      case .value(let name):
        if !whole.contains(access.name) {
          dependents[kind].add(index, reading: access, of: .value(name))
        } else if isNew {
          dependents[kind].add(index, on: .value(name))
        }
        guard isNew else { continue }
        if let value = computed[name] { all[index].computed.append(value) }
        if perishable.contains(name) { all[index].perishable.append(name) }
        if binding.takesNews {
          for name in values(behind: name) { dependents[kind].add(index, on: .news(name)) }
        }
      default:
        if isNew, let dependency = Dependency(access.name) {
          dependents[kind].add(index, on: dependency)
        }
      }
    }
  }

  func updateInterval(ofPage page: Int) -> UpdateInterval? { pageUpdateIntervals[page] }

  func updateInterval(ofReactionsOn page: Int) -> UpdateInterval? {
    reactionUpdateIntervals[nil].map { $0.combined(with: reactionUpdateIntervals[page]) }
      ?? reactionUpdateIntervals[page]
  }

  func takeNews(of name: String) -> Bool { !self[.properties][.news(name)].isEmpty }

  func readComputed(_ names: [Reference]) -> Bool {
    !computedNames.isEmpty && names.contains { computedNames.contains($0) }
  }

  /// Returns the settable values behind a value: itself, unless it is computed.
  private func values(behind name: String) -> Set<String> {
    var found: Set<String> = []
    var pending = [name]
    var seen = Set(pending)
    while let name = pending.popLast() {
      guard let index = computed[name] else {
        found.insert(name)
        continue
      }
      for case .value(let read) in all[index].template.names where seen.insert(read).inserted {
        pending.append(read)
      }
    }
    return found
  }
}

extension Bindings {
  /// Includes its strings, and its controls' templates on any page. Nil if time alone doesn't
  /// change the value.
  func updateInterval(clockUnit: CivilTime.Unit?, names: [Reference]) -> UpdateInterval? {
    var updateInterval = UpdateInterval(clockUnit: clockUnit)
    var pending = names
    var seen = Set(pending)
    while let name = pending.popLast() {
      if name == .uptime { updateInterval.readsUptime = true }
      if case .value(let value) = name, let known = valueUpdateIntervals[value] {
        updateInterval = known.combined(with: updateInterval)
        continue
      }
      for template in templates(behind: name) {
        updateInterval = UpdateInterval(clockUnit: template.clockUnit).combined(
          with: updateInterval)
        for name in template.names where seen.insert(name).inserted { pending.append(name) }
      }
    }
    return updateInterval.isNever ? nil : updateInterval
  }

  private func templates(behind name: Reference) -> [TextTemplate] {
    switch name {
    case .text(let text): Array((description.texts[text] ?? [:]).values)
    case .texts: description.texts.values.flatMap(\.values)
    case .property(let path):
      // A property without a template may be state that another property changes.
      if let index = byPath[path] {
        [all[index].template]
      } else {
        followers[path.control, default: []].map { all[$0].template }
      }
    case .value(let name):
      if let value = computed[name] {
        [all[value].template]
      } else if name == Description.themeValue, description.namesTheme {
        description.themeChoice.map { [$0] } ?? []
      } else {
        []
      }
    case .event, .language, .page, .now, .uptime: []
    }
  }

  /// Returns the controls whose state follows a value, directly or through other values, strings and controls.
  func controls(following value: String) -> [String] {
    var changed: Set<Reference> = [.value(value)]
    var controls: Set<String> = []
    var found: [String] = []
    var waiting = Array(all.indices)
    var count = waiting.count + 1
    while waiting.count < count {
      count = waiting.count
      waiting.removeAll { index in
        let binding = all[index]
        let isAffected = names(readBy: binding.template).contains { name in
          if case .property(let path) = name { return controls.contains(path.control) }
          return changed.contains(name)
        }
        guard isAffected else { return false }
        switch binding.subject {
        case .value(let name): changed.insert(.value(name))
        case .property(let path, _):
          controls.insert(path.control)
          // Keys, such as colours, don't start motion.
          if !binding.isKey, !found.contains(path.control) { found.append(path.control) }
        case .theme, .brightness, .reaction: break
        }
        return true
      }
    }
    return found
  }

  /// Includes names read through strings, without duplicates.
  private func names(readBy template: TextTemplate) -> [Reference] {
    var seen: Set<Reference> = []
    return accesses(readBy: template).map(\.name).filter { seen.insert($0).inserted }
  }

  private func accesses(readBy template: TextTemplate) -> [Access<Reference>] {
    var pending = template.accesses
    var seen = Set(pending)
    var found: [Access<Reference>] = []
    while let access = pending.popLast() {
      found.append(access)
      let templates: [TextTemplate] =
        switch access.name {
        case .text, .texts: self.templates(behind: access.name)
        default: []
        }
      for template in templates {
        for access in template.accesses where seen.insert(access).inserted {
          pending.append(access)
        }
      }
    }
    return found
  }

  /// The controls that set values behind these names, and of properties among them.
  func controls(operating names: [Reference]) -> [Engine.ControlLocation] {
    var found: [Engine.ControlLocation] = []
    var pending = names
    var seen = Set(pending)
    while let name = pending.popLast() {
      switch name {
      case .value(let name):
        guard let index = computed[name] else {
          found += operators[name] ?? []
          continue
        }
        for name in self.names(readBy: all[index].template) where seen.insert(name).inserted {
          pending.append(name)
        }
      case .property(let path): if let location = locations[path.control] { found.append(location) }
      case .text, .texts, .event, .language, .page, .now, .uptime: break
      }
    }
    return found
  }

  func written(by locations: some Sequence<Engine.ControlLocation>) -> [Int] {
    guard !writers.isEmpty else { return [] }
    return locations.flatMap { writers[$0] ?? [] }.sorted()
  }
}
