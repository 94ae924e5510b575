// SPDX-License-Identifier: MIT

public import Drawing
internal import Geometry
internal import Motion

extension Picker {
  /// Draws each wheel as a strip of rows, dimmed away from the middle, then the marks.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    for wheel in columns.indices { draw(wheel, into: &list, in: context) }
    for wheel in columns.indices { drawMark(wheel, into: &list, in: context) }
  }

  private func outline(_ wheel: Int) -> Shape {
    let window = window(wheel)
    return .roundedRect(RoundedRect(window, radius: min(rowHeight * 0.25, 14)))
  }

  /// The detents of the visible rows, from the top: those whose middle is within half the window and
  /// half a row from the window's.
  private func shownRows(at position: Double) -> ClosedRange<Int> {
    let half = Double(rows) / 2 + 0.5
    return Int((position - half).rounded(.up))...Int((position + half).rounded(.down))
  }

  private func draw(_ wheel: Int, into list: inout DisplayList, in context: DrawingContext) {
    let window = window(wheel)
    let position = wheels[wheel].position(at: context.now)
    let shown = shownRows(at: position)
    func top(_ row: Int) -> Double {
      size.height / 2 + (Double(row) - position - 0.5) * rowHeight
    }
    list.add(
      outline(wheel),
      Strip(frame: window, rowHeight: rowHeight, offset: top(shown.lowerBound))
    ) { rows in
      for row in shown {
        rows.append(self.row(row, of: wheel, width: window.width, in: context))
      }
    }

    // The mute grows with the distance from the middle, up to a whole row.
    let plain = context.isEnabled ? muteColor : muteColor.disabled(on: context.background)
    for row in shown {
      let veil = mute * min(abs(Double(row) - position), 1)
      guard veil > 0 else { continue }
      let band = Rect(
        x0: window.x0, y0: window.y0 + top(row), x1: window.x1,
        y1: window.y0 + top(row) + rowHeight
      ).intersection(window)
      if band.isEmpty { continue }
      list.add(outline(wheel), plain.faded(to: veil), clip: band)
    }
  }

  /// One row; empty beyond the stops.
  private func row(
    _ detent: Int, of wheel: Int, width: Double, in context: DrawingContext
  ) -> Strip.Row {
    let detents = wheels[wheel].detents
    let isBlank = detents.clamped(detent) != detent
    let item = isBlank ? nil : columns[wheel].items[detents.index(of: detent)]
    let plain = color.over(context.background)
    let own = item?.color?.over(plain) ?? plain
    let fill = context.isEnabled ? own : own.disabled(on: context.background)
    guard let item, !item.label.isEmpty else { return Strip.Row(background: fill) }
    let ink = item.color == nil ? textColor : nil
    let text = (ink ?? fill.readableText(isLarge: true)).faded(to: context.isEnabled ? 1 : 0.4)
    let size = fontSize ?? min(rowHeight * 0.46, width * 0.3)
    let run = TextRun(
      item.label, font: context.font, size: size,
      at: Point(width / 2, rowHeight / 2), box: Size(width * 0.86, rowHeight * 0.94), lines: 2,
      minimumSize: size * 0.5, tabularFigures: true)
    return Strip.Row(background: fill, Tile(.text(run), text))
  }

  /// Lines above and below the selected row.
  private func drawMark(_ wheel: Int, into list: inout DisplayList, in context: DrawingContext) {
    guard rows > 1 else { return }
    let window = window(wheel)
    let thickness = max(rowHeight * 0.025, 1.5)
    let ink = color.over(context.background).readableText(isLarge: true)
      .faded(to: context.isEnabled ? 0.5 : 0.2)
    func drawLine(_ y: Double) {
      list.add(
        .rect(Rect(x0: window.x0, y0: y - thickness / 2, x1: window.x1, y1: y + thickness / 2)),
        ink)
    }
    drawLine(center.y - rowHeight / 2)
    drawLine(center.y + rowHeight / 2)
  }
}
