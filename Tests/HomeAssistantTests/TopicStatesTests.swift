// SPDX-License-Identifier: MIT

import RoundelMotion
import Testing

@testable import HomeAssistant

@Suite struct TopicStatesTests {
  private func at(_ seconds: Double) -> Timestamp {
    Timestamp(microseconds: Int64(seconds * 1_000_000))
  }

  /// All messages that are due.
  private func take(_ states: inout TopicStates, at seconds: Double) -> [String] {
    var all: [String] = []
    while let next = states.next(at: at(seconds)) { all.append("\(next.topic)=\(next.text)") }
    return all
  }

  @Test func `a thousand changes per second are ten messages, ending with the last value`() {
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

  @Test func `a constantly changing topic doesn't delay another`() {
    var states = TopicStates()
    states.set("a", to: "1")
    #expect(take(&states, at: 0) == ["a=1"])
    states.set("a", to: "2")
    states.set("b", to: "1")
    #expect(take(&states, at: 0.05) == ["b=1"])
    #expect(take(&states, at: 0.1) == ["a=2"])
  }

  @Test func `an unchanged state isn't sent again, even after a change and back`() {
    var states = TopicStates()
    states.set("a", to: "1")
    _ = take(&states, at: 0)
    states.set("a", to: "1")
    states.set("a", to: "2")
    states.set("a", to: "1")
    #expect(take(&states, at: 1).isEmpty)
  }

  @Test func `a reconnected broker receives all current states`() {
    var states = TopicStates()
    states.set("b", to: "1")
    states.set("a", to: "1")
    _ = take(&states, at: 0)
    states.set("a", to: "2")
    states.resendAll()
    #expect(take(&states, at: 0.01) == ["a=2", "b=1"])
  }

  @Test func `a removed topic sends nothing more`() {
    var states = TopicStates()
    states.set("a", to: "1")
    states.remove("a")
    #expect(take(&states, at: 0).isEmpty)
    states.resendAll()
    #expect(take(&states, at: 0).isEmpty)
  }

  @Test func `values during a turn aren't sent, and the final value is sent once`() {
    var states = TopicStates()
    states.set("ring", to: "20", passedBy: ["heat"])
    states.set("target", to: "20", passedBy: ["heat"])
    #expect(take(&states, at: 0).count == 2)
    states.beginTurn(of: "heat")
    var sent: [String] = []
    // A long turn followed by a fling.
    for step in 0..<500 {
      states.set("ring", to: "\(20 + step)", passedBy: ["heat"])
      states.set("target", to: "\(20 + step)", passedBy: ["heat"])
      sent += take(&states, at: 1 + Double(step) / 100)
    }
    #expect(sent.isEmpty)
    #expect(states.nextTime == nil)
    states.endTurn(of: "heat", at: at(6))
    // The last value may arrive after the event that ends the turn.
    states.set("ring", to: "520", passedBy: ["heat"])
    #expect(take(&states, at: 6).isEmpty)
    #expect(states.nextTime.map { $0 <= at(6.1) } == true)
    #expect(take(&states, at: 6.1) == ["ring=520", "target=519"])
  }

  @Test func `values during a commanded turn aren't sent, and the settled one is sent once`() {
    var states = TopicStates()
    states.set("dial", to: "0", passedBy: ["d"])
    _ = take(&states, at: 0)
    for step in 1...7 {
      states.recordTurn(of: "dial", at: at(5 + Double(step) / 100))
      states.set("dial", to: "\(step)", passedBy: ["d"])
      #expect(take(&states, at: 5 + Double(step) / 100).isEmpty)
    }
    states.endTurn(of: "d", at: at(5.3))
    #expect(take(&states, at: 5.4) == ["dial=7"])
    // The end of this turn wasn't reported.
    states.recordTurn(of: "dial", at: at(7))
    states.set("dial", to: "3", passedBy: ["d"])
    #expect(states.nextTime == at(8))
    #expect(take(&states, at: 8) == ["dial=3"])
  }

  @Test func `during any turn, other changes are sent twice per second`() {
    var states = TopicStates()
    states.beginTurn(of: "d")
    var sent = 0
    for step in 0..<200 {
      states.set("label", to: "\(step)")
      sent += take(&states, at: Double(step) / 100).count
    }
    #expect(sent == 4)
    states.endAllTurns()
    #expect(take(&states, at: 2) == ["label=199"])
  }
}
