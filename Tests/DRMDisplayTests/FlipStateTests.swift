// SPDX-License-Identifier: MIT

import Testing

@testable import DRMDisplay

/// A flip state with obstacles as strings.
typealias PlainState = FlipState<String>

/// Applies the events and returns the states.
private func path(_ start: PlainState, _ events: PlainState.Event...) -> [PlainState] {
  var state = start
  return events.map {
    state.handle($0)
    return state
  }
}

private let states: [PlainState] = [.unset, .idle, .flipping, .paused("taken")]

@Suite struct FlipStateTests {
  @Test func `frames follow each other`() {
    #expect(
      path(.unset, .shown, .submitted, .shown, .submitted) == [.idle, .flipping, .idle, .flipping])
  }

  @Test func `after a missing flip the mode is set again`() {
    #expect(path(.flipping, .timedOut, .shown) == [.unset, .idle])
  }

  @Test func `a late flip changes nothing`() {
    #expect(path(.flipping, .refused, .shown, .timedOut) == [.unset, .idle, .idle])
  }

  @Test(arguments: states)
  func `a display that loses the device waits, then sets the mode again`(_ state: PlainState) {
    #expect(
      path(state, .lost("taken"), .lost("taken by another"), .shown, .regained)
        == [.paused("taken"), .paused("taken by another"), .paused("taken by another"), .unset])
  }

  @Test(arguments: states)
  func `every state leads back to a picture`(_ start: PlainState) {
    let events: [PlainState.Event] = [
      .shown, .submitted, .timedOut, .refused, .lost("taken"), .regained,
    ]
    var reached = [start]
    var next = 0
    while next < reached.count {
      for event in events {
        let state = path(reached[next], event)[0]
        if !reached.contains(state) { reached.append(state) }
      }
      next += 1
    }
    #expect(reached.contains(.idle))
  }
}
