// SPDX-License-Identifier: MIT

/// A component of a server, with its own state, methods and data of clients.
package protocol ServerComponent: AnyObject {
  var methods: [ServedMethod] { get }

  /// Removes the data of a disconnected client.
  func forget(_ client: ClientID)

  /// Returns whether a client expects notifications, even after it has ended its input.
  func isSubscribed(_ client: ClientID) -> Bool

  /// Returns whether the component is working for a client, so that it isn't disconnected for another one.
  func isBusy(for client: ClientID) -> Bool
}

extension ServerComponent {
  package func forget(_ client: ClientID) {}
  package func isSubscribed(_ client: ClientID) -> Bool { false }
  package func isBusy(for client: ClientID) -> Bool { false }
}
