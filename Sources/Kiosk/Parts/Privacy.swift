// SPDX-License-Identifier: MIT

internal import RoundelControls
package import RoundelExpressions

/// The values and controls whose content leaves the kiosk only by its own actions.
///
/// Everything that follows from a private value is private, too: computed values, values that actions set from it,
/// texts, and controls that show or set it.
package struct Privacy: Hashable, Sendable {
  /// The names of values.
  package private(set) var values: Set<String> = []
  /// The ids of controls. Their events, properties, touches and pictures are private.
  package private(set) var controls: Set<String> = []
  /// The flags of other controls that follow private values.
  private var flags: Set<PropertyPath> = []
  /// The names of entries in `texts`.
  private var texts: Set<String> = []
  /// The names of pages whose spoken names are private.
  private(set) var pages: Set<String> = []
  /// Whether the lines of a scanner are private.
  private let hasScanner: Bool

  init(_ description: Description, pages: [Page], _ bindings: Bindings) {
    hasScanner = description.screen.scanners.contains(where: \.isPrivate)
    values = Set(description.values.lazy.filter(\.isPrivate).map(\.name))
    for page in pages { controls.formUnion(page.controls.lazy.filter(\.isPrivate).map(\.id)) }
    guard !isEmpty else { return }
    var before: Privacy
    repeat {
      before = self
      spread(through: description, pages)
      for binding in bindings.all { spread(through: binding) }
    } while self != before
  }

  package var isEmpty: Bool { values.isEmpty && controls.isEmpty && !hasScanner }

  func covers(_ name: Reference) -> Bool {
    switch name {
    case .value(let name): values.contains(name)
    case .property(let path): controls.contains(path.control) || flags.contains(path)
    case .text(let name): texts.contains(name)
    case .texts: !texts.isEmpty
    case .event, .language, .page, .now, .uptime: false
    }
  }

  func covers(_ names: [Reference]) -> Bool { !isEmpty && names.contains(where: covers) }

  /// Whether an action for an event carries private content.
  func covers(_ action: Action, for event: Event) -> Bool {
    carriesPrivate(action, isOfPrivate: event.isPrivate)
  }

  /// Whether an action of a control, which may be private, carries private content.
  package func carriesPrivate(_ action: Action, isOfPrivate isPrivate: Bool) -> Bool {
    !isEmpty && action.reads { covers($0) || isPrivate && $0.readsEvent }
  }

  // MARK: The graph

  private mutating func spread(through description: Description, _ pages: [Page]) {
    for (name, words) in description.texts where words.values.contains(where: { covers($0.names) })
    {
      texts.insert(name)
    }
    spread(from: false, by: description.ownActions)
    spread(from: hasScanner, by: description.actions[EventType.scanned.name] ?? [])
    for page in pages {
      if let spoken = page.spoken, covers(spoken.names) { self.pages.insert(page.name) }
      spread(from: false, by: page.allActions)
      for entry in page.controls { spread(through: entry) }
    }
  }

  private mutating func spread(through binding: Bindings.Binding) {
    let isPrivate = covers(binding.template.names)
    switch binding.subject {
    case .value(let name): if isPrivate { values.insert(name) }
    case .property(let path, _) where PlacedControl.common(path.property) != nil:
      if isPrivate { flags.insert(path) }
    case .property(let path, _):
      if isPrivate { controls.insert(path.control) }
      // The control sets the value.
      if controls.contains(path.control), let name = binding.target { values.insert(name) }
    case .theme, .brightness, .reaction: break
    }
  }

  private mutating func spread(through entry: PlacedControl) {
    let names = ([entry.spoken].compactMap(\.self) + entry.itemSpoken.values).flatMap(\.names)
    if covers(names) { controls.insert(entry.id) }
    guard controls.contains(entry.id) else { return }
    for actions in [entry.actions] + entry.itemActions.values {
      spread(from: true, by: actions.values.flatMap(\.self))
    }
  }

  private mutating func spread(from isPrivate: Bool, by actions: [Action]) {
    for action in actions
    where action.reads({ covers($0) || isPrivate && $0.readsEvent }) {
      switch action.target {
      case .value(let name)?: values.insert(name)
      case .property(let path)?: controls.insert(path.control)
      default: break
      }
      if action.kind.name == "notify" { controls.insert(Message.name) }
    }
  }
}

extension [Reference] {
  fileprivate var readsEvent: Bool { contains { if case .event = $0 { true } else { false } } }
}

extension Engine {
  /// Whether only actions and `logic` get a value or property.
  package func isPrivate(_ name: Reference) -> Bool { plan.privacy.covers(name) }

  package func isPrivate(_ names: [Reference]) -> Bool { plan.privacy.covers(names) }

  /// Whether only actions and `logic` get the content of a control.
  package func isPrivate(control id: String) -> Bool { plan.privacy.controls.contains(id) }

  /// Whether touches and keys on a control are excluded from recordings.
  func hasSecretInput(_ entry: PlacedControl) -> Bool {
    entry.control.isSecret || isPrivate(control: entry.id)
  }

  /// Returns nil for a private value.
  package func publicValue(of name: Reference) -> Value? {
    isPrivate(name) ? nil : value(of: name)
  }

  /// Whether a command sets a private value, or sends a private line.
  package func isPrivate(_ command: Command) -> Bool {
    if command.kind == .scan { return command.arguments.last == .flag(true) }
    guard case (let target, _)? = command.setting else { return false }
    return isPrivate(target)
  }

  /// Restores private values and controls.
  mutating func clearPrivate(_ turn: inout Turn) {
    guard !plan.privacy.isEmpty else { return }
    for id in plan.privacy.controls.sorted() {
      if let location = locations[id] { restore(id, at: location, &turn) }
    }
    for value in description.values where value.template == nil && isPrivate(.value(value.name)) {
      restore(value, &turn)
    }
  }

  /// Reports a failure whose message may contain values of these names.
  mutating func fail(_ message: String, reading names: [Reference], _ turn: inout Turn) {
    let before = turn.isPrivate
    turn.isPrivate = before || isPrivate(names)
    fail(message, &turn)
    turn.isPrivate = before
  }
}

extension Description {
  /// The private content of the kiosk. Makes a plan, so long chains of bindings take quadratic time.
  package var privacy: Privacy { Plan(self, in: firstLanguage).privacy }
}
