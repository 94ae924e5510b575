// SPDX-License-Identifier: MIT

internal import RoundelControls
public import RoundelExpressions
internal import RoundelMotion

extension Engine {
  /// Returns nil for unknown names, entries of `texts` and fields of events.
  public func value(of name: Reference) -> Value? { scope().value(of: name) }

  /// Returns nil if the control or property doesn't exist.
  public func value(of property: String, of id: String) -> Value? {
    scope().value(of: property, of: id)
  }

  /// The computed values and bound properties, each with the value that a `set` sets instead, or
  /// nil. Without the built-in page for messages.
  package var boundProperties: [(property: String, value: String?)] {
    plan.bindings.all.compactMap { binding in
      switch binding.subject {
      case .property(let path, let location):
        binding.isHidden || location.page >= declaredPages.count
          ? nil : ("\(path)", binding.target)
      case .brightness: ("screen.brightness", binding.target)
      case .value(let name): (name, nil)
      case .theme, .reaction: nil
      }
    }
  }

  func scope(_ event: Event? = nil) -> EvaluationScope {
    EvaluationScope(
      plan: plan, pages: controls.pages, values: store.all, language: language,
      shownPage: shownPage, overlay: overlay, message: overlays.message, brightness: brightness,
      clock: time, event: event)
  }

  /// A property bound to a value's name sets that value.
  mutating func write(_ value: Value, to target: Reference, _ turn: inout Turn)
    throws(PropertyError)
  {
    switch target {
    case .value(let name): try write(value, toValue: name, &turn)
    case .property(let path):
      if plan.isBrightness(path) {
        try write(brightness: value, &turn)
      } else if let index = plan.bindings.byPath[path] {
        guard let name = plan.bindings.all[index].target else { throw .bound(path.property) }
        try write(value, toValue: name, &turn)
      } else {
        if value.kind == .list, let limit = value.exceededLimit {
          throw .unsuitable(path.property, expected: limit)
        }
        try change(path.property, of: path.control, to: value, &turn)
      }
    case .language:
      guard case .text(let language) = value, description.languages.contains(language) else {
        let languages = description.languages.joined(separator: " or ")
        throw .unsuitable(
          "language", expected: languages.isEmpty ? "no value without \"languages\"" : languages)
      }
      guard language != self.language else { return }
      change(toLanguage: language, &turn)
    case .text, .texts, .event, .page, .now, .uptime: throw .readOnly("\(target)")
    }
  }

  private mutating func write(_ value: Value, toValue name: String, _ turn: inout Turn)
    throws(PropertyError)
  {
    guard let declaration = description.values.first(where: { $0.name == name }) else {
      if name == Description.textScaleValue { return try write(textScale: value, &turn) }
      throw store[name] == nil && !description.isOverlay(name) ? .unknown(name) : .readOnly(name)
    }
    guard declaration.template == nil else { throw .bound(name) }
    guard let fitted = declaration.fitted(value) else {
      throw .unsuitable(name, expected: declaration.expected(insteadOf: value))
    }
    if declaration.staleAfter != nil { store.recordSetting(of: name, at: now) }
    guard store[name] != fitted else {
      if plan.bindings.takeNews(of: name) { recordChange(of: .news(name), &turn) }
      return
    }
    store.set(name, to: fitted)
    recordChange(of: .value(name), &turn)
  }

  var textScale: Double {
    guard description.scalesTexts, case .number(let scale)? = store[Description.textScaleValue]
    else { return 1 }
    return scale
  }

  private mutating func write(textScale value: Value, _ turn: inout Turn) throws(PropertyError) {
    let declaration = ValueDeclaration.textScale
    guard let scale = declaration.fitted(value) else {
      throw .unsuitable(declaration.name, expected: declaration.expected)
    }
    guard store[Description.textScaleValue] != scale else { return }
    store.set(Description.textScaleValue, to: scale)
    recordChange(of: .value(Description.textScaleValue), &turn)
  }

  /// Sets the panel's brightness, or the value that it follows.
  private mutating func write(brightness value: Value, _ turn: inout Turn) throws(PropertyError) {
    guard case .number(let number) = value, number.isFinite else {
      throw .unsuitable("screen.brightness", expected: "a number from 0 to 1")
    }
    if let index = plan.bindings.brightness {
      guard let name = plan.bindings.all[index].target else { throw .bound("screen.brightness") }
      try write(.number(min(max(number, 0), 1)), toValue: name, &turn)
    } else {
      appearance.set(brightness: number)
      recordChange(of: .brightness, &turn)
    }
  }

  // MARK: Bindings

  /// Updates computed values and bindings until nothing changes. Files have no circular bindings,
  /// and the budget ends programs'. A binding has the cause of the change that it follows.
  mutating func updateBindings(_ turn: inout Turn) {
    while !turn.changes.isEmpty {
      computeValues(&turn)
      let changed = turn.takeChanges()
      writeBack(&turn)
      computeValues(&turn)
      var keys: [ControlLocation: NewKeys] = [:]
      for (index, own, isNews) in affected(by: changed, turn) {
        turn.cause = own
        guard (try? turn.budget.spend(16)) != nil else {
          return drop(from: "\(plan.bindings.all[index].subject)", &turn)
        }
        follow(index, isNews: isNews, &keys, &turn)
      }
      for (location, new) in keys.sorted(by: {
        ($0.key.page, $0.key.control) < ($1.key.page, $1.key.control)
      }) {
        turn.cause = new.cause
        guard follow(location, new.values, undefinedKeys: new.undefined, &turn) else {
          return drop(from: controls[location].id, &turn)
        }
      }
      performDeferredWrites(&turn)
    }
  }

  private mutating func drop(from first: String, _ turn: inout Turn) {
    fail(
      "bindings take more work than one update allows; \(first) and the following bindings "
        + "were dropped", &turn)
    _ = turn.takeChanges()
    _ = turn.takeValueChanges()
  }

  private struct NewKeys {
    var values: [String: Value] = [:]
    /// The keys whose values are or contain "–".
    var undefined: Set<String> = []
    var cause = Cause.time
  }

  /// Returns the affected property bindings in order. `isNews` is false if only a start, or another
  /// version of the file, evaluates a binding.
  private mutating func affected(
    by changed: Set<Dependency>, _ turn: Turn
  ) -> [(binding: Int, cause: Cause, isNews: Bool)] {
    dataflow.affected(by: changed, .properties, scope())
      .sorted { $0.key < $1.key }
      .map {
        (
          $0.key, dataflow.cause(ofLastOf: $0.value) ?? turn.cause,
          $0.value.contains { $0 != .start }
        )
      }
  }

  /// Recomputes affected values, in dependency order.
  mutating func computeValues(_ turn: inout Turn) {
    guard !turn.valueChanges.isEmpty else { return }
    let own = turn.cause
    defer { turn.cause = own }
    var waiting = dataflow.affected(by: turn.takeValueChanges(), .values, scope())
    guard var next = waiting.keys.min() else { return }
    while !waiting.isEmpty {
      defer { next += 1 }
      guard let changes = waiting.removeValue(forKey: next) else { continue }
      turn.cause = dataflow.cause(ofLastOf: changes) ?? own
      guard (try? turn.budget.spend(16)) != nil else {
        drop(from: "\(plan.bindings.all[next].subject)", &turn)
        break
      }
      guard let name = compute(next, &turn) else { continue }
      waiting.merge(dataflow.affected(by: [.value(name)], .values, scope())) { $0 + $1 }
    }
    _ = turn.takeValueChanges()
  }

  /// Returns the value's name if it changed.
  private mutating func compute(_ index: Int, _ turn: inout Turn) -> String? {
    let binding = plan.bindings.all[index]
    guard case .value(let name) = binding.subject else { return nil }
    var failure: EvaluationError?
    let value = value(of: binding, &failure, &turn)
    // The number of failures would depend on time steps. The binding that shows the value fails
    // instead.
    if !binding.followsTime { record(failure, of: index, &turn) }
    guard value != store[name] else { return nil }
    store.set(name, to: value)
    recordChange(of: .value(name), &turn)
    return name
  }

  func value(
    of binding: Bindings.Binding, _ failure: inout EvaluationError?, _ turn: inout Turn
  ) -> Value? {
    guard let expression = binding.template.expression else {
      return .text(binding.template.text(in: scope(), budget: &turn.budget, failure: &failure))
    }
    do throws(EvaluationError) {
      return try expression.value(in: scope(), budget: &turn.budget)
    } catch {
      failure = error
      return nil
    }
  }

  /// Reports an undefined binding once until it is defined again, unless the cause is a stale value
  /// or a reported computed value.
  mutating func record(_ failure: EvaluationError?, of index: Int, _ turn: inout Turn) {
    guard let failure else {
      dataflow.recordDefined(index)
      return
    }
    let binding = plan.bindings.all[index]
    guard dataflow.recordUndefined(index),
      !binding.computed.contains(where: dataflow.undefined.contains),
      binding.perishable.allSatisfy({ store[$0] != nil })
    else { return }
    fail("\(binding.subject): \(failure)", reading: binding.template.names, &turn)
  }

  mutating func applyBindings(_ turn: inout Turn) {
    turn.renewBudgets()
    updateBindings(&turn)
  }

  mutating func change(toLanguage language: String, _ turn: inout Turn) {
    appearance.set(language: language)
    recordChange(of: .language, &turn)
    report("language", [Field("language", .text(language))], &turn)
    matchDirection(&turn)
  }

  /// Sets a property to its bound value. An undefined value shows as "–".
  ///
  /// Values of keys are collected in `keys`, so that a control's keys change together.
  private mutating func follow(
    _ index: Int, isNews: Bool, _ keys: inout [ControlLocation: NewKeys], _ turn: inout Turn
  ) {
    let binding = plan.bindings.all[index]
    var failure: EvaluationError?
    var value = value(of: binding, &failure, &turn)
    if binding.kind == .text {
      value = .text(value?.display ?? TextTemplate.placeholder)
    } else if value == nil, binding.takesNews {
      value = .number(.nan)
    } else if value == .list([]) {
      value = binding.placeholder ?? value
    }
    let isUnseen = binding.followsTime && !isSeen(binding)
    // The number of failures would depend on time steps, so the binding fails when it is visible.
    if !isUnseen { record(failure, of: index, &turn) }
    guard let value, value != dataflow.bound[index] || binding.takesNews && isNews else { return }
    dataflow.set(value, of: index)
    let (path, location): (PropertyPath, ControlLocation)
    switch binding.subject {
    case .value, .reaction: return
    case .property(let bound, let owner): (path, location) = (bound, owner)
    case .theme:
      if failure == nil { change(toTheme: value.display, &turn) }
      return
    case .brightness:
      if case .number(let number) = value { appearance.set(brightness: number) }
      recordChange(of: .brightness, &turn)
      return
    }
    guard !binding.isKey else {
      keys[location, default: NewKeys()].values[path.property] = value
      if failure != nil { keys[location]?.undefined.insert(path.property) }
      keys[location]?.cause = turn.cause
      return
    }
    do throws(PropertyError) {
      try change(path.property, of: path.control, to: value, &turn)
    } catch {
      if isUnseen {
        dataflow.set(nil, of: index)
      } else if failure == nil {
        turn.isPrivate = isPrivate(binding.template.names)
        refuse("\(path): \(error)", &turn)
        turn.isPrivate = false
      }
    }
    // A control that doesn't move towards the value has arrived.
    if binding.writesBack, !isHeld(location), controls[location].control.isMoving(at: now) {
      dataflow.beginFollowing(index)
    }
  }

  private func isSeen(_ binding: Bindings.Binding) -> Bool {
    guard case .property(_, let location) = binding.subject else { return !isBlank }
    return isShown(page: location.page) && !isBlank
  }

  package mutating func show(inTheme name: String) { turn { $0.change(toTheme: name, &$1) } }

  private mutating func change(toTheme name: String, _ turn: inout Turn) {
    guard let theme = description.themes[name] else {
      return refuse("theme: there is no theme \"\(name)\"", &turn)
    }
    appearance.set(theme)
    guard description.namesTheme else { return }
    store.set(Description.themeValue, to: .text(name))
    recordChange(of: .value(Description.themeValue), &turn)
  }

  /// Reports refused values, and applies the others. A key that doesn't accept "–", such as a
  /// colour, stays, because the undefined value was already reported. Returns false beyond the
  /// budget.
  mutating func follow(
    _ location: ControlLocation, _ values: [String: Value], undefinedKeys: Set<String>,
    _ turn: inout Turn
  ) -> Bool {
    let items = values.values.reduce(0) {
      if case .list(let items) = $1 { $0 + items.count } else { $0 }
    }
    guard (try? turn.budget.spend(keyCost(location) + Self.itemUnits * items)) != nil else {
      return false
    }
    guard let change = change(of: values, at: location) else { return true }
    let id = controls[location].id
    turn.isPrivate = isPrivate(control: id)
    defer { turn.isPrivate = false }
    for (key, why) in change.refusals where !undefinedKeys.contains(key) {
      refuse("\(id).\(key): \(PropertyError(key, why))", &turn)
    }
    let refused = Set(change.refusals.map(\.key))
    let rest = values.filter { !refused.contains($0.key) }
    guard let conflict = change.conflict else {
      if !rest.isEmpty { execute(change, rest, of: location, &turn) }
      return true
    }
    // Try each half separately.
    let keys = rest.keys.sorted()
    if keys.count < 2 {
      for key in keys { refuse("\(id).\(key): \(PropertyError(key, conflict))", &turn) }
      return true
    }
    let half = Set(keys[..<(keys.count / 2)])
    let first = rest.filter { half.contains($0.key) }
    let second = rest.filter { !half.contains($0.key) }
    return follow(location, first, undefinedKeys: undefinedKeys, &turn)
      && follow(location, second, undefinedKeys: undefinedKeys, &turn)
  }

  /// Writes changes by fingers and commands back to values, but not motion towards a written value.
  ///
  /// This happens only at detents and at rest, which have exact times: positions in between depend on the frame rate.
  private mutating func writeBack(_ turn: inout Turn) {
    let causes = turn.takeReporting()
    let own = turn.cause
    defer { turn.cause = own }
    for index in plan.bindings.written(by: causes.keys) {
      let binding = plan.bindings.all[index]
      guard case .property(let path, let location) = binding.subject else { continue }
      turn.cause = causes[location] ?? own
      let control = controls[location].control
      if dataflow.following.contains(index), !isHeld(location) {
        if !control.isMoving(at: now) { dataflow.endFollowing(index) }
        continue
      }
      dataflow.endFollowing(index)
      guard let name = binding.target, let value = value(of: path.property, of: path.control),
        value != dataflow.bound[index]
      else { continue }
      dataflow.set(value, of: index)
      controls.dropWrite(for: path)
      try? write(value, toValue: name, &turn)
      // A control follows a clamped value, even if the value has not changed.
      if store[name] != value { recordChange(of: .value(name), &turn) }
    }
  }

  /// Sets properties that waited until fingers released their controls.
  private mutating func performDeferredWrites(_ turn: inout Turn) {
    guard !controls.writes.isEmpty else { return }
    for (path, write) in controls.writes.sorted(by: { $0.key.description < $1.key.description }) {
      guard let location = locations[path.control], !isHeld(location) else { continue }
      controls.dropWrite(for: path)
      turn.cause = write.cause
      do throws(PropertyError) {
        try change(path.property, of: path.control, to: write.value, &turn)
      } catch {
        refuse("set \(path): \(error)", &turn)
      }
    }
  }
}
