// SPDX-License-Identifier: MIT

public import Geometry

/// Which font a text is set in: a family that the system knows, or a font file, by the name that the
/// kiosk file gives it.
public struct FontName: Hashable, Sendable {
  /// A family that fontconfig knows, or the path of a font file.
  public var family: String
  /// Whether the family's bold face is meant.
  public var bold: Bool

  /// A font by its family or file.
  public init(_ family: String, bold: Bool = false) {
    self.family = family
    self.bold = bold
  }

  /// Whether it names a font file rather than a family: it ends as font files do.
  package var isFile: Bool {
    [".ttf", ".otf", ".ttc", ".woff"].contains { family.lowercased().hasSuffix($0) }
  }
}

/// A short text, at any angle, that makes itself fit.
///
/// It is set in one line at `size`. Where that is wider than `box`, it is wrapped at spaces into as
/// many lines as `lines` allows, then made smaller down to `minimumSize`, and only then cut with an
/// ellipsis. The block of lines stands with its middle (half the height of a capital letter, for one
/// line) at the anchor.
public struct TextRun: Hashable, Sendable {
  /// Where the anchor lies within the width of the lines.
  public enum Alignment: String, CaseIterable, Sendable {
    case start, center, end
  }

  /// One line or, where `lines` allows it, several; a newline ends a line.
  public var text: String
  /// Family and weight. Missing letters come from the system's fallback fonts.
  public var font: FontName
  /// Em size in design pixels.
  public var size: Double
  /// The point that the text stands at, in design pixels.
  public var anchor: Point
  /// Turn of the baseline, clockwise about the anchor; 0 reads to the right.
  public var angle: Angle
  /// Which end of the lines, or their middle, is at the anchor.
  public var alignment: Alignment
  /// The greatest width along the baseline and height across it, in design pixels; nil for no bound.
  public var box: Size?
  /// The greatest number of lines.
  public var lines: Int
  /// The least em size to which it may shrink.
  public var minimumSize: Double
  /// Whether all digits take the same width, as they must where a number changes in place.
  public var tabularFigures: Bool
  /// Whether its angle is another in each frame. Alone in its item it is then painted from one upright
  /// picture, which is many times faster than setting it anew and nearly as exact. At rest it must be
  /// false.
  public var isTurning: Bool

  /// A text of `size` pixels at `anchor`. `minimumSize` is half of `size` unless given.
  public init(
    _ text: String, font: FontName, size: Double, at anchor: Point, angle: Angle = .zero,
    alignment: Alignment = .center, box: Size? = nil, lines: Int = 1, minimumSize: Double? = nil,
    tabularFigures: Bool = false, isTurning: Bool = false
  ) {
    self.text = text
    self.font = font
    self.size = size
    self.anchor = anchor
    self.angle = angle
    self.alignment = alignment
    self.box = box
    self.lines = lines
    self.minimumSize = minimumSize ?? size / 2
    self.tabularFigures = tabularFigures
    self.isTurning = isTurning
  }
}
