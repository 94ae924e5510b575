// SPDX-License-Identifier: MIT

/// A part of a server with its own state, its methods, and whatever it keeps for clients.
package protocol Room: AnyObject {
  var methods: [ServedMethod] { get }

  /// Forgets a client that has gone.
  func forget(_ client: ClientID)

  /// Whether a client will still be sent something without asking, also after it has ended its own
  /// side.
  func isSubscribed(_ client: ClientID) -> Bool

  /// Whether work is being done for a client, so that it does not give way to a new one.
  func isBusy(for client: ClientID) -> Bool
}

extension Room {
  package func forget(_ client: ClientID) {}
  package func isSubscribed(_ client: ClientID) -> Bool { false }
  package func isBusy(for client: ClientID) -> Bool { false }
}
