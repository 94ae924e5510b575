// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelMotion

/// Continues the kiosk with another version of its file, another canvas, or another writing direction.
extension Engine {
  /// Replaces the kiosk with another version of its file. O(n) in the size of both versions.
  ///
  /// A control with the same declaration continues uninterrupted, with its fingers. Other controls
  /// lose their fingers first, by actions of the former version, and keep their state. Values, the
  /// page, delayed actions and settings remain, unless the file changes them.
  package mutating func replace(
    with description: Description, seed: UInt64, by cause: Cause = .time
  ) {
    let wasBlank = isBlank
    let mapping = end(for: description, by: cause)
    let old = self
    let isSamePage = mapping.page(shownPage) != nil
    // The time of a reload depends on the frame rate.
    var turn = Turn(by: cause, isPassing: true)
    adopt(mapping, seed: seed)
    store.adopt(mapping, at: now)
    appearance.adopt(mapping)
    let taken = takeBindings(of: old, mapping, &turn)
    let waiting = dataflow.waitingReactions(among: taken, scope())
    takeSettings(of: old.controls, mapping, &turn)
    if isSamePage {
      // If the current page is no longer the first, the time limit to go home starts.
      if old.shownPage == 0, shownPage != 0, presence.isHome { presence.recordPage(at: now) }
    } else {
      forEachFeature { feature, _ in feature.leavePage() }
    }
    forEachFeature { feature, _ in feature.adopt(mapping) }
    takeTheme(of: old)
    report("reloaded", [], &turn)
    if isBlank, wasBlank, !mapping.hasSameWaking { record("slept", of: .kiosk, &turn) }
    for page in old.shownPages where !mapping.hasSameActions(page: page) {
      record("shown", of: .page(mapping.page(page) ?? shownPage), &turn)
    }
    recordDifferences(from: old, &turn)
    applyBindings(&turn)
    // Conditions that are already true must not trigger.
    turn.renewBudgets()
    _ = evaluateReactions(except: waiting.reactions, &turn)
    dataflow.wait(for: waiting)
    if isSamePage {
      useControls(&turn, except: successorsInUse(of: old, mapping))
    } else {
      appear(&turn)
    }
    openNext(&turn)
    // With new time limits, going home or to sleep may already be due.
    step(to: now, &turn)
    settle(&turn)
  }

  /// Returns the next positions of the controls in use.
  private func successorsInUse(of old: Engine, _ mapping: PlanMapping) -> Set<ControlLocation> {
    Set(
      mapping.successors.lazy.filter { former, _ in
        old.isShown(page: former.page) && old.controls[former].isEnabled
      }.map(\.next))
  }

  /// Ends everything that the next version doesn't continue. Returns the relation between the versions.
  private mutating func end(for description: Description, by cause: Cause) -> PlanMapping {
    var mapping: PlanMapping
    var language: String
    var rounds = 0
    repeat {
      language = self.language
      mapping = PlanMapping(
        from: plan, to: Plan(description, in: description.language(after: language)))
      // The page is left once.
      end(for: mapping, by: cause, leavesPage: rounds == 0)
      rounds += 1
      // These actions may have changed the language, and with it the writing direction.
    } while self.language != language && rounds < Self.maximumRounds
    return mapping
  }

  /// Controls keep keys, state and motion, but lose their fingers. O(n) in the controls'
  /// declarations.
  mutating func matchDirection(_ turn: inout Turn) {
    guard let plan = plan.reflected(for: language) else { return }
    let mapping = PlanMapping(from: self.plan, to: plan, isReflection: true)
    releaseFingers(for: mapping, &turn)
    let former = controls
    adopt(mapping, seed: 0)
    takeSettings(of: former, mapping, &turn)
    for (_, location) in mapping.changed { recordChange(of: .control(location), &turn) }
  }

  private mutating func adopt(_ mapping: PlanMapping, seed: UInt64) {
    let active = activePage
    plan = mapping.next
    controls.adopt(mapping, seed: seed, at: now)
    touches.adopt(mapping, on: active)
    navigation.adopt(mapping)
    overlays.adopt(mapping)
    delayed.adopt(mapping)
    if let focus = touches.focus, !isReachable(focus) { touches.set(nil) }
  }

  private mutating func takeBindings(
    of old: Engine, _ mapping: PlanMapping, _ turn: inout Turn
  ) -> Set<Int> {
    let bindings = mapping.next.bindings
    let taken = dataflow.adopt(
      mapping,
      hasSameTexts: mapping.next.description.texts == old.description.texts
        && language == old.language)
    for (index, binding) in bindings.all.enumerated() {
      if !taken.contains(index) || old.hasRefused(binding, mapping) {
        dataflow.set(nil, of: index)
        recordChange(of: .binding(index), &turn)
      } else if case .value(let name) = binding.subject {
        store.set(name, to: old.store[name])
      }
    }
    return taken
  }

  /// Whether a redeclared control hasn't taken its bound value, for example because that was out of range.
  private func hasRefused(_ binding: Bindings.Binding, _ mapping: PlanMapping) -> Bool {
    guard case .property(let path, _) = binding.subject, binding.writesBack,
      let index = plan.bindings.byPath[path], !dataflow.following.contains(index),
      let bound = dataflow.bound[index],
      let location = plan.locations[path.control], !mapping.isSame(location), !isHeld(location)
    else { return false }
    return value(of: path.property, of: path.control) != bound
  }

  private mutating func recordDifferences(from old: Engine, _ turn: inout Turn) {
    for name in Set(store.all.keys).union(old.store.all.keys) where store[name] != old.store[name] {
      recordChange(of: .value(name), &turn)
    }
    // Most properties are equal, so this has no effect on them.
    for location in locations.values { recordChange(of: .control(location), &turn) }
    if language != old.language { recordChange(of: .language, &turn) }
    if brightness != old.brightness { recordChange(of: .brightness, &turn) }
    if pages[shownPage].name != old.pages[old.shownPage].name { recordChange(of: .page, &turn) }
  }

  /// Transfers the settings of redeclared controls, unless the file changes them.
  private mutating func takeSettings(
    of former: ControlStore, _ mapping: PlanMapping, _ turn: inout Turn
  ) {
    for (before, location) in mapping.successors
    where !mapping.isSame(before) || hasRestyledRows(former[before], location) {
      let (entry, written) = (controls[location], mapping.former[before])
      /// Returns whether both versions declare the property equally: `isEqual` without templates.
      func isSame(_ property: String, _ isEqual: @autoclosure () -> Bool) -> Bool {
        let (template, other) = (entry.bindings[property], written.bindings[property])
        return template == nil && other == nil ? isEqual() : template == other
      }
      for common in PlacedControl.commonProperties
      where isSame(common.name, entry[keyPath: common.flag] == written[keyPath: common.flag]) {
        controls.set(common, of: location, to: former[before][keyPath: common.flag])
      }
      if !controls[location].isEnabled { controls.disappear(location, at: now) }
      let retained = former[before].changedKeys.filter { key, _ in
        isSame(key, entry.source?.value(of: key) == written.source?.value(of: key))
      }
      guard !retained.isEmpty else { continue }
      // The settings have separate budgets, because the rest of the turn can't do without them.
      let budgets = (turn.actionBudget, turn.budget)
      turn.renewBudgets()
      _ = follow(location, retained, undefinedKeys: [], &turn)
      (turn.actionBudget, turn.budget) = budgets
    }
  }

  /// Whether a control has rows that were set at run time, and the styles have changed.
  private func hasRestyledRows(_ former: PlacedControl, _ location: ControlLocation) -> Bool {
    guard former.changedKeys.values.contains(where: { $0.kind == .list }),
      let before = former.source, let source = plan[location].source
    else { return false }
    return !source.hasSameStyles(as: before)
  }

  /// Keeps a theme that was chosen at run time, unless the file's theme has changed.
  private mutating func takeTheme(of old: Engine) {
    guard description.themeName == old.description.themeName, description.themeChoice == nil,
      old.description.themeChoice == nil, description.namesTheme,
      case .text(let name)? = old.store[Description.themeValue],
      let chosen = description.themes[name]
    else { return }
    appearance.set(chosen)
    store.set(Description.themeValue, to: .text(name))
  }
}
