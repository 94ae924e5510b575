// SPDX-License-Identifier: MIT

/// A service that a separate program, the bridge, connects to the kiosk.
package enum Service: String, Sendable, CaseIterable {
  /// A broker, by `roundel mqtt`.
  case mqtt
  /// Home Assistant without a broker, by `roundel home`.
  case home

  package var command: String { "roundel \(rawValue)" }
}
