// SPDX-License-Identifier: MIT

internal import Declarations
public import Drawing
internal import Expressions
public import Geometry
public import Motion

/// A text that follows its template. Fingers pass through, unless actions follow its presses.
public struct Label: KeyedControl, Hashable {
  /// The anchor of the text, in design pixels: its middle, or the end that `alignment` names.
  public package(set) var center: Point
  /// Em size in design pixels; nil for the theme's.
  public package(set) var fontSize: Double?
  /// Nil for the theme's text, or black or white on another background.
  public package(set) var color: ThemeColor?
  /// The end of the lines that is at `center`, or, in a text with a size, the side to which they are aligned.
  public package(set) var alignment: TextRun.Alignment
  /// The part of the lines that is at the height of `center`, or, in a text with a size, the place of the lines.
  public package(set) var verticalAlignment = TextRun.VerticalAlignment.middle
  /// The width and height in which the text is wrapped, around `center`; nil for no wrapping.
  public let size: Size?
  /// The maximum number of lines; nil for as many as there is room for.
  public package(set) var lines: Int?
  /// Whether a finger scrolls a text that is higher than its size.
  package var scrolls = false
  /// Seconds until a press counts as held, where actions follow that.
  package var hold = Press.standardHold
  /// Em size of the text where the theme says it, in design pixels: for an estimate of its height.
  var standardSize = Theme.standardFontSize
  /// How far the text is scrolled, in design pixels of an estimated height. The picture shows the same share
  /// of the real one, so that the last line is always reached: no font is known here.
  var scroll = Scroll(length: 0, reach: 1)
  /// The finger that scrolls it.
  var grip: ScrollGrip?
  /// The text as shown; newlines end lines.
  public private(set) var text: String
  /// Whether the page is reflected.
  private var isReflected = false
  private let initialText: String

  /// A text at `center`. In kiosk files and programs `text` is a template.
  public init(
    center: Point, text: String, fontSize: Double? = nil, color: ThemeColor? = nil,
    alignment: TextRun.Alignment = .center, size: Size? = nil, lines: Int? = nil
  ) {
    self.center = center
    initialText = text
    self.text = text
    self.fontSize = fontSize
    self.color = color
    self.alignment = alignment
    self.size = size
    self.lines = lines
  }

  /// The longest text, in bytes of UTF-8. No panel shows as much.
  package static let maximumBytes = 65_536

  /// Its text, which takes any value as it is displayed.
  package static let interface = Interface<Label>(
    properties: [
      Property("text") { label, _ in
        label.text
      } set: { (label, value: Value, _, _) throws(Unsuitable) in
        label.text = try shown(value)
        label.measure()
      }.free()
    ],
    events: EventType.pressing([.label]))

  /// The frame of its size, or about that of its lines.
  public func pressArea(in theme: Theme) -> PressArea? {
    // It is invisible, or it is being scrolled.
    if text.isEmpty && size == nil || grip?.isDragging == true { return nil }
    let frame = size.map { Rect(center: center, size: $0) } ?? estimatedFrame(in: theme)
    return PressArea(
      frame: frame,
      press: Press(fields: [Field("label", .text(text))], hold: hold, reporting: .nothing))
  }

  /// The alignment on the screen: a reflected page exchanges left and right.
  private var seenAlignment: TextRun.Alignment {
    switch alignment {
    case .left where isReflected: .right
    case .right where isReflected: .left
    default: alignment
    }
  }

  /// About where its lines are, and half an em around them for fingers. No font is known here, so that a
  /// recording means the same with any.
  private func estimatedFrame(in theme: Theme) -> Rect {
    let em = fontSize ?? theme.fontSize
    let rows = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(lines ?? .max)
    let widths = rows.map(TextBounds.width)
    let size = Size((widths.max() ?? 0) * em, Double(rows.count) * 1.25 * em)
    let above =
      switch verticalAlignment {
      case .top: 0.0
      case .middle: 0.5
      case .bottom: 1.0
      }
    let left = seenAlignment.share(
      isRightToLeft: theme.font.isRightToLeft ?? readsRightToLeft)
    let origin = Point(center.x - left * size.width, center.y - above * size.height)
    return Rect(origin: origin, size: size).inset(by: -em / 2)
  }

  /// Whether its first letter is of a script that is written from right to left.
  private var readsRightToLeft: Bool {
    let first = text.unicodeScalars.first { $0.properties.isAlphabetic }?.value ?? 0
    return (0x590...0x8FF).contains(first) || (0xFB1D...0xFDFF).contains(first)
      || (0xFE70...0xFEFF).contains(first)
  }

  /// A value as a text of a state.
  static func shown(_ value: Value) throws(Unsuitable) -> String {
    let text = value.display
    guard text.utf8.count <= maximumBytes else {
      throw Unsuitable("a text of at most \(maximumBytes) bytes")
    }
    return text
  }

  /// Keeps the text unless the file has another one.
  public mutating func resume(_ old: any Control, at now: Instant) {
    guard let old = old as? Label else { return }
    // A text that has changed in the file wins.
    if initialText == old.initialText { text = old.text }
    resumeScroll(of: old, at: now)
  }

  /// Draws the text; nothing where it is empty.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    guard !text.isEmpty else { return }
    let fontSize = fontSize ?? context.theme.fontSize
    let ink =
      color?.color(in: context.theme) ?? context.ink(on: context.background)
    var run = TextRun(
      text, font: context.font, size: fontSize, at: center, alignment: seenAlignment,
      room: room(at: context.now), lines: lines ?? .max, tabularFigures: true)
    run.verticalAlignment = verticalAlignment
    list.add(
      run, context.isEnabled ? ink : ink.faded(to: 0.4), clip: scrolls ? scrollFrame : nil)
  }
}

extension Label {
  /// Aligns its text at the other side on a reflected page.
  public mutating func notice(places: [Point], on screen: Rect, isReflected: Bool) {
    self.isReflected = isReflected
  }

  /// The centre; a label has no items.
  public func place(of item: String?, at now: Instant) -> Point? { item == nil ? center : nil }
}
