// SPDX-License-Identifier: MIT

/// How a character is shown that may be a letter or an emoji. (UTS #51)
package enum EmojiPresentation {
  /// As a letter of a font with outlines, or where the text says nothing, as what the character is by
  /// itself: most characters, and those followed by variation selector 15.
  case text(isWanted: Bool)
  /// In colour: emoji, and characters followed by variation selector 16 or with a skin tone.
  case emoji(isWanted: Bool)

  package init(of character: some Collection<Unicode.Scalar>) {
    // Neither of these is an emoji without a selector.
    guard character.contains(where: { $0.value >= 0x203c }) else {
      self = .text(isWanted: false)
      return
    }
    if character.contains("\u{fe0e}") {
      self = .text(isWanted: true)
    } else if character.contains(where: { $0 == "\u{fe0f}" || $0.properties.isEmojiModifier }) {
      self = .emoji(isWanted: true)
    } else if character.first?.properties.isEmojiPresentation ?? false {
      self = .emoji(isWanted: false)
    } else {
      self = .text(isWanted: false)
    }
  }

  /// Whether a font with colours is looked for before one with outlines.
  package var isColored: Bool {
    if case .emoji = self { true } else { false }
  }

  /// Whether the text itself asks for it, so that a font of the other kind is only second to all others.
  var isWanted: Bool {
    switch self {
    case .text(let isWanted), .emoji(let isWanted): isWanted
    }
  }
}
