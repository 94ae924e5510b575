// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
public import RoundelDrawing
internal import RoundelExpressions
public import RoundelGeometry
public import RoundelMotion

/// Text that follows its template. Touches pass through, unless actions follow a press.
public struct Label: ScrollingControl, Hashable {
  /// The anchor of the text, in design pixels: its centre, or the end given by `alignment`.
  public package(set) var center: Point
  /// The em size, or nil for the theme's size.
  public package(set) var fontSize: Double?
  /// The colour of the text, or nil for contrast with the background.
  public package(set) var color: ThemeColor?
  /// The end of the lines that is at `center`. With a size, the alignment of the lines.
  public package(set) var alignment: TextRun.Alignment
  /// The part of the lines at the height of `center`. With a size, the position of the lines.
  public package(set) var verticalAlignment = TextRun.VerticalAlignment.middle
  /// The wrapping width and height, or nil for no wrapping.
  public let size: Size?
  /// The maximum number of lines, or nil for as many as fit.
  public package(set) var lines: Int?
  /// Whether a finger scrolls text that is taller than the label.
  package var scrolls = false
  /// Whether the end of a scrolling text is an event.
  package var reportsEnd = true
  package var hold = Press.standardHold
  /// An estimate of the theme's em size.
  var standardSize = Theme.standardFontSize
  /// The position in an estimated height, as fonts aren't available here. The picture shows the
  /// same fraction.
  var scroll = Scroll(length: 0, reach: 1)
  var scrollGrip: ScrollGrip?
  var end = End.hidden
  /// The current text, with newlines between lines.
  public private(set) var text: String
  private var isReflected = false
  private let initialText: String

  /// The report of the end of a scrolling text.
  enum End: Hashable {
    /// The label isn't in use.
    case hidden
    case unseen, reported
  }

  /// Creates a label at `center`.
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

  /// The length in UTF-8, more than any panel can show.
  package static let maximumBytes = 65_536

  package static let interface = Interface<Label>(
    properties: [
      Property("text") { label, _ in
        label.text
      } set: { (label, value: Value, at, events) throws(InvalidValueError) in
        try label.show(value, at: at.now, events: &events)
      }.free(),
      Property("position") { label, at in
        label.position(at: at.now)
      } set: { (label, position: Double, at, _) throws(InvalidValueError) in
        guard (0...1).contains(position) else { throw InvalidValueError("a number from 0 to 1") }
        label.turn(to: position, at: at.now)
      }.present(where: \.scrolls),
    ],
    events: EventType.pressing([.label]) + [
      EventType(
        "ended",
        "The end of a text with `scroll` came to rest in view, by a finger, keys or speech. Reported once for each text and each visit of the page. A text that fits reports it as soon as it is shown."
      )
    ])

  /// The text's frame if it has a size, otherwise its estimated bounds.
  public func pressArea(in theme: Theme) -> PressArea? {
    // The text is invisible or being scrolled.
    if text.isEmpty && size == nil || scrollGrip?.isDragging == true { return nil }
    let frame = size.map { Rect(center: center, size: $0) } ?? estimatedFrame(in: theme)
    return PressArea(
      frame: frame,
      press: Press(fields: [Field("label", .text(text))], hold: hold, reporting: .nothing))
  }

  /// Left and right are exchanged on a reflected page.
  private var seenAlignment: TextRun.Alignment {
    switch alignment {
    case .left where isReflected: .right
    case .right where isReflected: .left
    default: alignment
    }
  }

  /// Half an em larger than the lines, in any font, so that recordings work with each.
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
    let left = seenAlignment.share(isRightToLeft: theme.font.isRightToLeft ?? readsRightToLeft)
    let origin = Point(center.x - left * size.width, center.y - above * size.height)
    return Rect(origin: origin, size: size).inset(by: -em / 2)
  }

  /// Whether the first letter belongs to a right-to-left script.
  private var readsRightToLeft: Bool {
    let first = text.unicodeScalars.first { $0.properties.isAlphabetic }?.value ?? 0
    return (0x590...0x8FF).contains(first) || (0xFB1D...0xFDFF).contains(first)
      || (0xFE70...0xFEFF).contains(first)
  }

  private mutating func show(
    _ value: Value, at now: Instant, events: inout [ControlEvent]
  ) throws(InvalidValueError) {
    let shown = try Self.shown(value)
    guard shown != text else { return }
    text = shown
    beginText()
    reportEnd(at: now, events: &events)
  }

  static func shown(_ value: Value) throws(InvalidValueError) -> String {
    let text = value.display
    guard text.utf8.count <= maximumBytes else {
      throw InvalidValueError("a string of at most \(maximumBytes) bytes")
    }
    return text
  }

  /// Keeps the current text unless the file's text changed.
  public mutating func resume(_ old: any Control, at now: Instant) {
    guard let old = old as? Label else { return }
    if initialText == old.initialText {
      text = old.text
      measure()
    }
    resumeScroll(of: old, at: now)
    end = old.end
    if text != old.text { beginText() }
  }

  /// Draws the text.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    guard !text.isEmpty else { return }
    let fontSize = fontSize ?? context.theme.fontSize
    let ink = context.ink(color, on: context.background)
    var run = TextRun(
      text, font: context.font, size: fontSize, at: center, alignment: seenAlignment,
      bounds: bounds(at: context.now), lines: lines ?? .max, tabularFigures: true)
    run.verticalAlignment = verticalAlignment
    list.add(run, ink.faded(to: context.presence), clip: scrollFrame)
  }
}

extension Label {
  /// Records whether the page is reflected.
  public mutating func notice(places: [Point], on screen: Rect, isReflected: Bool) {
    self.isReflected = isReflected
  }

  /// Not interactive.
  public static var spokenRole: SpokenRole { .seen }

  /// The label's text.
  public func wording(of item: String?, at now: Instant) -> Wording { Wording(label: text) }
}
