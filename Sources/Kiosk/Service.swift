// SPDX-License-Identifier: MIT

/// A service that a separate program, the bridge, connects to the kiosk.
package enum Service: String, Sendable, CaseIterable {
  /// A broker, by `roundel mqtt`.
  case mqtt

  package var command: String { "roundel \(rawValue)" }
}
