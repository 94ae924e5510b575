// SPDX-License-Identifier: MIT

internal import HomeAssistant

/// The settings of a bridge, and the services of its machine.
package struct BridgeSettings {
  /// The broker's name in messages.
  package var broker: String
  package var prefix: String
  package var discoveryPrefix: String
  /// The panel's name in topics, and for people; nil if the kiosk's name is both.
  package var node: (name: String, title: String)?
  /// Names that several panels share, for commands.
  package var groups: [String] = []
  /// The seconds over which the panels of a fleet spread their attempts to reach a broker that they have lost at the
  /// same moment; nil for a panel alone, which is soon back.
  package var spread: Double?
  /// The half of the disk that the system was started from, if it has two.
  package var slot: String?
  /// The version of this program.
  package var version: String
  /// Seconds since 1970.
  package var wallTime: () -> Double
  /// Requests the newest version of the kiosk, and returns the reason for a failure.
  package var requestUpdate: () -> String?

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
