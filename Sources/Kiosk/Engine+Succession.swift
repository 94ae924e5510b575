// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions

/// The state that one version of the kiosk's file takes over from the version before.
extension Engine {
  /// Takes over the last values of bindings that both versions have, and notes the differences between the
  /// versions. A binding that is taken over overwrites nothing that a finger or a client has set since, takes no
  /// second sample of a value, and reports no failure again.
  mutating func takeBindings(of old: Engine) {
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
      case .value(let name): values[name] = old.values[name]
      case .property(let path, _): guard isSameControl(path.control, in: old) else { continue }
      case .theme, .brightness, .reaction: break
      }
      taken.insert(index)
      bound[index] = old.bound[before]
      if old.undefined.contains(before) { undefined.insert(index) }
      if old.following.contains(before) { following.insert(index) }
    }
    take(bindings.ofProperties, \.read, of: old, old.bindings.ofProperties)
    take(bindings.ofValues, \.readByValues, of: old, old.bindings.ofValues)
    take(bindings.ofReactions, \.readByReactions, of: old, old.bindings.ofReactions)
    for index in bindings.all.indices where !taken.contains(index) {
      noteChange(of: .binding(index))
    }
  }

  /// Notes the differences that another version of the file makes to values, controls and the page.
  mutating func noteDifferences(from old: Engine) {
    for name in Set(values.keys).union(old.values.keys) where values[name] != old.values[name] {
      noteChange(of: .value(name))
    }
    // Most properties are the same, and change nothing.
    for place in places.values { noteChange(of: .control(place)) }
    if language != old.language { noteChange(of: .language) }
    if brightness != old.brightness { noteChange(of: .brightness) }
    if pages[shownPage].name != old.pages[old.shownPage].name { noteChange(of: .page) }
  }

  private mutating func take(
    _ dependents: Dependents, _ read: WritableKeyPath<Engine, [Value?]>, of old: Engine,
    _ former: Dependents
  ) {
    let indices = former.inputIndices
    for (path, index) in dependents.inputIndices {
      if let before = indices[path] { self[keyPath: read][index] = old[keyPath: read][before] }
    }
  }

  private func isSameControl(_ id: String, in old: Engine) -> Bool {
    guard let new = placedControl(id)?.control, let former = old.placedControl(id)?.control else {
      return false
    }
    return type(of: new) == type(of: former)
  }

  /// Takes over everything that was set of a control, unless the file has another value for it than before.
  mutating func takeSettings(of old: Engine, from before: Place, to place: Place) {
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
      pages[place.page].controls[place.control].isEnabled = former.isEnabled
    }
    if isSame("visible", entry.isVisible == written.isVisible) {
      pages[place.page].controls[place.control].isVisible = former.isVisible
    }
    let kept = former.changedKeys.filter { key, _ in
      isSame(key, entry.source?.value(of: key) == written.source?.value(of: key))
    }
    guard !kept.isEmpty else { return }
    do throws(PropertyError) {
      try change(kept, of: place)
    } catch {
      // The bindings of these keys apply again.
      for index in bindings.followers[entry.id] ?? [] {
        bound[index] = nil
        noteChange(of: .binding(index))
      }
    }
  }

  /// Takes over the theme that was chosen while the kiosk ran, unless the file has another theme than before.
  mutating func takeTheme(of old: Engine) {
    guard description.themeName == old.description.themeName, description.themeChoice == nil,
      old.description.themeChoice == nil, description.namesTheme,
      case .text(let name)? = old.values[Description.themeValue],
      let chosen = description.themes[name]
    else { return }
    theme = chosen
    values[Description.themeValue] = .text(name)
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
