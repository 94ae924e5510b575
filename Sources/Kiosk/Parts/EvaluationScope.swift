// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelMotion

/// The current values of names in expressions. An event's fields are values in its actions.
struct EvaluationScope: Scope {
  let plan: Plan
  let pages: [Page]
  let values: [String: Value]
  let language: String
  let shownPage: Int
  let overlay: Int?
  let message: Message?
  let brightness: Double?
  let clock: KioskClock
  let event: Event?

  func value(of name: Reference, budget: inout WorkBudget) throws(EvaluationError) -> Value {
    let value: Value?
    switch name {
    case .text(let name):
      guard let template = plan.description.texts[name]?[language] else {
        throw .undefined("texts.\(name) has no string in \(language)")
      }
      value = try template.value(in: self, budget: &budget)
    case .texts:
      var fields: [Field] = []
      for name in plan.description.texts.keys.sorted() {
        fields.append(Field(name, try self.value(of: .text(name), budget: &budget)))
      }
      value = .record(fields)
    case .event(let name): value = field(name)
    default: value = self.value(of: name)
    }
    guard let value else { throw .undefined("\(name) has no value") }
    return value
  }

  /// Evaluates one entry of `texts`, not all of them.
  func member(
    _ key: String, of name: Reference, budget: inout WorkBudget
  ) throws(EvaluationError) -> Value? {
    guard name == .texts else { return try value(of: name, budget: &budget).member(key, &budget) }
    guard plan.description.texts[key] != nil else { return nil }
    return try value(of: .text(key), budget: &budget)
  }

  func value(of name: Reference) -> Value? {
    switch name {
    case .property(let path): self.value(of: path.property, of: path.control)
    case .value(let name):
      values[name]
        ?? (plan.description.isOverlay(name) ? .text(overlay.map { pages[$0].name } ?? "") : nil)
    case .language: .text(language)
    case .page: .text(pages[shownPage].name)
    case .uptime: .number(clock.now.seconds)
    case .now: .time(clock.time)
    case .text, .texts, .event: nil
    }
  }

  func value(of property: String, of id: String) -> Value? {
    guard let location = plan.locations[id] else {
      if id == Message.name, Message.fieldNames.contains(property) {
        return message?.fields.first { $0.name == property }?.value ?? .text("")
      }
      return plan.isBrightness(PropertyPath(control: id, property: property))
        ? .number(brightness ?? 1) : nil
    }
    return pages[location].value(of: property, at: clock.now)
  }

  private func field(_ name: String) -> Value? {
    guard let event else { return nil }
    if let value = event[name] ?? event.secrets.first(where: { $0.name == name })?.value {
      return value
    }
    return switch name {
    // A menu also reports that no item is under the finger.
    case "item": .text(event.item ?? "")
    case "control": event.control.map { .text($0) }
    case "event": .text(event.name)
    case "by": .text(event.cause.rawValue)
    default: nil
    }
  }
}
