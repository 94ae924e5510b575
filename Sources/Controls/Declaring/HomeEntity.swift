// SPDX-License-Identifier: MIT

/// The role of a control in a home automation, such as Home Assistant.
package struct HomeEntity: Hashable, Sendable {
  package enum Role: String, CaseIterable, Sendable {
    /// A choice among the ids of its parts.
    case choice
    /// For each of its parts, a choice among the part's rows.
    case choices
    /// A number that can be set.
    case number
    /// A switch.
    case flag
    /// A number that is only shown.
    case measurement
    /// A text that is only shown. Panels show it already, so it is disabled by default.
    case reading
    /// No lasting state: its events.
    case events
  }

  package var role = Role.reading
  /// The property that holds its state, of the control or of each of its parts; empty for events.
  package var property = ""
  package var unit: String?
  package var events: [String] = []
  /// The device class of its events.
  package var deviceClass: String?
  /// A command of the control that a button gives.
  package var command: String?
  /// Whether its value passes through others when it changes.
  package var isTurned = false

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
