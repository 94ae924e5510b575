// SPDX-License-Identifier: MIT

/// The role of a control in home automation.
package struct HomeEntity: Hashable, Sendable {
  package enum Role: String, CaseIterable, Sendable {
    case choice
    case choices
    case number
    case range
    case text
    case flag
    case measurement
    /// A read-only text. Disabled by default, because panels already show it.
    case reading
    case events
  }

  package var role = Role.reading
  /// The property with the state, of the control or of each part. Empty for events.
  package var property = ""
  /// The property of the second number of a range.
  package var otherProperty = ""
  package var unit: String?
  package var events: [String] = []
  package var deviceClass: String?
  package var command: String?
  /// Whether changes pass through intermediate values.
  package var isTurned = false
  /// Whether the numbers are the targets of a thermostat, and the key `marker` is its actual temperature.
  package var isClimate = false

  package init() {}

  private init(_ role: Role, _ property: String = "", isTurned: Bool = false) {
    self.role = role
    self.property = property
    self.isTurned = isTurned
  }

  package static func choice(_ property: String) -> Self { Self(.choice, property) }

  package static func choices(ofParts property: String) -> Self {
    Self(.choices, property, isTurned: true)
  }

  package static func number(_ property: String) -> Self { Self(.number, property, isTurned: true) }

  package static func range(_ low: String, _ high: String) -> Self {
    var entity = Self(.range, low, isTurned: true)
    entity.otherProperty = high
    return entity
  }

  package func asClimate(_ isClimate: Bool) -> Self {
    var entity = self
    entity.isClimate = isClimate
    return entity
  }

  package static func text(_ property: String) -> Self { Self(.text, property) }

  package static func flag(_ property: String) -> Self { Self(.flag, property) }

  package static func measurement(
    _ property: String, unit: String? = nil, isTurned: Bool = false
  ) -> Self {
    var entity = Self(.measurement, property, isTurned: isTurned)
    entity.unit = unit
    return entity
  }

  package static func reading(_ property: String) -> Self { Self(.reading, property) }

  package static func events(
    _ events: [String], deviceClass: String? = nil, command: String? = nil
  ) -> Self {
    var entity = Self(.events)
    entity.events = events
    entity.deviceClass = deviceClass
    entity.command = command
    return entity
  }
}
