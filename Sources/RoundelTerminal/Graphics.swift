// SPDX-License-Identifier: MIT

package enum Graphics: String, CaseIterable, Sendable {
  /// Two pixels per cell, as half blocks in 24-bit colours. Every terminal supports these.
  case blocks
  case kitty
  case sixel
}
