// SPDX-License-Identifier: MIT

/// An external source. A bridge sets the value.
package struct ValueSource: Hashable, Sendable {
  package var service: Service
  /// The name at the service, such as a topic or an entity.
  package var name: String
  /// The value's names and indices in a JSON message, from the outside in, or empty for the whole
  /// message.
  package var path: [String]
  /// The attribute of an entity, or nil for its state.
  package var attribute: String?
  /// Whether a message without the value is ignored, instead of being a failure.
  package var isOptional: Bool

  package init(
    _ service: Service, _ name: String, path: [String] = [], isOptional: Bool = false
  ) {
    self.service = service
    self.name = name
    self.path = path
    self.isOptional = isOptional
  }
}
