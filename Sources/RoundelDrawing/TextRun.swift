// SPDX-License-Identifier: MIT

public import RoundelGeometry

/// Short text at any angle, fitted to a box.
///
/// The text is set in one line at `size`. If it doesn't fit, it is wrapped (UAX #14) into at most
/// `lines` lines, then reduced down to `minimumSize`, then truncated with an ellipsis. The lines
/// are centred vertically on the anchor, a single one by half the height of a capital.
public struct TextRun: Hashable, Sendable {
  /// The position of the anchor within the width of the lines.
  public enum Alignment: String, CaseIterable, Sendable {
    /// The start or end of a line in the font's language. If the language is unknown, the
    /// characters decide.
    case start, end
    case left, center, right

    /// Returns the fraction of a line's width to the left of the anchor, 0 … 1.
    package func share(isRightToLeft: @autoclosure () -> Bool) -> Double {
      switch self {
      case .left: 0
      case .center: 0.5
      case .right: 1
      case .start: isRightToLeft() ? 1 : 0
      case .end: isRightToLeft() ? 0 : 1
      }
    }
  }

  /// The part of the lines at the anchor's height or, in a frame, the position of the lines in it.
  public enum VerticalAlignment: String, CaseIterable, Sendable {
    case top, middle, bottom
  }

  /// One line, or several if `lines` allows it. A newline ends a line.
  public var text: String
  /// Families, weight and language.
  public var font: Font
  /// The em size, in design pixels.
  public var size: Double
  /// In design pixels.
  public var anchor: Point
  /// The direction of the baseline, turned clockwise about the anchor. 0 reads to the right.
  public var angle: Angle
  /// The end of the lines at the anchor, or their centre.
  public var alignment: Alignment
  /// Whether the lines are below, around or above the anchor, or their position in their frame.
  public var verticalAlignment = VerticalAlignment.middle
  /// The space for the lines, rotated with them about the anchor, or nil for no limit.
  public var bounds: TextBounds?
  /// The text of its ring, wheel or row, including its own, all in the largest size that fits each.
  /// Empty if the run has its own size.
  public var peers: TextPeers
  /// The maximum number of lines.
  public var lines: Int
  /// The minimum em size, in design pixels.
  public var minimumSize: Double
  /// Whether all digits have the same width, for numbers that change in place.
  public var tabularFigures: Bool
  /// Whether the glyphs' centre is at the anchor's height, as suits icon fonts, not half the height
  /// of a capital.
  public var isCenteredByInk = false
  /// The factor between displayed and typeset size, about the anchor.
  public var scale: Double
  /// Whether the angle or the scale changes in each frame. Moving text alone in its item is painted
  /// from an unrotated image, many times faster and nearly as exact. Must be false at rest.
  public var isMoving: Bool

  /// Creates text. `box` is a rectangular space. The default of `minimumSize` is half of `size`.
  public init(
    _ text: String, font: Font, size: Double, at anchor: Point, angle: Angle = .zero,
    alignment: Alignment = .center, box: Size? = nil, bounds: TextBounds? = nil,
    peers: TextPeers = TextPeers(), lines: Int = 1, minimumSize: Double? = nil,
    tabularFigures: Bool = false, scale: Double = 1, isMoving: Bool = false
  ) {
    self.text = text
    self.font = font
    self.size = size
    self.anchor = anchor
    self.angle = angle
    self.alignment = alignment
    self.bounds = bounds ?? box.map(TextBounds.box)
    self.peers = peers
    self.lines = lines
    self.minimumSize = minimumSize ?? size / 2
    self.tabularFigures = tabularFigures
    self.scale = scale
    self.isMoving = isMoving
  }
}

extension TextRun {
  /// In ems, so that a limit doesn't shrink text below its usual size.
  private static let lineSpacing = 1.5

  /// Limits text without bounds and peers to the space from its anchor to the edges of `limit`.
  mutating func stay(within limit: Rect) {
    guard bounds == nil, peers.texts.isEmpty, angle == .zero, limit.contains(anchor) else { return }
    let (left, right) = (anchor.x - limit.x0, limit.x1 - anchor.x)
    let (above, below) = (anchor.y - limit.y0, limit.y1 - anchor.y)
    let width =
      switch alignment.share(isRightToLeft: font.isRightToLeft ?? false) {
      case 0: right
      case 1: left
      default: 2 * min(left, right)
      }
    let height =
      switch verticalAlignment {
      case .top: below
      case .middle: 2 * min(above, below)
      case .bottom: above
      }
    lines = text.count(where: \.isNewline) + 1
    bounds = .box(Size(width, max(height, Self.lineSpacing * size * Double(lines))))
  }
}
