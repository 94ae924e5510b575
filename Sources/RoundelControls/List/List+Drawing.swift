// SPDX-License-Identifier: MIT

public import RoundelDrawing
internal import RoundelGeometry
internal import RoundelMotion

extension List {
  /// The content keeps clear of the corners.
  private static let cornerRadius = 10.0
  /// The duration in seconds.
  private static let barFade = 0.3
  private static let margin = 6.0

  /// Draws box, visible rows and scroll bar.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    let fill = context.shown(color)
    list.add(.roundedRect(RoundedRect(frame, radius: Self.cornerRadius)), fill)
    let appearance = Appearance(self, fill: fill, in: context)
    for row in shownRows(at: context.now) { draw(row, appearance, into: &list, in: context) }
    let position = scroll.position(at: context.now)
    let headings = shownHeadings(at: context.now)
    // Rows disappear under a pinned heading without fading.
    fade(.top, headings.first?.isPinned == true ? 0 : position, appearance, into: &list)
    fade(.bottom, scroll.length - position, appearance, into: &list)
    for heading in headings { draw(heading, appearance, into: &list, in: context) }
    drawBar(appearance, into: &list, at: context.now)
    if items.isEmpty, !emptyText.isEmpty {
      let ink = context.theme.muted.kept(on: appearance.background).faded(to: context.presence)
      list.add(context.notice(emptyText, in: frame, size: fontSize), ink)
    }
  }

  private enum Edge { case top, bottom }

  /// `rest` more pixels are hidden beyond the edge. Adds even an invisible fade, so that display
  /// lists are compared item by item.
  private func fade(
    _ edge: Edge, _ rest: Double, _ appearance: Appearance, into list: inout DisplayList
  ) {
    guard scroll.length > 0.5 else { return }
    let height = min(rowHeight * 0.6, frame.height / 3)
    let presence = rest > 0.5 ? min(rest / height, 1) : 0
    let (near, far) = edge == .top ? (frame.y0 + height, frame.y0) : (frame.y1 - height, frame.y1)
    list.add(
      .roundedRect(RoundedRect(frame, radius: Self.cornerRadius)),
      .gradient(
        Gradient(
          .vertical(from: near, to: far), from: appearance.background.faded(to: 0),
          to: appearance.background.faded(to: 0.9 * presence))),
      clip: Rect(x0: frame.x0, y0: min(near, far), x1: frame.x1, y1: max(near, far)))
  }

  private struct Appearance {
    var background: Color
    var ink: Color
    var chosen: Color
    var em: Double
    var inset: Double
    var isMoving: Bool
    var isMirrored: Bool

    init(_ list: List, fill: Color, in context: DrawingContext) {
      isMirrored = context.isMirrored
      background = fill.over(context.background)
      em = list.fontSize ?? context.fontSize(inHeight: list.rowHeight)
      ink = context.ink(list.textColor, on: background).faded(to: context.presence)
      chosen = context.theme.accent
      inset = max(list.rowHeight * 0.24, List.margin * 2)
      isMoving = list.isScrolling
    }
  }

  /// `x` is for left-to-right rows.
  private func place(_ x: Double, _ y: Double, _ appearance: Appearance) -> Point {
    Point(appearance.isMirrored ? frame.x0 + frame.x1 - x : x, y)
  }

  private func draw(
    _ row: Int, _ appearance: Appearance, into list: inout DisplayList, in context: DrawingContext
  ) {
    let item = items[row]
    let top = top(of: row, at: context.now)
    let line = Rect(x0: frame.x0, y0: top, x1: frame.x1, y1: top + rowHeight)
    let middle = line.center.y
    var background = appearance.background
    let plate = Rect(
      x0: line.x0 + Self.margin, y0: line.y0 + Self.margin / 2, x1: line.x1 - Self.margin,
      y1: line.y1 - Self.margin / 2)
    func lay(_ color: Color) {
      list.add(
        .roundedRect(RoundedRect(plate, radius: min(rowHeight * 0.2, Self.cornerRadius))), color,
        clip: frame)
      background = color.over(background)
    }
    if selection == row { lay(appearance.chosen.faded(to: context.isEnabled ? 0.28 : 0.1)) }
    if isHeld(row) { lay(background.veil(Feedback.held)) }
    if row > 0, !sections.hasHeading(above: row), selection != row, selection != row - 1,
      !isHeld(row), !isHeld(row - 1)
    {
      let rule = max(rowHeight * 0.015, 1)
      list.add(
        .rect(
          Rect(
            x0: line.x0 + appearance.inset, y0: line.y0 - rule / 2, x1: line.x1 - appearance.inset,
            y1: line.y0 + rule / 2)), appearance.ink.faded(to: 0.12), clip: frame)
    }
    let presence = item.isEnabled ? 1 : 0.4
    let plain = appearance.ink.kept(on: background, contrast: Color.heldContrast)
    let ink = plain.faded(to: presence)
    var left = line.x0 + appearance.inset
    if let image = item.image {
      let side = rowHeight * 0.76
      let square = Rect(center: place(left + side / 2, middle, appearance), size: Size(side, side))
      list.add(
        .roundedRect(RoundedRect(square, radius: side * 0.16)),
        .image(image, frame: square, fit: .cover, isMoving: appearance.isMoving), clip: frame)
      if !item.isEnabled {
        list.add(.rect(square), background.faded(to: 1 - presence), clip: frame)
      }
    }
    let imageWidth = lead.hasImages ? rowHeight * 0.76 + appearance.inset * 0.7 : 0
    let side = min(rowHeight * 0.5, appearance.em * 1.3)
    let iconWidth = lead.hasIcons ? side * 1.25 + appearance.inset * 0.6 : 0
    if let icon = item.icon {
      // In a list with images, an icon is centred in the space for images.
      let x =
        lead.hasBoth
        ? left + imageWidth + side / 2 : left + (lead.hasImages ? rowHeight * 0.76 : side) / 2
      list.add(
        icon, IconSetting([], side: side, font: iconFont), font: context.signFont(iconFont),
        IconAppearance(
          center: place(x, middle, appearance), isMoving: appearance.isMoving, ink: plain,
          background: background,
          presence: presence), clip: frame)
    }
    left += lead.hasBoth ? imageWidth + iconWidth : max(imageWidth, iconWidth)
    let right = line.x1 - appearance.inset
    let width = max(right - left, 1)
    // All details have the same width, and the labels get the rest. The factor allows for wide
    // fonts.
    let detail =
      item.detail.isEmpty
      ? 0 : item.label.isEmpty ? width : min(detailWidth * 1.3 * appearance.em, width * 0.4)
    let font = context.font(ofItem: item.id ?? "\(row)")
    drawText(
      item.label, from: left, to: right - detail - (detail > 0 ? appearance.inset * 0.5 : 0),
      middle, isAtEnd: false, font, ink, appearance, into: &list, in: context)
    drawText(
      item.detail, from: right - detail, to: right, middle, isAtEnd: true,
      font, ink, appearance, into: &list, in: context)
  }

  private func draw(
    _ heading: Heading, _ appearance: Appearance, into list: inout DisplayList,
    in context: DrawingContext
  ) {
    if heading.isPinned {
      list.add(
        .roundedRect(RoundedRect(heading.frame, radius: Self.cornerRadius)), appearance.background,
        clip: frame)
    }
    let height = heading.frame.height
    let run = TextRun(
      items[heading.row].section, font: context.font,
      size: min(appearance.em / Theme.stepRatio, height * 0.6), at: heading.frame.center,
      alignment: appearance.isMirrored ? .right : .left,
      bounds: .frame(Size(size.width - 2 * appearance.inset, height)), lines: 1,
      minimumSize: appearance.em * 0.4, isMoving: appearance.isMoving)
    list.add(run, appearance.ink, clip: frame)
  }

  /// The positions are for left-to-right rows.
  private func drawText(
    _ text: String, from left: Double, to right: Double, _ middle: Double, isAtEnd: Bool,
    _ font: Font, _ ink: Color, _ appearance: Appearance, into list: inout DisplayList,
    in context: DrawingContext
  ) {
    guard !text.isEmpty, right > left else { return }
    let run = TextRun(
      text, font: font, size: appearance.em,
      at: place((left + right) / 2, middle, appearance),
      alignment: isAtEnd == appearance.isMirrored ? .left : .right,
      bounds: .frame(Size(right - left, rowHeight * 0.9)), lines: 2,
      minimumSize: appearance.em * 0.6, tabularFigures: true, isMoving: appearance.isMoving)
    list.add(run, ink, clip: frame)
  }

  /// The bar's length shows the visible fraction of the list.
  private func drawBar(_ appearance: Appearance, into list: inout DisplayList, at now: Instant) {
    let presence = min(scroll.secondsToRest(at: now) / Self.barFade, 1)
    guard scroll.length > 0, presence > 0 else { return }
    let bounds = frame.inset(by: Self.margin)
    let whole = scroll.length + size.height
    let length = max(bounds.height * size.height / whole, min(24, bounds.height))
    let part = min(max(scroll.position(at: now) / scroll.length, 0), 1)
    let top = bounds.y0 + (bounds.height - length) * part
    let width = 5.0
    let middle = place(frame.x1 - width / 2 - 2, top + length / 2, appearance)
    list.add(
      .roundedRect(RoundedRect(Rect(center: middle, size: Size(width, length)), radius: width / 2)),
      appearance.ink.faded(to: 0.4 * presence), clip: frame)
  }
}
