// SPDX-License-Identifier: MIT

/// An external destination. A bridge sends each change.
package struct ValueTarget: Hashable, Sendable {
  package enum Timing: String, Sendable, CaseIterable {
    /// Each change is sent.
    case changed
    /// A change is sent when no finger holds a control that is bound to the value, and the control rests.
    case settled
  }

  package var service: Service
  /// The name at the service, such as a topic, or a service of Home Assistant.
  package var name: String
  /// The entity of a service of Home Assistant, or nil if the service needs none.
  package var entity: String?
  /// The field of a service of Home Assistant that has the value.
  package var field: String?
  /// The message, where `{value}` stands for the value, or nil for the value alone.
  package var payload: String?
  /// Whether the broker keeps the last message for later subscribers.
  package var isRetained: Bool
  package var timing = Timing.changed
  /// The minimum seconds between messages, or nil. The last message is always sent.
  package var interval: Double?

  package init(
    _ service: Service, _ name: String, payload: String? = nil, isRetained: Bool = false
  ) {
    self.service = service
    self.name = name
    self.payload = payload
    self.isRetained = isRetained
  }

  /// The maximum number of values with a `gone`. Each needs a connection to the broker.
  package static let maximumGoneCount = 16
  /// MQTT stores the size of a last will in 16 bits.
  package static let maximumGoneBytes = 65_535
}
