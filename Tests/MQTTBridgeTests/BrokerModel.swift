// SPDX-License-Identifier: MIT

import Exchange
import MQTTBridge

/// A simulated broker, which serves clients, dies and breaks connections on request.
struct BrokerModel {
  private struct Client {
    let name: String
    let will: BrokerMessage
    /// Unread actions; the first, nil, accepts the client.
    var actions: [Action?] = [nil]
    /// Messages that the client hasn't read yet.
    var output: [BrokerInput] = []
    var topics: [String] = []
    var isAccepted = false
    /// Whether the client has closed its end, and its last action.
    var isClosed = false
  }

  static let maximumActions = 6

  private(set) var isRunning = false
  private(set) var retained: [String: [UInt8]] = [:]
  private var clients: [ConnectionID: Client] = [:]
  private var order: [ConnectionID] = []
  /// All published messages, in order.
  private(set) var published: [BrokerMessage] = []

  // MARK: Connections

  mutating func open(_ connection: ConnectionID, _ name: String, will: BrokerMessage) {
    var client = Client(name: name, will: will)
    if !isRunning {
      client.output = [.ended(reason: "connection refused")]
      client.isClosed = true
      client.actions = []
    }
    clients[connection] = client
    order.append(connection)
  }

  mutating func add(_ action: Action, by connection: ConnectionID) {
    guard clients[connection]?.isClosed == false else { return }
    clients[connection]?.actions.append(action)
    switch action {
    case .closeBroker, .dropBroker:
      clients[connection]?.isClosed = true
      clients[connection]?.output = []
    default: break
    }
  }

  func hasRoom(_ connection: ConnectionID) -> Bool {
    guard let client = clients[connection] else { return false }
    return client.isAccepted && !client.isClosed && client.actions.count < Self.maximumActions
  }

  mutating func takeOutput() -> (ConnectionID, BrokerInput)? {
    guard let connection = order.first(where: { clients[$0]?.output.isEmpty == false }),
      let input = clients[connection]?.output.removeFirst()
    else { return nil }
    if case .ended = input { forget(connection) }
    return (connection, input)
  }

  private mutating func forget(_ connection: ConnectionID) {
    clients[connection] = nil
    order.removeAll { $0 == connection }
  }

  /// Ends a client's connection without a DISCONNECT.
  private mutating func end(_ connection: ConnectionID, publishingWill: Bool, _ reason: String) {
    guard let client = clients[connection] else { return }
    if publishingWill, client.isAccepted { publish(client.will) }
    if client.isClosed {
      if client.output.isEmpty { forget(connection) }
    } else {
      clients[connection]?.isClosed = true
      clients[connection]?.actions = []
      clients[connection]?.output.append(.ended(reason: reason))
    }
  }

  /// Whether a client is connected and has subscribed.
  func isServing(_ name: String) -> Bool {
    clients.values.contains {
      $0.name == name && $0.isAccepted && !$0.isClosed && !$0.topics.isEmpty
    }
  }

  // MARK: The process

  mutating func run() { isRunning = true }

  mutating func die(forgetting: Bool) {
    isRunning = false
    for connection in order { end(connection, publishingWill: false, "connection lost") }
    if forgetting { retained = [:] }
  }

  mutating func breakConnection(_ choice: Int) {
    guard isRunning, !order.isEmpty else { return }
    end(order[choice % order.count], publishingWill: true, "connection lost")
  }

  // MARK: Clients

  var hasActions: Bool {
    isRunning && order.contains { clients[$0]?.actions.isEmpty == false }
  }

  /// Serves the oldest action of the `choice`th client with pending actions.
  mutating func serve(_ choice: Int) {
    guard isRunning else { return }
    let waiting = order.filter { clients[$0]?.actions.isEmpty == false }
    guard !waiting.isEmpty else { return }
    let connection = waiting[choice % waiting.count]
    guard let action = clients[connection]?.actions.removeFirst() else {
      return accept(connection)
    }
    switch action {
    case .subscribe(let topic, _):
      clients[connection]?.topics.append(topic)
      for (kept, payload) in retained.sorted(by: { $0.key < $1.key })
      where Self.matches(kept, topic) {
        send(BrokerMessage(kept, payload, isRetained: true), to: connection)
      }
    case .unsubscribe(let topic, _): clients[connection]?.topics.removeAll { $0 == topic }
    case .publish(let message, _): publish(message)
    case .closeBroker: forget(connection)
    case .dropBroker:
      if let client = clients[connection], client.isAccepted { publish(client.will) }
      forget(connection)
    default: break
    }
  }

  private mutating func accept(_ connection: ConnectionID) {
    guard let name = clients[connection]?.name else { return }
    for other in order where other != connection && clients[other]?.name == name {
      if clients[other]?.isAccepted == true {
        end(other, publishingWill: true, "another client has the name")
      }
    }
    clients[connection]?.isAccepted = true
    if clients[connection]?.isClosed == false { clients[connection]?.output.append(.accepted) }
  }

  /// Publishes a message from another client.
  mutating func publish(_ message: BrokerMessage) {
    guard isRunning else { return }
    published.append(message)
    if message.isRetained {
      retained[message.topic] = message.payload.isEmpty ? nil : message.payload
    }
    for connection in order
    where clients[connection]?.topics.contains(where: { Self.matches(message.topic, $0) }) == true {
      send(
        BrokerMessage(message.topic, message.payload, isRetained: false), to: connection)
    }
  }

  private mutating func send(_ message: BrokerMessage, to connection: ConnectionID) {
    if clients[connection]?.isClosed == false {
      clients[connection]?.output.append(.message(message))
    }
  }

  private static func matches(_ topic: String, _ pattern: String) -> Bool {
    let (levels, wanted) = (topic.split(separator: "/"), pattern.split(separator: "/"))
    return levels.count == wanted.count
      && zip(levels, wanted).allSatisfy { $1 == "+" || $0 == $1 }
  }
}
