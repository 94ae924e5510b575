// SPDX-License-Identifier: MIT

import Testing

@testable import DRMDisplay

/// Panels by number, obstacles by name.
typealias PlainState = FlipState<Int, String>

/// Goes through the events and writes down the states.
private func path(_ start: PlainState, _ events: PlainState.Event...) -> [PlainState] {
  var state = start
  return events.map {
    state.handle($0)
    return state
  }
}

private let states: [PlainState] = [
  .detached("off"), .unset(1), .idle(1), .flipping(1, awaited: 1), .flipping(1, awaited: 2),
  .paused(1, "taken"),
]

@Suite struct FlipStateTests {
  @Test func `frames follow each other`() {
    #expect(
      path(
        .detached("off"), .attached(1), .shown, .submitted(awaited: 1), .shown,
        .submitted(awaited: 1))
        == [.unset(1), .idle(1), .flipping(1, awaited: 1), .idle(1), .flipping(1, awaited: 1)])
  }

  @Test func `a flip of two outputs is done when both have reported it`() {
    #expect(
      path(.idle(1), .submitted(awaited: 2), .shown, .shown)
        == [.flipping(1, awaited: 2), .flipping(1, awaited: 1), .idle(1)])
  }

  @Test func `after a flip that never comes the mode is set again`() {
    #expect(path(.flipping(1, awaited: 1), .timedOut, .shown) == [.unset(1), .idle(1)])
  }

  @Test func `a flip that comes after its time changes nothing`() {
    #expect(
      path(.flipping(1, awaited: 1), .refused, .shown, .timedOut)
        == [.unset(1), .idle(1), .idle(1)])
  }

  @Test(arguments: states.filter { $0.panel != nil })
  func `a display that loses the card waits and then sets the mode again`(_ state: PlainState) {
    #expect(
      path(state, .lost("taken"), .lost("taken by another"), .shown, .regained)
        == [
          .paused(1, "taken"), .paused(1, "taken by another"), .paused(1, "taken by another"),
          .unset(1),
        ])
  }

  @Test(arguments: states)
  func `the cable can be pulled at any time`(_ state: PlainState) {
    let off = PlainState.detached("pulled")
    #expect(
      path(state, .detached("pulled"), .regained, .lost("taken"), .shown, .attached(2))
        == [off, off, off, off, .unset(2)])
  }

  @Test(arguments: states)
  func `another panel can take the place of one at any time`(_ state: PlainState) {
    #expect(path(state, .attached(2), .shown) == [.unset(2), .idle(2)])
  }

  @Test(arguments: states)
  func `every state has a way back to a picture`(_ start: PlainState) {
    let events: [PlainState.Event] = [
      .attached(1), .detached("off"), .shown, .submitted(awaited: 1), .timedOut, .refused,
      .lost("taken"), .regained,
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
    #expect(reached.contains(.idle(1)))
  }
}
