// SPDX-License-Identifier: MIT

package import Exchange
internal import RoundelJSON
package import RoundelMotion

/// A single connection that checks the names that kiosks use.
package struct HomeExamination {
  private let names: HomeNames
  private let actions: HomeActions
  private var home: HomeSession
  private var states: (number: Int, answer: JSONValue?)?
  private var services: (number: Int, answer: JSONValue?)?

  package private(set) var isConnected = false
  /// Home Assistant's problems, or nil until they are known.
  package private(set) var problems: [String]?

  package init(_ names: HomeNames, at place: String, now: Timestamp) {
    self.names = names
    actions = HomeActions(at: now)
    home = HomeSession(place, actions)
  }

  package mutating func receive(
    _ input: HomeInput, from connection: ConnectionID, at now: Timestamp
  ) {
    actions.now = now
    if home.owns(connection) { home.receive(input).forEach { handle($0) } }
  }

  package mutating func advance(to now: Timestamp) {
    actions.now = now
    home.advance().forEach { handle($0) }
  }

  package mutating func nextAction() -> HomeAction? { actions.takeFirst() }

  package var deadline: Timestamp { home.deadline }

  private mutating func handle(_ report: HomeSession.Report) {
    switch report {
    case .connected:
      isConnected = true
      states = home.send("get_states").map { ($0, nil) }
      services = home.send("get_services").map { ($0, nil) }
    case .ended(let problem): problems = [problem ?? "not connected"]
    case .result(_, _, let failure?): problems = [failure]
    case .result(states?.number, let json, nil): states?.answer = json
    case .result(services?.number, let json, nil): services?.answer = json
    case .result, .event: break
    }
    guard problems == nil, let states = states?.answer, let services = services?.answer else {
      return
    }
    problems = names.problems(states: states, services: services)
    home.close()
  }
}
