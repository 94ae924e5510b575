// SPDX-License-Identifier: MIT

/// Pending output for hosts, each kind in order.
struct Outbox: Sendable {
  private(set) var events: [Event] = []
  private(set) var programs: [[String]] = []
  private(set) var sounds: [String] = []
  private(set) var utterances: [Utterance] = []

  private(set) var refusals: [String] = []

  var isEmpty: Bool { events.isEmpty && programs.isEmpty && sounds.isEmpty && utterances.isEmpty }

  mutating func add(_ event: Event) { events.append(event) }

  mutating func add(program: [String]) { programs.append(program) }

  mutating func add(sound: String) { sounds.append(sound) }

  mutating func add(_ utterance: Utterance) { utterances.append(utterance) }

  mutating func set(refusals: [String]) { self.refusals = refusals }

  mutating func takeEvents() -> [Event] { exchange(&events, for: []) }
  mutating func takePrograms() -> [[String]] { exchange(&programs, for: []) }
  mutating func takeSounds() -> [String] { exchange(&sounds, for: []) }
  mutating func takeUtterances() -> [Utterance] { exchange(&utterances, for: []) }
}

func exchange<Value>(_ value: inout Value, for new: Value) -> Value {
  defer { value = new }
  return value
}
