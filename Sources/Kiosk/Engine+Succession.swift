// SPDX-License-Identifier: MIT

internal import Controls
internal import Drawing
internal import Expressions
internal import Motion

/// The state that one version of the kiosk's file takes over from the version before.
extension Engine {
  /// Replaces the kiosk by another version of its file.
  ///
  /// Fingers let go first, thrown motion ends, and the actions of these ends run in the former version. Controls
  /// of the same id and type keep their state; values, the page, delayed actions and everything that was set
  /// stay, unless the file has another value for it than before.
  ///
  /// - Parameter isContinued: whether the page and its sleep continue although its actions differ, as those of a kiosk
  ///   do that another process has left.
  package mutating func replace(
    with description: Description, seed: UInt64, by cause: Cause = .time, isContinued: Bool = false
  ) {
    finish(for: description, by: cause)
    let old = self
    // The name of the theme is not a value of the kiosk's own.
    let own = store.all.filter { self.description.isSettable($0.key) }
    var new = Engine(
      Plan(description), seed: seed, at: now, values: own, revision: revision &+ 1)
    let successors = pages.map { page in new.pages.firstIndex { $0.name == page.name } }
    let samePage = successors[shownPage]
    new.navigation.follow(navigation) { successors[$0] }
    if description.languages.contains(language) { new.appearance.set(language: language) }
    if description.scalesTexts, self.description.scalesTexts {
      new.store.set(Description.textScaleValue, to: store[Description.textScaleValue])
    }
    // The moment depends on the frame rate.
    var turn = Turn(by: cause, isPassing: true)
    new.matchDirection(&turn)
    let plan = new.plan
    new.dataflow.followCauses(of: dataflow) { plan.dependency(following: $0, in: old) }
    new.takeBindings(of: old, &turn)
    for (id, place) in new.places {
      guard let before = places[id] else { continue }
      new.takeSettings(of: old, from: before, to: place, &turn)
      new.controls.resume(place, controls, from: before, at: now)
    }
    new.takeOver(old)
    if let focus = touches.focus, samePage != nil {
      if focus.control == Focus.ground {
        new.touches.set(focus)
      } else if let place = new.places[pages[shownPage].controls[focus.control].id],
        place.page == new.shownPage
      {
        new.touches.set(Focus(control: place.control))
      }
    }
    new.features.follow(features, .replacement(isSamePage: samePage != nil))
    new.store.follow(store)
    new.presence = presence
    new.delayed = delayed
    if samePage == nil { new.delayed.leavePage() }
    if screen.brightness == description.screen.brightness {
      new.appearance.follow(brightnessOf: appearance)
    }
    new.takeTheme(of: old)
    self = new
    report("reloaded", [], &turn)
    if !isContinued {
      if isBlank, old.description.actions["woken"] != description.actions["woken"] {
        note("slept", of: .kiosk, &turn)
      }
      if samePage.map({ pages[$0].actions }) != old.pages[old.shownPage].actions {
        note("shown", of: .page(shownPage), &turn)
      }
    }
    noteDifferences(from: old, &turn)
    applyBindings(&turn)
    // A condition that is true already has not become true.
    var budget = WorkBudget(Self.turnUnits)
    _ = judgeReactions(&budget, &turn)
    if samePage == nil { appear(&turn) } else { useControls(&turn) }
    // With new time limits it may already be due to go home or to sleep.
    step(to: now, &turn)
    settle(&turn)
  }

  /// Takes over the last values of bindings that both versions have, and notes the differences between the
  /// versions. A binding that is taken over overwrites nothing that a finger or a client has set since, takes no
  /// second sample of a value, and reports no failure again.
  mutating func takeBindings(of old: Engine, _ turn: inout Turn) {
    let hasSameTexts = description.texts == old.description.texts && language == old.language
    var taken: Set<Int> = []
    var former: [String: Int] = [:]
    for (index, binding) in old.bindings.all.enumerated() where binding.isTaken {
      former["\(binding.subject)"] = index
    }
    for (index, binding) in bindings.all.enumerated() where binding.isTaken {
      guard let before = former["\(binding.subject)"],
        old.bindings.all[before].template == binding.template,
        hasSameTexts || !binding.readsTexts
      else { continue }
      switch binding.subject {
      case .value(let name): store.set(name, to: old.store[name])
      case .property(let path, _): guard isSameControl(path.control, in: old) else { continue }
      case .theme, .brightness, .reaction: break
      }
      taken.insert(index)
      dataflow.follow(index, old.dataflow, before)
    }
    dataflow.followInputs(of: old.dataflow, old.bindings, bindings)
    for index in bindings.all.indices where !taken.contains(index) {
      noteChange(of: .binding(index), &turn)
    }
  }

  /// Notes the differences that another version of the file makes to values, controls and the page.
  mutating func noteDifferences(from old: Engine, _ turn: inout Turn) {
    for name in Set(store.all.keys).union(old.store.all.keys)
    where store[name] != old.store[name] {
      noteChange(of: .value(name), &turn)
    }
    // Most properties are the same, and change nothing.
    for place in places.values { noteChange(of: .control(place), &turn) }
    if language != old.language { noteChange(of: .language, &turn) }
    if brightness != old.brightness { noteChange(of: .brightness, &turn) }
    if pages[shownPage].name != old.pages[old.shownPage].name { noteChange(of: .page, &turn) }
  }

  private func isSameControl(_ id: String, in old: Engine) -> Bool {
    guard let new = placedControl(id)?.control, let former = old.placedControl(id)?.control else {
      return false
    }
    return type(of: new) == type(of: former)
  }

  /// Takes over everything that was set of a control, unless the file has another value for it than before.
  mutating func takeSettings(
    of old: Engine, from before: Place, to place: Place, _ turn: inout Turn
  ) {
    let former = old.pages[before.page].controls[before.control]
    let written = old.description.pages[before.page].controls[before.control]
    let entry = pages[place.page].controls[place.control]
    guard type(of: former.control) == type(of: entry.control) else { return }
    /// Whether the file says the same of a property: `isEqual`, if no template gives it.
    func isSame(_ property: String, _ isEqual: @autoclosure () -> Bool) -> Bool {
      let (template, other) = (entry.bindings[property], written.bindings[property])
      return template == nil && other == nil ? isEqual() : template == other
    }
    if isSame("enabled", entry.isEnabled == written.isEnabled) {
      controls.set(enabled: former.isEnabled, of: place)
    }
    if isSame("visible", entry.isVisible == written.isVisible) {
      controls.set(visible: former.isVisible, of: place)
    }
    let kept = former.changedKeys.filter { key, _ in
      isSame(key, entry.source?.value(of: key) == written.source?.value(of: key))
    }
    guard !kept.isEmpty else { return }
    do throws(PropertyError) {
      try change(kept, of: place, &turn)
    } catch {
      // The bindings of these keys apply again.
      for index in bindings.followers[entry.id] ?? [] {
        dataflow.set(nil, of: index)
        noteChange(of: .binding(index), &turn)
      }
    }
  }

  /// Takes over the theme that was chosen while the kiosk ran, unless the file has another theme than before.
  mutating func takeTheme(of old: Engine) {
    guard description.themeName == old.description.themeName, description.themeChoice == nil,
      old.description.themeChoice == nil, description.namesTheme,
      case .text(let name)? = old.store[Description.themeValue],
      let chosen = description.themes[name]
    else { return }
    appearance.set(chosen)
    store.set(Description.themeValue, to: .text(name))
  }
}

extension Bindings.Binding {
  /// Whether the binding's template reads strings or the language.
  fileprivate var readsTexts: Bool {
    template.names.contains { name in
      if case .text = name { true } else { name == .language }
    }
  }

  /// Whether another version of the file takes over its last value.
  fileprivate var isTaken: Bool {
    switch subject {
    case .value, .property: true
    case .theme, .brightness, .reaction: false
    }
  }
}

extension Plan {
  /// The dependency that follows one of the former version, or nil if its subject is gone.
  fileprivate func dependency(following former: Dependency, in old: Engine) -> Dependency? {
    switch former {
    case .binding: nil
    case .control(let place): places[old.controls[place].id].map(Dependency.control)
    default: former
    }
  }
}
