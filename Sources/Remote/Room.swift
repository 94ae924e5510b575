// SPDX-License-Identifier: MIT

/// Part of a server that owns its state: what clients may ask it, and what it keeps for them.
package protocol Room: AnyObject {
  var methods: [ServedMethod] { get }

  /// A client has gone.
  func forget(_ client: ClientID)

  /// Whether a client will still be sent something without asking, also after it has ended its own
  /// side.
  func isSubscribed(_ client: ClientID) -> Bool

  /// Whether something is done for a client, so that it does not give way to a new one.
  func isBusy(for client: ClientID) -> Bool
}

extension Room {
  package func forget(_ client: ClientID) {}
  package func isSubscribed(_ client: ClientID) -> Bool { false }
  package func isBusy(for client: ClientID) -> Bool { false }
}
