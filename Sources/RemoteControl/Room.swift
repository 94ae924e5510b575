// SPDX-License-Identifier: MIT

internal import Remote

/// Part of a kiosk's server that owns its state: what clients may ask it, and what it keeps for them.
protocol Room: AnyObject {
  var methods: [Method] { get }

  /// A client has gone.
  func forget(_ client: ClientID)

  /// Done after a turn of the kiosk.
  func turn()
}
