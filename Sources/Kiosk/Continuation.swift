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
      let names = control.propertyKinds.states + control.changedKeys.keys
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

  /// The seconds after which a control that turns to a property is at rest.
  private static let pause = 1.0

  /// A kiosk at the moment zero that continues with the choices made in another process: at rest, and held by no
  /// finger. `clock` is the wall clock. Choices that do not suit the kiosk are left out. Nothing of the start is
  /// reported or causes an action.
  package init(
    _ description: Description, seed: UInt64, clock: CivilTime, continuing past: Continuation
  ) {
    let language = description.language(after: past.language)
    self.init(
      Plan(description, in: language), seed: seed, at: .zero + -Self.pause * Self.ranks,
      values: past.values)
    var turn = Turn()
    appearance.set(language: language)
    if let scale = past.values[Description.textScaleValue] {
      try? write(scale, to: .value(Description.textScaleValue), &turn)
    }
    // The values determine the properties that follow templates.
    let free = past.properties.filter { bindings.byPath[$0.key] == nil }
      .sorted { "\($0.key)" < "\($1.key)" }
    for rank in 0..<Int(Self.ranks) {
      for (path, value) in free where Self.rank(of: path, value) == rank {
        try? change(path.property, of: path.control, to: value, &turn)
      }
      time.advance(to: now + Self.pause)
      for place in plan.allPlaces {
        update(place, &turn) { control, now, events in control.advance(to: now, events: &events) }
      }
    }
    if let page = pages.firstIndex(where: { $0.name == past.page }), page != shownPage {
      navigation.show(page)
      presence.notePage(at: now)
    }
    _ = time.set(to: clock)
    features = Features.restored([:], description, at: clock).features
    noteChange(of: .start, &turn)
    appear(&turn)
    applyBindings(&turn)
    // A condition that is true already has not become true.
    var budget = WorkBudget(Self.turnUnits)
    _ = judgeReactions(&budget, &turn)
    forEachFeature { $0.conclude([], &$1, &turn) }
    outbox = Outbox()
  }

  private static let ranks = 5.0

  /// The rank of a property in the order of setting: 0 ..< `ranks`. Several properties may describe the same state,
  /// and the most exact one comes last: an index, if two labels are the same.
  private static func rank(of path: PropertyPath, _ value: Value) -> Int {
    if path.property.split(separator: ".").last == "index" { return 4 }
    return switch value {
    case .list, .record, .time: 0
    case .text: 1
    case .flag: 2
    case .number: 3
    }
  }
}
