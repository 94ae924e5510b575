// SPDX-License-Identifier: MIT

internal import Controls
package import Expressions
internal import Motion

/// The choices made on a kiosk, with which another process can go on.
package struct Continuation: Hashable, Sendable {
  package var page: String
  package var language: String
  /// The kiosk's own values, but for those that are computed.
  package var values: [String: Value]
  /// The properties of controls that may have changed, and their values.
  package var properties: [PropertyPath: Value]

  package init(
    page: String, language: String, values: [String: Value], properties: [PropertyPath: Value]
  ) {
    self.page = page
    self.language = language
    self.values = values
    self.properties = properties
  }
}

extension Engine {
  /// The choices made by now. It has no secret text, and no property that follows a template: the values
  /// determine those.
  package var continuation: Continuation {
    var properties: [PropertyPath: Value] = [:]
    for control in pages.flatMap(\.controls) where !control.control.isSecret {
      let names = control.control.properties + ["enabled", "visible"] + control.changedKeys.keys
      for name in names {
        let path = PropertyPath(control: control.id, property: name)
        if bindings.byPath[path] == nil { properties[path] = value(of: name, of: control.id) }
      }
    }
    let computed = Set(description.values.filter { $0.template != nil }.map(\.name))
    return Continuation(
      page: pages[shownPage].name, language: language,
      values: store.all.filter { !computed.contains($0.key) }, properties: properties)
  }

  /// Seconds in which every control comes to rest that was set.
  private static let rehearsalTime = 1.0

  /// A kiosk at the moment zero that goes on with what was chosen in another process: at rest, and held by no
  /// finger. `clock` is the wall clock. Choices that no longer suit the kiosk are left out.
  ///
  /// A property that is set turns visibly, reports events and causes actions. So it is set a moment
  /// earlier on a kiosk without actions, which this one then replaces like another version of its file.
  package init(
    _ description: Description, seed: UInt64, clock: CivilTime, continuing past: Continuation
  ) {
    var quiet = description
    quiet.actions = [:]
    quiet.reactions = []
    quiet.transition = .none
    for page in quiet.pages.indices {
      quiet.pages[page].actions = [:]
      quiet.pages[page].reactions = []
      quiet.pages[page].transition = nil
      for control in quiet.pages[page].controls.indices {
        quiet.pages[page].controls[control].actions = [:]
        quiet.pages[page].controls[control].itemActions = [:]
      }
    }
    self.init(quiet, seed: seed, at: .zero + -Self.rehearsalTime, clock: clock)
    for (name, value) in past.values.sorted(by: { $0.key < $1.key }) {
      try? set(.value(name), to: value)
    }
    if !past.language.isEmpty { try? set(.language, to: .text(past.language)) }
    // A property that follows a template by now is left to that.
    let free = past.properties.filter { bindings.byPath[$0.key] == nil }
    let ordered = free.sorted {
      (Self.rank($0), "\($0.key)") < (Self.rank($1), "\($1.key)")
    }
    for (path, value) in ordered { try? set(.property(path), to: value) }
    advance(to: .zero)
    go(to: past.page)
    replace(with: description, seed: seed, isContinued: true)
    setClock(clock)
    _ = takeEvents()
    _ = takePrograms()
    _ = takeSounds()
    _ = takeUtterances()
  }

  /// The rank of a property in the order of setting. Several properties may describe the same state, and the
  /// most exact one comes last: an index, where two labels are the same.
  private static func rank(_ entry: (key: PropertyPath, value: Value)) -> Int {
    if entry.key.property.split(separator: ".").last == "index" { return 4 }
    return switch entry.value {
    case .list, .record, .time: 0
    case .text: 1
    case .flag: 2
    case .number: 3
    }
  }
}
