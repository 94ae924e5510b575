// SPDX-License-Identifier: MIT

internal import Exchange
internal import Kiosk
internal import RoundelJSON
internal import RoundelMotion

/// The subscription to the entities of the kiosk's values, and the values that the kiosk has.
struct EntitySubscription {
  private enum State {
    case none
    /// `isKnown` is false until the first event, which contains all states.
    case subscribed(Int, entities: Set<String>, isKnown: Bool)
  }

  enum Given {
    case none
    case value(JSONValue)
    case failure(String)
  }

  private var state = State.none
  private var states = EntityStates()
  /// The last values for the kiosk, by expression.
  private var given: [String: (json: JSONValue, time: Timestamp)] = [:]
  /// The reported reasons for unknown values, by expression.
  private var problems: [String: String] = [:]

  /// Call this when the connection begins and ends.
  mutating func reset() {
    state = .none
    states = EntityStates()
    given = [:]
  }

  mutating func subscribe(to entities: Set<String>, _ home: inout HomeSession) {
    if case .subscribed(let number, let old, _) = state {
      guard old != entities else { return }
      _ = home.send("unsubscribe_events", [.init("subscription", .number(Double(number)))])
    }
    state = .none
    guard !entities.isEmpty else { return }
    let names = entities.sorted().map { JSONValue.string($0) }
    guard let number = home.send("subscribe_entities", [.init("entity_ids", .array(names))])
    else { return }
    state = .subscribed(number, entities: entities, isKnown: false)
  }

  func isSubscription(_ number: Int) -> Bool {
    if case .subscribed(number, _, _) = state { true } else { false }
  }

  /// Returns the changed entities, or nil for an event of another subscription.
  mutating func receive(_ number: Int, _ event: JSONValue) -> [String]? {
    guard case .subscribed(number, let entities, let isKnown) = state else { return nil }
    guard !isKnown else { return states.apply(event) }
    state = .subscribed(number, entities: entities, isKnown: true)
    states = EntityStates()
    _ = states.apply(event)
    // Missing entities are failures.
    return entities.sorted()
  }

  /// Returns the value for the kiosk, unless it has it, and isn't repeated.
  mutating func value(for value: ExchangedValue, isRepeated: Bool, at now: Timestamp) -> Given {
    guard case .subscribed(_, let entities, isKnown: true) = state, let source = value.source,
      entities.contains(source.name)
    else { return .none }
    switch states.value(of: source.name, attribute: source.attribute) {
    case .success(let json):
      problems[value.expression] = nil
      guard isRepeated || given[value.expression]?.json != json else { return .none }
      given[value.expression] = (json, now)
      return .value(json)
    case .failure(let error):
      given[value.expression] = nil
      guard !source.isOptional, problems[value.expression] != error.reason else { return .none }
      problems[value.expression] = error.reason
      return .failure(error.reason)
    }
  }

  // MARK: Values that become stale

  /// Home Assistant reports changes only, so values are repeated before they become stale.
  private func repetition(of expression: String, _ exchange: ValueExchange) -> Timestamp? {
    guard let time = given[expression]?.time,
      let seconds = exchange[expression]?.staleAfter
    else { return nil }
    return time + seconds / 2
  }

  func due(_ exchange: ValueExchange, at now: Timestamp) -> [String] {
    given.keys.sorted().filter { expression in
      repetition(of: expression, exchange).map { $0 <= now } ?? false
    }
  }

  func deadline(_ exchange: ValueExchange, of isIncluded: (String) -> Bool) -> Timestamp? {
    given.keys.filter(isIncluded).compactMap { repetition(of: $0, exchange) }.min()
  }
}
