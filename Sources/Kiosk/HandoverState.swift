// SPDX-License-Identifier: MIT

internal import RoundelControls
package import RoundelExpressions
internal import RoundelMotion

package struct HandoverState: Hashable, Sendable {
  package var page: String
  package var language: String
  /// Excludes computed values.
  package var values: [String: Value]
  /// The control properties that may have changed.
  package var properties: [PropertyPath: Value]
  /// The open and the waiting pages and messages: `{page}`, or the fields of a message with `seconds`.
  package var overlays: [Value] = []

  package init(
    page: String, language: String, values: [String: Value], properties: [PropertyPath: Value],
    overlays: [Value] = []
  ) {
    self.page = page
    self.language = language
    self.values = values
    self.properties = properties
    self.overlays = overlays
  }
}

extension Engine {
  /// The current choices, without secrets, and without properties that follow templates, which the values determine.
  package var handoverState: HandoverState {
    var properties: [PropertyPath: Value] = [:]
    for control in pages.flatMap(\.controls) where !hasSecretInput(control) {
      let names = control.propertyKinds.states + control.changedKeys.keys
      for name in names {
        let path = PropertyPath(control: control.id, property: name)
        if plan.bindings.byPath[path] == nil { properties[path] = value(of: name, of: control.id) }
      }
    }
    let computed = Set(description.values.filter { $0.template != nil }.map(\.name))
    return HandoverState(
      page: pages[shownPage].name, language: language,
      values: store.all.filter { !computed.contains($0.key) && !isPrivate(.value($0.key)) },
      properties: properties,
      overlays: ([overlays.open].compactMap(\.self) + overlays.waiting).map(record))
  }

  private func record(of entry: Overlays.Entry) -> Value {
    switch entry.content {
    case .page(let page): .record([Field("page", .text(pages[page].name))])
    case .message(let message):
      .record(
        message.fields + [
          Field("seconds", .number(message.seconds)), Field("reported", .flag(entry.isReported)),
        ])
    }
  }

  private func entry(_ record: Value) -> Overlays.Entry? {
    guard case .record(let fields) = record else { return nil }
    func value(_ name: String) -> Value? { fields.first { $0.name == name }?.value }
    func text(_ name: String) -> String? {
      if case .text(let text)? = value(name) { text } else { nil }
    }
    if let name = text("page") {
      let page = pages.firstIndex { $0.name == name && $0.isOver }
      return page.map { Overlays.Entry(content: .page($0)) }
    }
    guard let message = text("text"), let level = text("level").flatMap(Message.Level.init),
      case .number(let seconds)? = value("seconds"), (0...Message.maximumSeconds).contains(seconds)
    else { return nil }
    return Overlays.Entry(
      content: .message(
        Message(message, title: text("title") ?? "", level: level, seconds: seconds)),
      isReported: value("reported") == .flag(true))
  }

  /// The seconds that a control needs to come to rest after a property is set.
  private static let pause = 1.0

  /// Continues with the choices from another process, at time zero, at rest and without touches.
  /// Invalid choices are skipped. The start has no events or actions.
  package init(
    _ description: Description, seed: UInt64, clock: CivilTime, continuing past: HandoverState
  ) {
    let language = description.language(after: past.language)
    self.init(
      Plan(description, in: language), seed: seed, at: .zero + -Self.pause * Double(Self.ranks),
      values: past.values)
    var turn = Turn()
    appearance.set(language: language)
    if let scale = past.values[Description.textScaleValue] {
      try? write(scale, to: .value(Description.textScaleValue), &turn)
    }
    if let page = pages.firstIndex(where: { $0.name == past.page }), page != shownPage {
      navigation.show(page)
    }
    recordChange(of: .start, &turn)
    let free = past.properties.filter { plan.bindings.byPath[$0.key] == nil }
      .sorted { "\($0.key)" < "\($1.key)" }
    for rank in 0..<Self.ranks {
      for (path, value) in free where Self.rank(of: path, value) == rank {
        try? change(path.property, of: path.control, to: value, &turn)
      }
      applyBindings(&turn)
      time.advance(to: now + Self.pause)
      for location in plan.allLocations {
        update(location, &turn) { $0.advance(to: $1, events: &$2) }
      }
    }
    // The time before zero doesn't count.
    presence = Presence(at: now)
    if shownPage != 0 { presence.recordPage(at: now) }
    store.recordSettings(at: now)
    _ = time.set(to: clock)
    features = Features.restored([:], description, at: clock).features
    for entry in past.overlays.compactMap(entry) { overlays.add(entry) }
    openNext(&turn)
    recordChange(of: .start, &turn)
    appear(&turn)
    applyBindings(&turn)
    // Conditions that are already true must not trigger.
    turn.renewBudgets()
    _ = evaluateReactions(&turn)
    forEachFeature { $0.conclude([], &$1, &turn) }
    outbox = Outbox()
  }

  private static let ranks = 6

  /// The order of assignment, 0 ..< `ranks`. The most exact property is last, such as the index of
  /// identical labels. The position of a text follows everything that its text may read.
  private static func rank(of path: PropertyPath, _ value: Value) -> Int {
    switch path.property.split(separator: ".").last {
    case "position": return 5
    case "index": return 4
    default: break
    }
    return switch value {
    case .list, .record, .time: 0
    case .text: 1
    case .flag: 2
    case .number: 3
    }
  }
}
