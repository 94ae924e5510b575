// SPDX-License-Identifier: MIT

/// A way to show pixels in a terminal.
package enum Graphics: String, CaseIterable, Sendable {
  /// Two pixels a cell, as the halves of a block in 24-bit colours. Every terminal has them.
  case blocks
  /// The kitty graphics protocol.
  case kitty
  /// DEC's sixels.
  case sixel
}
