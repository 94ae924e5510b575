// SPDX-License-Identifier: MIT

import Motion
import Testing

@testable import HomeAssistant

@Suite struct TopicStatesTests {
  private func at(_ seconds: Double) -> Timestamp {
    Timestamp(microseconds: Int64(seconds * 1_000_000))
  }

  /// All that is due.
  private func take(_ states: inout TopicStates, at seconds: Double) -> [String] {
    var all: [String] = []
    while let next = states.next(at: at(seconds)) { all.append("\(next.topic)=\(next.text)") }
    return all
  }

  @Test func `a thousand changes a second are ten messages, and the last one is the last value`() {
    var states = TopicStates()
    var sent: [String] = []
    for change in 0..<1000 {
      states.set("a", to: "\(change)")
      sent += take(&states, at: Double(change) / 1000)
    }
    #expect(sent.count == 10)
    #expect(sent.first == "a=0")
    #expect(states.nextTime == at(1))
    #expect(take(&states, at: 1) == ["a=999"])
    #expect(states.nextTime == nil)
  }

  @Test func `one that changes all the time does not hold up another`() {
    var states = TopicStates()
    states.set("a", to: "1")
    #expect(take(&states, at: 0) == ["a=1"])
    states.set("a", to: "2")
    states.set("b", to: "1")
    #expect(take(&states, at: 0.05) == ["b=1"])
    #expect(take(&states, at: 0.1) == ["a=2"])
  }

  @Test func `what is as it was told is not told again, not even after a change and back`() {
    var states = TopicStates()
    states.set("a", to: "1")
    _ = take(&states, at: 0)
    states.set("a", to: "1")
    states.set("a", to: "2")
    states.set("a", to: "1")
    #expect(take(&states, at: 1).isEmpty)
  }

  @Test func `a broker that comes back is told everything as it is now`() {
    var states = TopicStates()
    states.set("b", to: "1")
    states.set("a", to: "1")
    _ = take(&states, at: 0)
    states.set("a", to: "2")
    states.tellAll()
    #expect(take(&states, at: 0.01) == ["a=2", "b=1"])
  }

  @Test func `a topic that is removed says nothing more`() {
    var states = TopicStates()
    states.set("a", to: "1")
    states.remove("a")
    #expect(take(&states, at: 0).isEmpty)
    states.tellAll()
    #expect(take(&states, at: 0).isEmpty)
  }
}
