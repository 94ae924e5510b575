// SPDX-License-Identifier: MIT

/// A method to display pixels in a terminal.
package enum Graphics: String, CaseIterable, Sendable {
  /// Two pixels per cell, as half blocks in 24-bit colours. Every terminal supports these.
  case blocks
  /// The kitty graphics protocol.
  case kitty
  /// DEC sixels.
  case sixel
}
