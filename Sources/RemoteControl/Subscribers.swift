// SPDX-License-Identifier: MIT

internal import JSON
internal import Kiosk
internal import Motion
internal import Remote
internal import Runtime
internal import Session

/// Clients that are told of events, and those that record what is done.
final class Subscribers: Room {
  /// Sends a notification to clients.
  var notify: (_ method: String, _ members: [JSONValue.Member], _ clients: [ClientID]) -> Void = {
    _, _, _ in
  }

  private let cycle: FrameCycle
  private let clock: () -> Instant
  /// Who is told of events.
  private var listeners: Set<ClientID> = []
  /// Who records, and since when.
  private var recorders: [ClientID: Instant] = [:]

  init(_ cycle: FrameCycle, clock: @escaping () -> Instant) {
    self.cycle = cycle
    self.clock = clock
  }

  func contains(_ client: ClientID) -> Bool {
    listeners.contains(client) || recorders[client] != nil
  }

  func forget(_ client: ClientID) {
    listeners.remove(client)
    recorders[client] = nil
  }

  func turn() {}

  /// Tells listeners of an event.
  func tell(_ event: Event) {
    guard !listeners.isEmpty else { return }
    let line = SessionLine(event)
    notify("event", [.init("t", .number(line.time.seconds))] + line.members, Array(listeners))
  }

  /// Sends a line of a recording to those who record.
  func record(_ line: @autoclosure () -> JSONValue.Member, at time: Instant) {
    guard !recorders.isEmpty else { return }
    let line = line()
    for (client, start) in recorders {
      // What was before the recording has a negative time, which recordings do not know.
      let t = JSONValue.Member("t", .number(max(0, time - start)))
      notify("touch", [t, line], [client])
    }
  }

  var methods: [Method] {
    [
      Method(
        "events", "Tells of each event from now on, by notifications called \"event\".",
        result: "{t}: seconds since the kiosk's start"
      ) { parameters in
        let on = parameters.optional("on", .flag, default: .bool(true), "False ends it.")
        return { [unowned self] arguments, reply in
          if arguments[on] {
            listeners.insert(reply.client)
          } else {
            listeners.remove(reply.client)
          }
          return .done(.object([.init("t", .number(cycle.engine.now.seconds))]))
        }
      },
      Method(
        "record",
        "Sends each touch and each command from now on, by notifications called \"touch\" in a "
          + "recording's form.",
        result: "{t}: seconds since the recording's start"
      ) { parameters in
        let on = parameters.optional("on", .flag, default: .bool(true), "False ends it.")
        return { [unowned self] arguments, reply in
          let now = clock()
          let start = recorders[reply.client] ?? now
          recorders[reply.client] = arguments[on] ? start : nil
          return .done(.object([.init("t", .number(now - start))]))
        }
      },
    ]
  }
}
