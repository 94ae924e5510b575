// SPDX-License-Identifier: MIT

public import RoundelDrawing
internal import RoundelGeometry
internal import RoundelMotion

extension Picker {
  /// Draws each wheel as a strip of rows, muted outside the marks, then the marks.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    for wheel in columns.indices { draw(wheel, into: &list, in: context) }
    for wheel in columns.indices {
      guard columns[wheel].items.isEmpty, !emptyText.isEmpty else {
        drawMark(wheel, into: &list, in: context)
        continue
      }
      let ink = context.theme.muted.kept(on: color(nil, in: context)).faded(to: context.presence)
      list.add(context.notice(emptyText, in: window(wheel), size: fontSize), ink)
    }
  }

  private func outline(_ wheel: Int) -> Shape {
    let window = window(wheel)
    return .roundedRect(RoundedRect(window, radius: min(rowHeight * 0.25, 14)))
  }

  private func shownRows(at position: Double) -> ClosedRange<Int> {
    let half = Double(rows) / 2 + 0.5
    return Int((position - half).rounded(.up))...Int((position + half).rounded(.down))
  }

  private func draw(_ wheel: Int, into list: inout DisplayList, in context: DrawingContext) {
    let window = window(wheel)
    let position = wheels[wheel].position(at: context.now)
    let shown = shownRows(at: position)
    func top(_ row: Int) -> Double { size.height / 2 + (Double(row) - position - 0.5) * rowHeight }
    list.add(
      outline(wheel), Strip(frame: window, rowHeight: rowHeight, offset: top(shown.lowerBound))
    ) { rows in
      for row in shown {
        rows.append(Strip.Row(background: color(item(row, of: wheel), in: context)))
      }
    }

    let isMoving = position != position.rounded()
    func isSeen(_ row: Int) -> Bool {
      top(row) + rowHeight > 1e-6 && top(row) < window.height - 1e-6
    }
    for row in shown where isSeen(row) {
      guard let item = item(row, of: wheel), let image = item.image else { continue }
      draw(
        image, of: item, window, window.y0 + top(row), isMoving: isMoving, into: &list, in: context)
    }
    // The marks and the muted areas don't move. Rows move below them.
    let middle = Rect(center: window.center, size: Size(window.width, rowHeight))
    let above = Rect(x0: window.x0, y0: window.y0, x1: window.x1, y1: middle.y0)
    let below = Rect(x0: window.x0, y0: middle.y1, x1: window.x1, y1: window.y1)
    func forEachPart(of row: Int, _ body: (_ part: Rect, _ isMuted: Bool) -> Void) {
      let (y0, y1) = (window.y0 + top(row), window.y0 + top(row) + rowHeight)
      for (part, isMuted) in [(above, true), (middle, false), (below, true)] {
        // Ignore parts caused by rounding errors.
        if min(y1, part.y1) - max(y0, part.y0) > 1e-6 { body(part, isMuted) }
      }
    }
    for row in shown where mute > 0 {
      let veil = muteColor(row, of: wheel, in: context).faded(to: mute)
      forEachPart(of: row) { part, isMuted in
        let band = Rect(
          x0: part.x0, y0: max(part.y0, window.y0 + top(row)), x1: part.x1,
          y1: min(part.y1, window.y0 + top(row) + rowHeight))
        if isMuted { list.add(outline(wheel), veil, clip: band) }
      }
    }
    if wheels[wheel].isHeld {
      list.add(outline(wheel), color(nil, in: context).veil(Feedback.held), clip: middle)
    }
    // Labels are drawn after the muted areas, which would reduce their contrast.
    for row in shown where isSeen(row) {
      guard let item = item(row, of: wheel), item.image == nil, !item.label.isEmpty else {
        continue
      }
      let size =
        fontSize
        ?? Theme.step(min(rowHeight * 0.46, max(window.width * 0.3, context.theme.fontSize)))
      let run = TextRun(
        item.label, font: context.font(ofItem: name(of: row, of: wheel)), size: size,
        at: Point(window.center.x, window.y0 + top(row) + rowHeight / 2),
        box: Size(window.width * 0.86, rowHeight * 0.94), peers: labelPeers, lines: 2,
        minimumSize: context.minimumFontSize(of: size), tabularFigures: true, isMoving: isMoving)
      forEachPart(of: row) { part, isMuted in
        list.add(run, ink(row, of: wheel, isMuted: isMuted, in: context), clip: part)
      }
    }
  }

  private func draw(
    _ image: String, of item: Item, _ window: Rect, _ top: Double, isMoving: Bool,
    into list: inout DisplayList, in context: DrawingContext
  ) {
    let row = Rect(x0: window.x0, y0: top, x1: window.x1, y1: top + rowHeight)
    let tile = Tile.rowImage(image, item.fit, in: row, isMoving: isMoving)
    list.add(tile.shape, tile.fill, clip: window)
    if !context.isEnabled || !item.isEnabled {
      list.add(tile.shape, color(item, in: context).faded(to: 0.6), clip: window)
    }
  }

  private static let mutedText = 0.65

  private func ink(
    _ detent: Int, of wheel: Int, isMuted: Bool, in context: DrawingContext
  ) -> Color {
    let item = item(detent, of: wheel)
    let fill = color(item, in: context)
    let own = item?.color == nil ? textColor?.color(in: context.theme) : nil
    // On colours from the file, the text of all rows is black or white.
    let plain = own ?? (item?.color == nil ? context.ink(on: fill) : fill.readableText)
    let isMuted = isMuted && mute > 0
    let veiled =
      isMuted ? muteColor(detent, of: wheel, in: context).faded(to: mute).over(fill) : fill
    let quiet = isMuted ? Self.mutedText : 1
    let isUsable = context.isEnabled && item?.isEnabled != false
    return plain.kept(on: veiled).faded(to: isUsable ? quiet : 0.4 * quiet)
  }

  /// The item, or nil beyond the stops.
  private func item(_ detent: Int, of wheel: Int) -> Item? {
    let detents = wheels[wheel].detents
    let isBlank = detents.clamped(detent) != detent
    return isBlank ? nil : columns[wheel].shownItems[detents.index(of: detent)]
  }

  private func name(of detent: Int, of wheel: Int) -> String {
    "\(columns[wheel].id)/\(wheels[wheel].detents.index(of: detent))"
  }

  private func color(_ item: Item?, in context: DrawingContext) -> Color {
    let plain = color.color(in: context.theme).over(context.background)
    return context.shown(item?.color?.color(in: context.theme).over(plain) ?? plain)
  }

  private func muteColor(_ detent: Int, of wheel: Int, in context: DrawingContext) -> Color {
    let isThemed: Bool
    switch item(detent, of: wheel)?.color ?? color {
    case .fixed: isThemed = false
    default: isThemed = true
    }
    return context.shown(muteColor ?? (isThemed ? .background : .white))
  }

  private func drawMark(_ wheel: Int, into list: inout DisplayList, in context: DrawingContext) {
    guard rows > 1 else { return }
    let window = window(wheel)
    let thickness = max(rowHeight * 0.025, 1.5)
    let ink =
      wheels[wheel].isHeld
      ? context.theme.accent
      : context.ink(on: color(nil, in: context)).faded(to: context.isEnabled ? 0.5 : 0.2)
    func drawLine(_ y: Double) {
      list.add(
        .rect(Rect(x0: window.x0, y0: y - thickness / 2, x1: window.x1, y1: y + thickness / 2)),
        ink)
    }
    drawLine(center.y - rowHeight / 2)
    drawLine(center.y + rowHeight / 2)
  }
}
