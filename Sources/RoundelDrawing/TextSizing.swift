// SPDX-License-Identifier: MIT

/// The properties that determine the size of text, shared by text of one size.
public struct TextSizing: Hashable, Sendable {
  /// Empty if the text has its own size, which is `size`.
  public var peers: TextPeers
  /// The space for peers without their own.
  public var bounds: TextBounds?
  /// Families, weight and language.
  public var font: Font
  /// The maximum em size, in design pixels.
  public var size: Double
  /// The minimum em size, in design pixels.
  public var minimumSize: Double
  /// The maximum number of lines.
  public var lines: Int
  /// Whether all digits have the same width.
  public var tabularFigures: Bool
}

extension TextRun {
  package var sizing: TextSizing {
    TextSizing(
      peers: peers, bounds: peers.haveSharedBounds ? bounds : nil, font: font, size: size,
      minimumSize: minimumSize, lines: lines,
      tabularFigures: tabularFigures)
  }
}
