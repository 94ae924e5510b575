// SPDX-License-Identifier: MIT

internal import Controls
public import Expressions
internal import Motion

extension Engine {
  /// The value of a control's property; nil if there is no such control or property.
  public func value(of property: String, of id: String) -> Value? {
    guard let place = places[id] else {
      return isBrightness(PropertyPath(control: id, property: property))
        ? .number(brightness ?? 1) : nil
    }
    let entry = pages[place.page].controls[place.control]
    return switch property {
    case "enabled": .flag(entry.isEnabled)
    case "visible": .flag(entry.isVisible)
    default:
      entry.control.value(of: property, at: now) ?? entry.changedKeys[property]
        ?? entry.source?.value(of: property)
    }
  }

  /// The computed values and the properties that follow templates, each with the value that a `set` of it
  /// sets in its place; nil where it cannot be set.
  package var boundProperties: [(property: String, value: String?)] {
    bindings.all.compactMap { binding in
      switch binding.subject {
      case .property(let path, _): binding.isHidden ? nil : ("\(path)", binding.target)
      case .brightness: ("screen.brightness", binding.target)
      case .value(let name): (name, nil)
      case .theme, .reaction: nil
      }
    }
  }

  /// The present values of names; those of an event, too, for its actions.
  func scope(_ event: Event? = nil) -> MomentScope { MomentScope(engine: self, event: event) }

  /// Sets a value, a property, or the language. Where a property is bound to the name of a value, that
  /// value is set.
  mutating func write(_ value: Value, to target: Reference) throws(PropertyError) {
    switch target {
    case .value(let name): try write(value, toValue: name)
    case .property(let path):
      if isBrightness(path) {
        try write(brightness: value)
      } else if let index = bindings.byPath[path] {
        guard let name = bindings.all[index].target else {
          throw .bound(path.property)
        }
        try write(value, toValue: name)
      } else {
        if value.kind == .list, let limit = value.exceededLimit {
          throw .unsuitable(path.property, expected: limit)
        }
        try change(path.property, of: path.control, to: value)
      }
    case .language:
      guard case .text(let language) = value, description.languages.contains(language) else {
        let languages = description.languages.joined(separator: " or ")
        throw .unsuitable(
          "language", expected: languages.isEmpty ? "no value without \"languages\"" : languages)
      }
      guard language != self.language else { return }
      change(toLanguage: language)
    case .text, .event, .page, .now, .uptime: throw .readOnly("\(target)")
    }
  }

  private mutating func write(_ value: Value, toValue name: String) throws(PropertyError) {
    guard let declaration = description.values.first(where: { $0.name == name }) else {
      if name == Description.textScaleValue { return try write(textScale: value) }
      throw values[name] == nil ? .unknown(name) : .readOnly(name)
    }
    guard declaration.template == nil else { throw .bound(name) }
    guard let fitted = declaration.fitted(value) else {
      throw .unsuitable(name, expected: declaration.expected(insteadOf: value))
    }
    if declaration.staleAfter != nil { settingTimes[name] = now }
    guard values[name] != fitted else {
      if bindings.takeNews(of: name) { noteChange(of: .news(name)) }
      return
    }
    values[name] = fitted
    noteChange(of: .value(name))
  }

  /// The scale of texts; 1 is the usual size.
  var textScale: Double {
    guard description.scalesTexts, case .number(let scale)? = values[Description.textScaleValue]
    else { return 1 }
    return scale
  }

  private mutating func write(textScale value: Value) throws(PropertyError) {
    let declaration = ValueDeclaration.textScale
    guard let scale = declaration.fitted(value) else {
      throw .unsuitable(declaration.name, expected: declaration.expected)
    }
    guard values[Description.textScaleValue] != scale else { return }
    values[Description.textScaleValue] = scale
    noteChange(of: .value(Description.textScaleValue))
  }

  /// Whether it is `screen.brightness`, the panel's, unless a control is called `screen`.
  func isBrightness(_ path: PropertyPath) -> Bool {
    path.control == "screen" && path.property == "brightness" && places[path.control] == nil
  }

  /// Sets the panel's brightness, or the value that it follows, until the file is read again.
  private mutating func write(brightness value: Value) throws(PropertyError) {
    guard case .number(let number) = value, number.isFinite else {
      throw .unsuitable("screen.brightness", expected: "a number, 0 … 1")
    }
    if let index = bindings.brightness {
      guard let name = bindings.all[index].target else { throw .bound("screen.brightness") }
      try write(.number(min(max(number, 0), 1)), toValue: name)
    } else {
      brightness = min(max(number, 0), 1)
      noteChange(of: .brightness)
    }
  }

  // MARK: Bindings

  /// Updates computed values and bindings until nothing changes. Files have no circular bindings; circular
  /// bindings of a program end with the budget. A binding acts with the cause of the change that it follows.
  mutating func updateBindings(_ budget: inout WorkBudget) {
    while !changes.isEmpty {
      computeValues(&budget)
      let changed = changes
      changes = []
      writeBack()
      computeValues(&budget)
      var keys: [Place: NewKeys] = [:]
      for (index, own, isNews) in affected(by: changed) {
        cause = own
        guard (try? budget.spend(16)) != nil else {
          return drop(from: "\(bindings.all[index].subject)")
        }
        follow(index, isNews: isNews, &keys, &budget)
      }
      for (place, new) in keys.sorted(by: {
        ($0.key.page, $0.key.control) < ($1.key.page, $1.key.control)
      }) {
        cause = new.cause
        guard follow(place, new.values, undefinedKeys: new.undefined, &budget) else {
          return drop(from: pages[place.page].controls[place.control].id)
        }
      }
      doWaitingWrites()
    }
  }

  /// Leaves bindings as they are: this turn has done as much work as one turn may.
  private mutating func drop(from first: String) {
    fail(
      "bindings take more work than one turn allows; \(first) and what follows it were "
        + "dropped")
    changes = []
    valueChanges = []
  }

  /// The keys of a control that follow something new, and what has caused that.
  private struct NewKeys {
    var values: [String: Value] = [:]
    /// The keys whose values are "–", or contain it.
    var undefined: Set<String> = []
    var cause = Cause.time
  }

  /// The bindings of properties that depend on changes, in order. `isNews` is false if a binding is only
  /// evaluated because the kiosk starts or follows another version of its file.
  private mutating func affected(
    by changed: Set<Dependency>
  ) -> [(binding: Int, cause: Cause, isNews: Bool)] {
    affected(by: changed, in: bindings.ofProperties, \.read)
      .sorted { $0.key < $1.key }
      .map { ($0.key, cause(ofLastOf: $0.value), $0.value.contains { $0 != .start }) }
  }

  /// The bindings that depend on changes, each with these. `read` is what they have last read of
  /// controls.
  mutating func affected(
    by changed: Set<Dependency>, in dependents: Dependents,
    _ read: WritableKeyPath<Engine, [Value?]>
  ) -> [Int: [Dependency]] {
    var known = self[keyPath: read]
    let affected = dependents.affected(by: changed) { input in
      let value = value(of: input.path.property, of: input.path.control)
      guard value != known[input.index] else { return false }
      known[input.index] = value
      return true
    }
    self[keyPath: read] = known
    return affected
  }

  /// Computes the values again that depend on changes, each after the values that it reads.
  mutating func computeValues(_ budget: inout WorkBudget) {
    guard !valueChanges.isEmpty else { return }
    let own = cause
    defer { cause = own }
    var waiting = affected(by: valueChanges, in: bindings.ofValues, \.readByValues)
    valueChanges = []
    guard var next = waiting.keys.min() else { return }
    while !waiting.isEmpty {
      defer { next += 1 }
      guard let changes = waiting.removeValue(forKey: next) else { continue }
      cause = cause(ofLastOf: changes)
      guard (try? budget.spend(16)) != nil else {
        drop(from: "\(bindings.all[next].subject)")
        break
      }
      guard let name = compute(next, &budget) else { continue }
      for dependent in bindings.ofValues[.value(name)] {
        waiting[dependent, default: []].append(.value(name))
      }
    }
    valueChanges = []
  }

  /// Computes a value; returns its name if it has changed.
  private mutating func compute(_ index: Int, _ budget: inout WorkBudget) -> String? {
    let binding = bindings.all[index]
    guard case .value(let name) = binding.subject else { return nil }
    var failure: EvaluationError?
    let value = value(of: binding, &failure, &budget)
    // How often it fails as time passes depends on how far time is advanced at once, so the binding that shows
    // the value fails instead.
    if !binding.followsTime { note(failure, of: index) }
    guard value != values[name] else { return nil }
    values[name] = value
    noteChange(of: .value(name))
    return name
  }

  /// The value of a binding's template; nil where it is undefined.
  func value(
    of binding: Bindings.Binding, _ failure: inout EvaluationError?, _ budget: inout WorkBudget
  ) -> Value? {
    guard let expression = binding.template.expression else {
      return .text(binding.template.text(in: scope(), budget: &budget, failure: &failure))
    }
    do throws(EvaluationError) {
      return try expression.value(in: scope(), budget: &budget)
    } catch {
      failure = error
      return nil
    }
  }

  /// Reports that a binding is undefined, once until it is defined again, unless the cause is a computed value
  /// that has been reported, or a stale value.
  mutating func note(_ failure: EvaluationError?, of index: Int) {
    guard let failure else {
      undefined.remove(index)
      return
    }
    let binding = bindings.all[index]
    guard undefined.insert(index).inserted,
      !binding.computed.contains(where: undefined.contains),
      binding.perishable.allSatisfy({ values[$0] != nil })
    else { return }
    fail("\(binding.subject): \(failure)")
  }

  /// Updates bindings with a budget of their own.
  mutating func applyBindings() {
    var budget = WorkBudget(Self.turnUnits)
    updateBindings(&budget)
  }

  /// Uses another language from now on.
  mutating func change(toLanguage language: String) {
    self.language = language
    noteChange(of: .language)
    report("language", [Field("language", .text(language))])
    matchDirection()
  }

  /// Sets a property to the value that it is bound to. An undefined value shows as "–" and is reported
  /// once until it is defined again.
  ///
  /// Values of keys are collected in `keys`, so that those of a control change together.
  private mutating func follow(
    _ index: Int, isNews: Bool, _ keys: inout [Place: NewKeys], _ budget: inout WorkBudget
  ) {
    let binding = bindings.all[index]
    var failure: EvaluationError?
    var value = value(of: binding, &failure, &budget)
    if binding.kind == .text {
      value = .text(value?.display ?? TextTemplate.placeholder)
    } else if value == nil, binding.takesNews {
      value = .number(.nan)
    } else if value == .list([]) {
      value = binding.placeholder ?? value
    }
    let isUnseen = binding.followsTime && !isSeen(binding)
    // How often it fails depends on how far time is advanced at once. It fails when it is seen.
    if !isUnseen { note(failure, of: index) }
    guard let value, value != bound[index] || binding.takesNews && isNews else { return }
    bound[index] = value
    let (path, place): (PropertyPath, Place)
    switch binding.subject {
    case .value, .reaction: return
    case .property(let bound, let owner): (path, place) = (bound, owner)
    case .theme:
      if failure == nil { change(toTheme: value.display) }
      return
    case .brightness:
      if case .number(let number) = value { brightness = min(max(number, 0), 1) }
      noteChange(of: .brightness)
      return
    }
    guard !binding.isKey else {
      keys[place, default: NewKeys()].values[path.property] = value
      if failure != nil { keys[place]?.undefined.insert(path.property) }
      keys[place]?.cause = cause
      return
    }
    do throws(PropertyError) {
      try change(path.property, of: path.control, to: value)
    } catch {
      if isUnseen { bound[index] = nil } else if failure == nil { refuse("\(path): \(error)") }
    }
    // A control that does not move on its way to the value has arrived.
    if binding.writesBack, !isHeld(place),
      pages[place.page].controls[place.control].control.isMoving(at: now)
    {
      following.insert(index)
    }
  }

  /// Whether the page that shows a property's value is shown.
  private func isSeen(_ binding: Bindings.Binding) -> Bool {
    guard case .property(_, let place) = binding.subject else { return !isBlank }
    return place.page == shownPage && !isBlank
  }

  /// Shows the kiosk in one of its themes.
  package mutating func show(inTheme name: String) { turn { $0.change(toTheme: name) } }

  /// Shows the kiosk in a theme. An unknown name is a failure and changes nothing.
  private mutating func change(toTheme name: String) {
    guard let theme = description.themes[name] else {
      return refuse("theme: there is no theme \"\(name)\"")
    }
    self.theme = theme
    guard description.namesTheme else { return }
    values[Description.themeValue] = .text(name)
    noteChange(of: .value(Description.themeValue))
  }

  /// Changes the keys of a control that follow something. Keys that do not take their values are reported, and
  /// the others apply. A key that does not take "–", such as a colour, stays as it is: the undefined value has
  /// been reported already. Returns false where that is too much work.
  private mutating func follow(
    _ place: Place, _ values: [String: Value], undefinedKeys: Set<String>,
    _ budget: inout WorkBudget
  ) -> Bool {
    let items = values.values.reduce(0) {
      if case .list(let items) = $1 { $0 + items.count } else { $0 }
    }
    guard (try? budget.spend(keyCost(place) + Self.itemUnits * items)) != nil else { return false }
    guard let change = change(of: values, at: place) else { return true }
    let id = pages[place.page].controls[place.control].id
    for (key, what) in change.refusals where !undefinedKeys.contains(key) {
      refuse("\(id).\(key): \(PropertyError.unsuitable(key, expected: "another value: \(what)"))")
    }
    let refused = Set(change.refusals.map(\.key))
    let rest = values.filter { !refused.contains($0.key) }
    guard let conflict = change.conflict else {
      if !rest.isEmpty { carryOut(change, rest, of: place) }
      return true
    }
    // Each half is tried by itself.
    let keys = rest.keys.sorted()
    if keys.count < 2 {
      for key in keys {
        refuse(
          "\(id).\(key): \(PropertyError.unsuitable(key, expected: "another value: \(conflict)"))")
      }
      return true
    }
    let half = Set(keys[..<(keys.count / 2)])
    let (first, second) = (
      rest.filter { half.contains($0.key) }, rest.filter { !half.contains($0.key) }
    )
    return follow(place, first, undefinedKeys: undefinedKeys, &budget)
      && follow(place, second, undefinedKeys: undefinedKeys, &budget)
  }

  /// Writes back to values what fingers and commands have changed on bound controls. Motion that
  /// follows a written value is not written back.
  ///
  /// Only at detents and at rest, which have exact moments: positions between them depend on the frame
  /// rate.
  private mutating func writeBack() {
    let causes = reporting
    reporting = [:]
    let own = cause
    defer { cause = own }
    for index in bindings.written(by: causes.keys) {
      let binding = bindings.all[index]
      guard case .property(let path, let place) = binding.subject else { continue }
      cause = causes[place] ?? own
      let control = pages[place.page].controls[place.control].control
      if following.contains(index), !isHeld(place) {
        if !control.isMoving(at: now) { following.remove(index) }
        continue
      }
      following.remove(index)
      guard let name = binding.target,
        let value = value(of: path.property, of: path.control),
        value != bound[index]
      else { continue }
      bound[index] = value
      try? write(value, toValue: name)
      // If the value was clamped, the control follows it, even if the value has not changed.
      if values[name] != value { noteChange(of: .value(name)) }
    }
  }

  /// Sets the properties that were set while a finger held their control, if it is released.
  private mutating func doWaitingWrites() {
    guard !writes.isEmpty else { return }
    for (path, write) in writes.sorted(by: { $0.key.description < $1.key.description }) {
      guard let place = places[path.control], !isHeld(place) else { continue }
      writes[path] = nil
      cause = write.cause
      do throws(PropertyError) {
        try change(path.property, of: path.control, to: write.value)
      } catch {
        refuse("set \(path): \(error)")
      }
    }
  }
}

/// The values of names at one moment.
struct MomentScope: Scope {
  let engine: Engine
  let event: Event?

  func value(
    of name: Reference, budget: inout WorkBudget
  ) throws(EvaluationError) -> Value {
    let value: Value?
    switch name {
    case .text(let name):
      guard let template = engine.description.texts[name]?[engine.language] else {
        throw .undefined("texts.\(name) has no \(engine.language)")
      }
      value = try template.value(in: self, budget: &budget)
    case .event(let name): value = field(name)
    default: value = engine.value(of: name)
    }
    guard let value else { throw .undefined("\(name) has no value") }
    return value
  }

  private func field(_ name: String) -> Value? {
    guard let event else { return nil }
    if let value = event[name] ?? event.secrets.first(where: { $0.name == name })?.value {
      return value
    }
    return switch name {
    // A menu also tells that there is none.
    case "item": .text(event.item ?? "")
    case "control": event.control.map { .text($0) }
    case "event": .text(event.name)
    case "by": .text(event.cause.rawValue)
    default: nil
    }
  }
}
