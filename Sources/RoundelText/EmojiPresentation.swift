// SPDX-License-Identifier: MIT

/// Whether a character that may be text or an emoji is displayed as an emoji (UTS #51).
package struct EmojiPresentation {
  /// Whether coloured fonts are preferred: for emoji, and characters with variation selector 16 or
  /// a skin tone.
  package private(set) var isColored = false
  /// Whether the text selects the presentation, so that a font of the other kind is a last resort.
  private(set) var isWanted = false

  package init(of character: some Collection<Unicode.Scalar>) {
    // Below U+203C nothing is an emoji by default, and the selectors are above.
    guard character.contains(where: { $0.value >= 0x203c }) else { return }
    if character.contains("\u{fe0e}") {
      isWanted = true
    } else if character.contains(where: { $0 == "\u{fe0f}" || $0.properties.isEmojiModifier }) {
      (isColored, isWanted) = (true, true)
    } else {
      isColored = character.first?.properties.isEmojiPresentation ?? false
    }
  }
}
