// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import Drawing
internal import Expressions
internal import Motion

/// Continues the kiosk with another version of its file, another canvas, or another writing direction.
extension Engine {
  /// Replaces the kiosk by another version of its file. O(n) in the size of both versions.
  ///
  /// A control with the same declaration continues uninterrupted, with its fingers. Other controls
  /// lose their fingers first, by actions of the former version, and keep their state. Values, the
  /// page, delayed actions and settings remain, unless the file changes them.
  package mutating func replace(
    with description: Description, seed: UInt64, by cause: Cause = .time
  ) {
    let wasBlank = isBlank
    let succession = end(for: description, by: cause)
    let old = self
    let isSamePage = succession.page(shownPage) != nil
    // The time depends on the frame rate.
    var turn = Turn(by: cause, isPassing: true)
    follow(succession, seed: seed)
    store.follow(succession, at: now)
    appearance.follow(succession)
    takeBindings(of: old, succession, &turn)
    let waiting = dataflow.waitingReactions(reading())
    takeSettings(of: old.controls, succession, &turn)
    if isSamePage {
      // The page may have become another one than the first, which goes home.
      if shownPage != 0, presence.isHome { presence.notePage(at: now) }
    } else {
      delayed.leavePage()
      forEachFeature { feature, _ in feature.leavePage() }
    }
    forEachFeature { feature, _ in feature.follow(succession) }
    takeTheme(of: old)
    report("reloaded", [], &turn)
    if isBlank, wasBlank, !succession.hasSameWaking { note("slept", of: .kiosk, &turn) }
    if !succession.hasSameActions(page: old.shownPage) {
      note("shown", of: .page(shownPage), &turn)
    }
    noteDifferences(from: old, &turn)
    applyBindings(&turn)
    // Conditions that are already true must not trigger.
    turn.renewBudgets()
    _ = judgeReactions(&turn)
    dataflow.wait(for: waiting)
    if isSamePage { useControls(&turn) } else { appear(&turn) }
    // With new time limits, going home or to sleep may already be due.
    step(to: now, &turn)
    settle(&turn)
  }

  /// Ends everything that the next version doesn't continue. Returns the relation between the versions.
  private mutating func end(for description: Description, by cause: Cause) -> Succession {
    var succession: Succession
    var language: String
    var rounds = 0
    repeat {
      language = self.language
      succession = Succession(
        from: plan, to: Plan(description, in: description.language(after: language)))
      end(for: succession, by: cause)
      rounds += 1
      // Actions of the ends may have changed the language, and with it the writing direction.
    } while self.language != language && rounds < Self.maximumRounds
    return succession
  }

  /// Mirrors the layout if the language has the opposite writing direction. Controls keep keys,
  /// state and motion, but lose their fingers. O(n) in the controls' declarations.
  mutating func matchDirection(_ turn: inout Turn) {
    guard let plan = plan.reflected(for: language) else { return }
    let succession = Succession(from: self.plan, to: plan, isReflection: true)
    releaseFingers(for: succession, &turn)
    let former = controls
    follow(succession, seed: 0)
    takeSettings(of: former, succession, &turn)
    for (_, place) in succession.changed { noteChange(of: .control(place), &turn) }
  }

  private mutating func follow(_ succession: Succession, seed: UInt64) {
    plan = succession.next
    controls.follow(succession, seed: seed, at: now)
    touches.follow(succession, on: shownPage)
    navigation.follow(succession)
  }

  private mutating func takeBindings(of old: Engine, _ succession: Succession, _ turn: inout Turn) {
    let bindings = succession.next.bindings
    let taken = dataflow.follow(
      succession,
      hasSameTexts: succession.next.description.texts == old.description.texts
        && language == old.language)
    for (index, binding) in bindings.all.enumerated() {
      if !taken.contains(index) || old.hasRefused(binding, succession) {
        noteChange(of: .binding(index), &turn)
      } else if case .value(let name) = binding.subject {
        store.set(name, to: old.store[name])
      }
    }
  }

  /// Whether a redeclared control hasn't taken its bound value, for example because that was out of range.
  private func hasRefused(_ binding: Bindings.Binding, _ succession: Succession) -> Bool {
    guard case .property(let path, _) = binding.subject, binding.writesBack,
      let index = plan.bindings.byPath[path], !dataflow.following.contains(index),
      let bound = dataflow.bound[index],
      let place = plan.places[path.control], !succession.isSame(place), !isHeld(place)
    else { return false }
    return value(of: path.property, of: path.control) != bound
  }

  private mutating func noteDifferences(from old: Engine, _ turn: inout Turn) {
    for name in Set(store.all.keys).union(old.store.all.keys) where store[name] != old.store[name] {
      noteChange(of: .value(name), &turn)
    }
    // Most properties are equal, so this has no effect on them.
    for place in places.values { noteChange(of: .control(place), &turn) }
    if language != old.language { noteChange(of: .language, &turn) }
    if brightness != old.brightness { noteChange(of: .brightness, &turn) }
    if pages[shownPage].name != old.pages[old.shownPage].name { noteChange(of: .page, &turn) }
  }

  /// Transfers the settings of redeclared controls, unless the file changes them.
  private mutating func takeSettings(
    of former: ControlStore, _ succession: Succession, _ turn: inout Turn
  ) {
    for (before, place) in succession.successors
    where !succession.isSame(before) || hasRestyledRows(former[before], place) {
      let (entry, written) = (controls[place], succession.former[before])
      /// Returns whether both versions declare the property equally: `isEqual` without templates.
      func isSame(_ property: String, _ isEqual: @autoclosure () -> Bool) -> Bool {
        let (template, other) = (entry.bindings[property], written.bindings[property])
        return template == nil && other == nil ? isEqual() : template == other
      }
      for common in PlacedControl.commonProperties
      where isSame(common.name, entry[keyPath: common.flag] == written[keyPath: common.flag]) {
        controls.set(common, of: place, to: former[before][keyPath: common.flag])
      }
      if !controls[place].isEnabled { controls.disappear(place, at: now) }
      let kept = former[before].changedKeys.filter { key, _ in
        isSame(key, entry.source?.value(of: key) == written.source?.value(of: key))
      }
      guard !kept.isEmpty else { continue }
      // The settings have separate budgets, because the rest of the turn can't do without them.
      let budgets = (turn.actionBudget, turn.budget)
      turn.renewBudgets()
      _ = follow(place, kept, undefinedKeys: [], &turn)
      (turn.actionBudget, turn.budget) = budgets
    }
  }

  /// Whether a control has rows that were set at run time, and the styles have changed.
  private func hasRestyledRows(_ former: PlacedControl, _ place: Place) -> Bool {
    guard former.changedKeys.values.contains(where: { $0.kind == .list }),
      let before = former.source, let source = plan[place].source
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
