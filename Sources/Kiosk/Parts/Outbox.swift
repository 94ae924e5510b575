// SPDX-License-Identifier: MIT

/// Pending output for hosts, each kind in order.
struct Outbox: Sendable {
  private(set) var events: [Event] = []
  private(set) var programs: [[String]] = []
  private(set) var sounds: [String] = []
  private(set) var utterances: [Utterance] = []

  /// Refused values of bound properties in the last turn.
  private(set) var refusals: [String] = []

  var isEmpty: Bool {
    events.isEmpty && programs.isEmpty && sounds.isEmpty && utterances.isEmpty
  }

  mutating func add(_ event: Event) { events.append(event) }

  mutating func add(program: [String]) { programs.append(program) }

  mutating func add(sound: String) { sounds.append(sound) }

  mutating func add(_ utterance: Utterance) { utterances.append(utterance) }

  mutating func set(refusals: [String]) { self.refusals = refusals }

  mutating func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }

  mutating func takePrograms() -> [[String]] {
    defer { programs = [] }
    return programs
  }

  mutating func takeSounds() -> [String] {
    defer { sounds = [] }
    return sounds
  }

  mutating func takeUtterances() -> [Utterance] {
    defer { utterances = [] }
    return utterances
  }
}
