// SPDX-License-Identifier: MIT

internal import Kiosk
internal import JSONRPC
internal import KioskProtocol
internal import RoundelRuntime

/// The clients that connect the kiosk to services, and the messages that depend on them.
final class Bridges: KioskComponent {
  private let context: ServerContext
  private var services: [ClientID: Service] = [:]

  init(_ context: ServerContext) {
    self.context = context
  }

  func isConnected(to service: Service) -> Bool { services.values.contains(service) }

  func sendsMessages(_ client: ClientID) -> Bool { services[client] != nil }

  func forget(_ client: ClientID) { services[client] = nil }

  /// Reports a failure if no client can send the event's message.
  func report(_ event: Event) {
    guard event.control == nil, let message = event.message, !isConnected(to: message.service)
    else { return }
    context.cycle.reportFailure(
      "cannot \(event.name) \(message.name): not connected; \(message.service.command) connects",
      by: .action)
  }

  var methods: [ServedMethod] {
    [
      ServedMethod(BridgeRequest.self) { [unowned self] request, reply in
        services[reply.client] = request.isConnected ? request.service : nil
        return .done(Done())
      }
    ]
  }
}
