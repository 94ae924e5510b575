// SPDX-License-Identifier: MIT

/// How a character is shown that may be a letter or an emoji. (UTS #51)
package struct EmojiPresentation {
  /// Whether a font with colours is looked for before one with outlines: for emoji, and for characters
  /// followed by variation selector 16 or with a skin tone.
  package private(set) var isColored = false
  /// Whether the text itself asks for it, so that a font of the other kind is only second to all others.
  private(set) var isWanted = false

  package init(of character: some Collection<Unicode.Scalar>) {
    // Below U+203C nothing is an emoji by itself, and the selectors lie above.
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
