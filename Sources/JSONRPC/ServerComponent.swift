// SPDX-License-Identifier: MIT

package protocol ServerComponent: AnyObject {
  var methods: [ServedMethod] { get }

  func forget(_ client: ClientID)

  /// Whether a client expects notifications, even after its input.
  func isSubscribed(_ client: ClientID) -> Bool

  /// Whether a client must not be disconnected for another one.
  func isBusy(for client: ClientID) -> Bool
}

extension ServerComponent {
  package func forget(_ client: ClientID) {}
  package func isSubscribed(_ client: ClientID) -> Bool { false }
  package func isBusy(for client: ClientID) -> Bool { false }
}
