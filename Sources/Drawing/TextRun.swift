// SPDX-License-Identifier: MIT

public import Geometry

/// A short text, at any angle, fitted to a box.
///
/// The text is set in one line at `size`. Where there is no room for that, it is first wrapped where a
/// line may end (UAX #14), into at most `lines` lines, then reduced down to `minimumSize`, then cut with an
/// ellipsis. The block of lines is centred vertically on the anchor; one line by half the height of a
/// capital letter.
public struct TextRun: Hashable, Sendable {
  /// The position of the anchor within the width of the lines.
  public enum Alignment: String, CaseIterable, Sendable {
    /// The side at the beginning or end of a line in the font's language. If the language is unknown, the
    /// letters decide.
    case start, end
    case left, center, right

    /// How much of a line's width lies left of the anchor, 0 … 1.
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

  /// The part of the lines that is at the anchor's height, or, in a frame, the place of the lines in it.
  public enum VerticalAlignment: String, CaseIterable, Sendable {
    case top, middle, bottom
  }

  /// One line or, where `lines` allows it, several; a newline ends a line.
  public var text: String
  /// Families, weight and language.
  public var font: Font
  /// Em size in design pixels.
  public var size: Double
  /// The point at which the text is placed, in design pixels.
  public var anchor: Point
  /// Direction of the baseline, turned clockwise about the anchor; 0 reads to the right.
  public var angle: Angle
  /// The end of the lines that is at the anchor, or their middle.
  public var alignment: Alignment
  /// Whether the lines are below the anchor, around it or above it, or their place in their frame.
  public var verticalAlignment = VerticalAlignment.middle
  /// The space for the lines, turned with them about the anchor; nil for no limit.
  public var room: TextRoom?
  /// The other texts of its ring, wheel or row, and the text itself: all of them have the size at which
  /// each fits. Empty where it has a size of its own.
  public var peers: TextPeers
  /// The maximum number of lines.
  public var lines: Int
  /// The minimum em size, in design pixels.
  public var minimumSize: Double
  /// Whether all digits have the same width, for numbers that change in place.
  public var tabularFigures: Bool
  /// Whether the middle of its ink is at the anchor's height, as suits the signs of icon fonts, rather
  /// than half the height of a capital.
  public var isCenteredByInk = false
  /// How many times as large the text is shown as it is set, about the anchor.
  public var scale: Double
  /// Whether the angle or the scale changes in each frame. A moving text that is alone in its item is
  /// painted from one upright picture, many times faster and nearly as exact. Must be false at rest.
  public var isMoving: Bool

  /// A text of `size` pixels at `anchor`. `box` is a room that is a rectangle.
  /// `minimumSize` is half of `size` unless given.
  public init(
    _ text: String, font: Font, size: Double, at anchor: Point, angle: Angle = .zero,
    alignment: Alignment = .center, box: Size? = nil, room: TextRoom? = nil,
    peers: TextPeers = TextPeers(), lines: Int = 1, minimumSize: Double? = nil,
    tabularFigures: Bool = false, scale: Double = 1, isMoving: Bool = false
  ) {
    self.text = text
    self.font = font
    self.size = size
    self.anchor = anchor
    self.angle = angle
    self.alignment = alignment
    self.room = room ?? box.map(TextRoom.box)
    self.peers = peers
    self.lines = lines
    self.minimumSize = minimumSize ?? size / 2
    self.tabularFigures = tabularFigures
    self.scale = scale
    self.isMoving = isMoving
  }
}

extension TextRun {
  /// The height of a line in ems, at least: less room does not make a text smaller than usual.
  private static let lineRoom = 1.5

  /// Gives a text that has neither a room nor peers the room around its anchor up to the edges of `limit`,
  /// for as many lines as it has.
  mutating func stay(within limit: Rect) {
    guard room == nil, peers.texts.isEmpty, angle == .zero, limit.contains(anchor) else { return }
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
    room = .box(Size(width, max(height, Self.lineRoom * size * Double(lines))))
  }
}
