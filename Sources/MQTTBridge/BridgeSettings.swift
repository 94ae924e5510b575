// SPDX-License-Identifier: MIT

package import Exchange
package import HomeAssistant

package struct BridgeSettings {
  package var broker: String
  package var prefix: String
  package var discoveryPrefix: String
  /// The panel's name in topics and title for users, or nil to use the kiosk's name for both.
  package var node: (name: String, title: String)?
  /// Names that several panels share, for commands.
  package var groups: [String] = []
  /// The seconds over which a fleet spreads its attempts after losing the broker, or nil for a
  /// single panel, which reconnects quickly.
  package var spread: Double?
  package var links = Discovery.Links()
  /// The booted A/B slot.
  package var slot: String?
  package var version: String
  /// Seconds since 1970.
  package var wallTime: () -> Double
  /// Returns the error, or nil on success.
  package var requestUpdate: () -> String?

  package var keepImage: ImageKeeper = {
    (_, _) throws(MessageError) in
    throw MessageError(description: "images have no folder")
  }

  package init(
    broker: String, prefix: String, discoveryPrefix: String, version: String,
    wallTime: @escaping () -> Double, requestUpdate: @escaping () -> String?
  ) {
    self.broker = broker
    self.prefix = prefix
    self.discoveryPrefix = discoveryPrefix
    self.version = version
    self.wallTime = wallTime
    self.requestUpdate = requestUpdate
  }

  func topics(of node: String) -> Topics {
    Topics(prefix: prefix, node: node, groups: groups, discoveryPrefix: discoveryPrefix)
  }
}
