// SPDX-License-Identifier: MIT

internal import RoundelJSON
internal import Kiosk
internal import KioskProtocol
internal import RoundelMotion
internal import JSONRPC
internal import RoundelRuntime
internal import RoundelSession

/// The clients of events and of recorded input.
final class Subscribers: KioskComponent {
  private let context: ServerContext
  /// Whether a client sends the messages of events to their service.
  var sendsMessages: (ClientID) -> Bool = { _ in false }
  private var listeners: Set<ClientID> = []
  private var recorders: [ClientID: Timestamp] = [:]

  init(_ context: ServerContext) {
    self.context = context
  }

  func isSubscribed(_ client: ClientID) -> Bool {
    listeners.contains(client) || recorders[client] != nil
  }

  func forget(_ client: ClientID) {
    listeners.remove(client)
    recorders[client] = nil
  }

  func listen(_ client: ClientID) { listeners.insert(client) }

  func report(_ event: Event) {
    guard !listeners.isEmpty else { return }
    let insiders: Set<ClientID> =
      event.isPrivate ? listeners.filter { isInsider($0, event) } : []
    send(SessionLine(withSecretsOf: event), to: listeners.subtracting(insiders))
    if !insiders.isEmpty { send(SessionLine(withPrivateContentOf: event), to: insiders) }
  }

  private func isInsider(_ client: ClientID, _ event: Event) -> Bool {
    context.insiders.contains(client) || event.message != nil && sendsMessages(client)
  }

  private func send(_ line: SessionLine, to clients: Set<ClientID>) {
    guard !clients.isEmpty else { return }
    context.clients.notify(.event, [.time(line.time.seconds)] + line.members, to: clients)
  }

  func record(_ line: @autoclosure () -> JSONValue.Member, at time: Timestamp) {
    guard !recorders.isEmpty else { return }
    let line = line()
    for (client, start) in recorders {
      // Recordings don't support negative times.
      let t = JSONValue.Member.time(max(0, time - start))
      context.clients.notify(.touch, [t, line], to: [client])
    }
  }

  /// Sends a line at the start of a recording.
  private func begin(_ line: SessionLine, _ client: ClientID) {
    context.clients.notify(.touch, [.init("t", .number(0))] + line.members, to: [client])
  }

  var methods: [ServedMethod] {
    [
      ServedMethod(EventsRequest.self) { [unowned self] request, reply in
        if request.on {
          listen(reply.client)
        } else {
          listeners.remove(reply.client)
        }
        return .done(TimeAnswer(context.cycle.engine.now.seconds))
      },
      ServedMethod(RecordRequest.self) { [unowned self] request, reply in
        let now = context.clock()
        let start = recorders[reply.client] ?? now
        let isNew = request.on && recorders[reply.client] == nil
        recorders[reply.client] = request.on ? start : nil
        let engine = context.cycle.perform { $0 }
        if isNew {
          if !engine.screen.sizes.isEmpty { begin(SessionLine(engine.screen.size), reply.client) }
          begin(SessionLine(engine.clock), reply.client)
        }
        return .done(TimeAnswer(now - start))
      },
    ]
  }
}

extension JSONValue.Member {
  static func time(_ seconds: Double) -> Self {
    .init("t", JSONType<Double>.seconds.write(seconds))
  }
}

extension Clients {
  func notify(
    _ kind: Notice.Kind, _ members: [JSONValue.Member], to clients: some Sequence<ClientID>
  ) {
    notify(kind.rawValue, members, to: clients)
  }
}
