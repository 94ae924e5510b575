// SPDX-License-Identifier: MIT

import Testing

@testable import DRMDisplay

/// Goes through the events and writes down the states.
private func path(_ start: FlipState, _ events: FlipState.Event...) -> [FlipState] {
  var state = start
  return events.map {
    state.handle($0)
    return state
  }
}

@Suite struct FlipStateTests {
  @Test func `frames follow each other`() {
    #expect(
      path(.detached, .attached, .shown, .submitted, .shown, .submitted)
        == [.unset, .idle, .flipping, .idle, .flipping])
  }

  @Test func `after a flip that never comes the mode is set again`() {
    #expect(path(.flipping, .timedOut, .shown) == [.unset, .idle])
  }

  @Test func `a flip that comes after its time changes nothing`() {
    #expect(path(.flipping, .refused, .shown, .timedOut) == [.unset, .idle, .idle])
  }

  @Test(arguments: [FlipState.unset, .idle, .flipping])
  func `a display that loses the card waits and then sets the mode again`(_ state: FlipState) {
    #expect(path(state, .lost, .lost, .shown, .regained) == [.paused, .paused, .paused, .unset])
  }

  @Test(arguments: FlipState.allCases)
  func `the cable can be pulled at any time`(_ state: FlipState) {
    #expect(
      path(state, .detached, .regained, .shown, .attached)
        == [.detached, .detached, .detached, .unset])
  }

  @Test func `every state has a way back to a picture`() {
    for start in FlipState.allCases {
      var reached: Set<FlipState> = [start]
      var before = 0
      while reached.count > before {
        before = reached.count
        for state in reached {
          for event in FlipState.Event.allCases { reached.formUnion(path(state, event)) }
        }
      }
      #expect(reached.contains(.idle))
    }
  }
}
