// SPDX-License-Identifier: MIT

internal import JSONRPC
internal import KioskProtocol

/// The clients that connect the kiosk to a broker.
final class Bridges: KioskComponent {
  private var connected: Set<ClientID> = []

  var isConnected: Bool { !connected.isEmpty }

  func forget(_ client: ClientID) { connected.remove(client) }

  var methods: [ServedMethod] {
    [
      ServedMethod(BridgeRequest.self) { [unowned self] request, reply in
        if request.isConnected {
          connected.insert(reply.client)
        } else {
          connected.remove(reply.client)
        }
        return .done(Done())
      }
    ]
  }
}
