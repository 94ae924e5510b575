// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import Kiosk
internal import KioskFile
internal import RoundelMotion
internal import RoundelText

/// The display list of a control, with the items behind it.
struct View {
  let list: DisplayList
  /// The control's first item. Earlier ones are behind the control.
  let begin: Int
  /// The language and theme, such as ` in "de"`, if the kiosk has several.
  let contextSuffix: String
}

extension Review {
  /// The minimum contrast of text, from WCAG 2.1 for large text.
  private static let minimumContrast = 3.0

  /// Checks labels, which should fit on the screen, unless `screen` is nil.
  mutating func review(_ view: View, of entry: PlacedControl, fits screen: Rect?) {
    for (index, span) in view.list.spans.enumerated().dropFirst(view.begin) {
      for tile in view.list.tiles[span.tiles] {
        switch (tile.shape, tile.fill) {
        case (.text(let run), _):
          guard let color = ink(tile.fill) else { continue }
          if limit.isExceeded { return }
          guard let place = review(run, of: entry, view) else { continue }
          if let screen { review(run, at: place, of: entry, within: screen, view) }
          reviewContrast(of: run, color, entry, view) { ink in
            place.samples.map { point in
              Background(view.list, below: index, at: point).color.map {
                ink.over($0).contrast(with: $0)
              }
            }
          }
        case (_, .strip(let strip)): review(strip, of: entry, view)
        case (_, .image(let image, let frame, .fill, _, _)): review(image, over: frame, of: entry)
        default: break
        }
      }
    }
  }

  private func ink(_ fill: Fill) -> Color? {
    guard case .color(let color) = fill else { return nil }
    return color
  }

  private mutating func review(_ strip: Strip, of entry: PlacedControl, _ view: View) {
    for row in strip.rows {
      guard let tile = row.content, case .text(let run) = tile.shape,
        let color = ink(tile.fill)
      else { continue }
      if limit.isExceeded { return }
      _ = review(run, of: entry, view)
      reviewContrast(of: run, color, entry, view) { ink in
        [ink.over(row.background).contrast(with: row.background)]
      }
    }
  }

  /// Returns the label's position, or nil if nothing is visible.
  private mutating func review(_ run: TextRun, of entry: PlacedControl, _ view: View) -> TextPlace?
  {
    let contextSuffix = view.contextSuffix
    let missing = fonts.missingCharacters(of: run.text, in: run.font)
    if !missing.isEmpty {
      record(
        .lacksLetters, of: run.text, in: entry.id,
        ParsedKiosk.Warning(
          """
          \(run.text.shown.quoted)\(contextSuffix) has characters that no font contains: \
          \(missing.prefix(5).map { String($0).shown }.joined(separator: " "))\
          \(missing.count > 5 ? " …" : "")
          """,
          expected:
            "characters of \(run.font.families.joined(separator: ", ").quoted), or a font that contains them",
          at: .text(run.text, of: entry)))
    }
    guard let block = fonts.layout(run) else { return nil }
    if block.isCut {
      let rest = block.lines.map(\.text).joined(separator: " ")
      record(
        .isCut, of: run.text, in: entry.id,
        ParsedKiosk.Warning(
          "\(run.text.shown.quoted)\(contextSuffix) is "
            + (rest.isEmpty ? "not shown: there is no space for it" : "cut to \(rest.end.quoted)"),
          expected: "a shorter text, a smaller font, or more space",
          at: .text(run.text, of: entry)))
    }
    guard let place = TextPlace(of: block, run) else { return nil }
    reviewSize(of: block, run, entry, contextSuffix)
    return place
  }

  /// The minimum size, as a fraction of the screen's shorter side, at a distance that shows the
  /// whole screen.
  private static let smallest = 1.0 / 50
  /// The minimum size in pixels of the panel.
  private static let fewestPixels = 8.0

  /// The minimum size in design pixels. On a panel with a different aspect ratio, the screen is
  /// smaller than the panel.
  private var smallestText: Double {
    let screen = description.screen.size
    guard let panel else { return min(screen.width, screen.height) * Self.smallest }
    let (width, height) = (Double(panel.width), Double(panel.height))
    let scale = min(width / screen.width, height / screen.height)
    return max(min(width, height) * Self.smallest, Self.fewestPixels) / scale
  }

  /// Controls whose text is read before a touch.
  private static let labelled: Set = ["pinwheel", "dial", "menu", "button", "label", "toggle"]

  private mutating func reviewSize(
    of block: TextBlock, _ run: TextRun, _ entry: PlacedControl, _ contextSuffix: String
  ) {
    guard Self.labelled.contains(entry.kind), !block.isCut else { return }
    let floor = smallestText
    let longest = run.peers.texts.max { $0.text.count < $1.text.count }?.text
    if let longest, longest != run.text, block.size < run.size * 0.7, block.size < floor * 1.3 {
      record(
        .isShrunk, of: longest, in: entry.id,
        ParsedKiosk.Warning(
          "\(longest.shown.quoted)\(contextSuffix) makes the other labels of \(entry.id.quoted) small",
          expected: "a shorter text, or more space for it", at: .text(longest, of: entry)))
    }
    guard block.size < floor * 0.98 else { return }
    let ownPanel = PixelSize(nearest: description.screen.size)
    let place = panel.flatMap { $0 == ownPanel ? nil : " on a panel of \($0)" } ?? ""
    record(
      .isSmall, of: run.text, in: entry.id,
      ParsedKiosk.Warning(
        """
        \(run.text.shown.quoted)\(contextSuffix) is \(block.size.rounded(.down).brief) pixels high, too small \
        to be readable at a distance that shows the whole screen\(place)
        """,
        expected: "at least \(floor.rounded(.up).brief)", at: .text(run.text, of: entry)))
  }

  private mutating func review(
    _ run: TextRun, at place: TextPlace, of entry: PlacedControl, within screen: Rect, _ view: View
  ) {
    // Scrolling brings a list's rows onto the screen.
    if entry.control is List { return }
    // Turning brings a dial's other labels onto the screen.
    if entry.control is Dial, entry.control.value(of: "label", at: .zero) != .text(run.text) {
      return
    }
    // One pixel outside isn't noticeable.
    let inside = screen.inset(by: -1)
    let circle = description.screen.circle
    func isShown(_ corner: Point) -> Bool {
      inside.contains(corner)
        && circle.map { corner.distance(to: $0.center) <= $0.outerRadius + 1 } ?? true
    }
    guard !place.corners.allSatisfy(isShown) else { return }
    record(
      .isOutside, of: run.text, in: entry.id,
      ParsedKiosk.Warning(
        "\(run.text.shown.quoted)\(view.contextSuffix) does not fit on the screen",
        expected: circle.map {
          "all of it within the circle of \((2 * $0.outerRadius).brief) pixels"
        } ?? "all of it within \(screen.width.brief) by \(screen.height.brief) pixels",
        at: .text(run.text, of: entry)))
  }

  /// `contrasts` returns the contrast at several points, or nil if unknown.
  private mutating func reviewContrast(
    of run: TextRun, _ ink: Color, _ entry: PlacedControl, _ view: View,
    _ contrasts: (Color) -> [Double?]
  ) {
    // A disabled control is faded.
    guard entry.isEnabled, entry.kind == "label" || ink.alpha >= 128 else { return }
    let known = contrasts(ink).compactMap(\.self)
    guard let best = known.max(), best < Self.minimumContrast else { return }
    record(
      .hasLittleContrast, of: run.text, in: entry.id,
      ParsedKiosk.Warning(
        """
        \(run.text.shown.quoted)\(view.contextSuffix) is hard to read: its contrast to the background is \
        \(((best * 10).rounded(.down) / 10).brief) : 1
        """,
        expected: "at least \(Self.minimumContrast.brief) : 1",
        at: .text(run.text, of: entry)))
  }

  /// Returns a menu with its ring open and still.
  func opened(_ control: any Control, at now: Instant) -> (control: any Control, now: Instant)? {
    guard control.commands.contains("open") else { return nil }
    var control = control
    var events: [ControlEvent] = []
    control.perform("open", at: now, events: &events)
    // A spring may move for ten seconds, and creep for longer.
    let end = now + 60
    control.advance(to: end, events: &events)
    return (control, end)
  }
}

extension String {
  /// The end of a long string, whose beginning was mentioned.
  fileprivate var end: String {
    unicodeScalars.count > 60 ? "…" + String(unicodeScalars.suffix(40)) : self
  }

  /// The string with code points instead of private-use characters, such as an icon font's.
  fileprivate var shown: String {
    reduce(into: "") { shown, letter in
      let isPrivate = letter.unicodeScalars.allSatisfy {
        $0.properties.generalCategory == .privateUse
      }
      shown +=
        isPrivate
        ? letter.unicodeScalars.map { "U+" + String($0.value, radix: 16, uppercase: true) }
          .joined(separator: " ")
        : String(letter)
    }
  }
}

struct TextPlace {
  /// The corners of the rectangle from the top of the first line's capitals to the last line's baseline.
  let corners: [Point]
  let samples: [Point]

  /// Returns nil if nothing is visible.
  init?(of block: TextBlock, _ run: TextRun) {
    let width = (block.lines.map(\.width).max() ?? 0) * block.size
    var height = (Double(block.lines.count - 1) * block.lineHeight + block.capHeight) * block.size
    var drop = block.drop(run) * block.size
    // In scrolling text, only the lines that fit are visible.
    if case .column(let size, _) = run.bounds, height > size.height {
      (height, drop) = (size.height, 0)
    }
    guard width > 0, height > 0, width.isFinite, height.isFinite else { return nil }
    let along = (run.angle + .degrees(90)).unit
    let down = (run.angle + .degrees(180)).unit
    let left = block.lines.map { block.shift(of: $0, run) * block.size }.min() ?? 0
    let point = { (part: Double, y: Double) in
      run.anchor + along * (left + part * width) + down * (drop + y)
    }
    corners = [(0.0, -0.5), (1, -0.5), (1, 0.5), (0, 0.5)].map { point($0.0, $0.1 * height) }
    samples = [0.1, 0.5, 0.9].map { point($0, 0) }
  }
}

struct Background {
  /// The colour, or nil if the background is an image or moves.
  let color: Color?

  init(_ list: DisplayList, below end: Int, at point: Point) {
    var layers: [Color] = []
    for span in list.spans[..<end].reversed() {
      if let clip = span.clip, !clip.contains(point) { continue }
      for tile in list.tiles[span.tiles] where tile.shape.contains(point) {
        switch tile.fill {
        case .color(let color): layers.append(color)
        case .gradient(let gradient): layers.append(gradient.color(at: point))
        case .image, .strip:
          self.color = nil
          return
        }
      }
      if layers.last?.isOpaque == true { break }
    }
    color = layers.reversed().reduce(list.background) { $1.over($0) }
  }
}

extension Shape {
  /// Returns whether a shape contains a point. Text covers nothing.
  fileprivate func contains(_ point: Point) -> Bool {
    switch self {
    case .sector(let sector): return sector.contains(point)
    case .roundedRect(let rect): return rect.contains(point)
    case .polygon(let corners):
      var isInside = false
      for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1))
      where (a.y > point.y) != (b.y > point.y)
        && point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x
      {
        isInside.toggle()
      }
      return isInside
    case .rim(let rim): return rim.contains(point)
    case .modules(let grid): return grid.square(in: grid.frame).contains(point)
    case .text: return false
    }
  }
}
