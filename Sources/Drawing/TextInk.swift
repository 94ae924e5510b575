// SPDX-License-Identifier: MIT

public import Geometry

/// The colours of a text: one where it is shown large, one where it is not.
///
/// How large a text is becomes known when it is fitted to its room, so the painter chooses.
public struct TextInk: Hashable, Sendable {
  /// For large texts as of WCAG 2.1, which need a contrast of 3 : 1 only.
  public var large: Color
  /// For all other texts, which need 4.5 : 1.
  public var small: Color

  /// The contrast that WCAG AA asks of large text.
  package static let largeContrast = 3.0
  /// The contrast that WCAG AA asks of other text.
  package static let smallContrast = 4.5

  /// Colours for both sizes.
  public init(large: Color, small: Color) {
    self.large = large
    self.small = small
  }

  /// The same colour at any size.
  public init(_ color: Color) { self.init(large: color, small: color) }

  /// White or near-black, for text on this colour.
  public init(on color: Color) {
    self.init(large: color.readableText(isLarge: true), small: color.readableText(isLarge: false))
  }

  /// Both colours with their alpha multiplied by `opacity` (0 … 1).
  public func faded(to opacity: Double) -> TextInk {
    TextInk(large: large.faded(to: opacity), small: small.faded(to: opacity))
  }

  /// Both colours on the way to those of another ink, 0 … 1.
  package func mixed(with other: TextInk, _ share: Double) -> TextInk {
    TextInk(
      large: large.mixed(with: other.large, share), small: small.mixed(with: other.small, share))
  }

  /// The colour for texts of an em of `size` pixels on the panel. WCAG 2.1 counts 18 points as large, of
  /// bold ones 14: 24 and 18⅔ pixels.
  package func color(forSize size: Double, isBold: Bool) -> Color {
    size >= (isBold ? 56.0 / 3 : 24) ? large : small
  }
}

/// The properties that determine the size of a text, and that texts of one size share.
public struct TextSizing: Hashable, Sendable {
  /// The texts; empty for one that has a size of its own, which is `size`.
  public var peers: TextPeers
  /// The space for peers that have none of their own.
  public var room: TextRoom?
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
  /// The properties that determine its size.
  package var sizing: TextSizing {
    TextSizing(
      peers: peers, room: peers.areInOneRoom ? room : nil, font: font, size: size,
      minimumSize: minimumSize, lines: lines,
      tabularFigures: tabularFigures)
  }
}

extension Fill {
  /// The colour of an ink for the size of texts.
  package init(_ ink: TextInk, of sizing: TextSizing) {
    self = ink.large == ink.small ? .color(ink.large) : .ink(ink, of: sizing)
  }
}

extension DisplayList {
  /// Adds a text in front of the other items, in the colour for the size at which it is shown; of a sign
  /// that belongs to a text, for that text's.
  public mutating func add(
    _ run: TextRun, _ ink: TextInk, sizedAs sizing: TextSizing? = nil, clip: Rect? = nil
  ) {
    add(.text(run), Fill(ink, of: sizing ?? run.sizing), clip: clip)
  }
}
