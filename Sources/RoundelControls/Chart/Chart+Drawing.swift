// SPDX-License-Identifier: MIT

public import RoundelDrawing
internal import RoundelGeometry

extension Chart {
  private struct Layout {
    /// The em size, or zero if there isn't any text.
    var em: Double
    var plot: Rect
    var thickness: Double
    var column: Double
  }

  private func layout(_ context: DrawingContext) -> Layout {
    let thickness = min(max(min(size.width, size.height) / 110, 2.2), 6)
    let most =
      fontSize
      ?? Theme.step(max(context.theme.fontSize * 0.72, min(size.width, size.height) * 0.035))
    let share = max(size.height * 0.1, min(size.height * 0.14, context.theme.fontSize * 0.6))
    var em = hasAxis ? min(most, share, size.width * 0.06) : 0
    if em < Self.leastEm { em = 0 }
    // Space for the dot at the line's end.
    let rim = thickness * Self.dot + 1
    var plot = frame.inset(by: min(rim, min(size.width, size.height) / 4))
    if em > 0 {
      plot.x0 = min(frame.x0 + gutter(em) + em * 0.6, plot.x1 - 1)
      plot.y1 -= ages.isEmpty ? em * 0.3 : em * 1.6
      plot.y0 = min(max(plot.y0, frame.y0 + em * 0.6), plot.y1 - 1)
    }
    return Layout(
      em: em, plot: plot, thickness: thickness, column: plot.width / Double(history.count))
  }

  /// A multiple of the line's thickness.
  private static let dot = 1.7
  /// The minimum readable em size.
  private static let leastEm = 7.0

  private func gutter(_ em: Double) -> Double {
    min(em * 0.64 * Double(axis.longest), size.width * 0.3)
  }

  /// Draws the scale, the area below the line, and the line.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    let layout = layout(context)
    let text = context.ink(on: context.background)
    list.add(
      .roundedRect(RoundedRect(layout.plot.inset(by: -layout.thickness * 1.5), radius: 8)),
      text.faded(to: context.isEnabled ? 0.05 : 0.025))
    if hasAxis { drawAxis(layout, into: &list, in: context) }
    let ink = context.shown(color)
    forEachSegment { first, last in
      list.addPolygon(ink.faded(to: Self.area)) { corners in
        trace(below: first, last, layout, into: &corners)
      }
    }
    forEachSegment { first, last in
      list.addPolygon(ink) { corners in trace(first, last, layout, into: &corners) }
    }
    let end = history.extremes(in: edge, edge: edge)
    guard let value = history.last?.value, !end.isEmpty else { return }
    let place = Point(x(edge, layout), y(value, layout))
    list.add(.disc(center: place, radius: layout.thickness * Self.dot + 1), context.background)
    list.add(.disc(center: place, radius: layout.thickness * Self.dot), ink)
  }

  private static let area = 0.17

  // MARK: The line

  private func x(_ column: Int64, _ layout: Layout) -> Double {
    layout.plot.x1 - (Double(edge - column) + 0.5) * layout.column
  }

  private func y(_ value: Double, _ layout: Layout) -> Double {
    let share = (value - axis.low) / (axis.high - axis.low)
    return layout.plot.y1 - layout.plot.height * min(max(share, 0), 1)
  }

  private func forEachSegment(_ body: (_ first: Int64, _ last: Int64) -> Void) {
    var first: Int64?
    for column in edge - Int64(history.count) + 1...edge {
      let isEmpty = history.extremes(in: column, edge: edge).isEmpty
      if isEmpty, let start = first {
        body(start, column - 1)
        first = nil
      } else if !isEmpty, first == nil {
        first = column
      }
    }
    if let first { body(first, edge) }
  }

  /// Drops the middle of three corners at the same height.
  private func add(_ corner: Point, to corners: inout [Point]) {
    let count = corners.count
    if count > 1, corners[count - 1].y == corner.y, corners[count - 2].y == corner.y {
      corners[count - 1] = corner
    } else {
      corners.append(corner)
    }
  }

  private func trace(
    below first: Int64, _ last: Int64, _ layout: Layout, into corners: inout [Point]
  ) {
    corners.append(Point(x(first, layout) - layout.column / 2, layout.plot.y1))
    for column in first...last {
      let extremes = history.extremes(in: column, edge: edge)
      let middle = (y(extremes.low, layout) + y(extremes.high, layout)) / 2
      if column == first { corners.append(Point(x(first, layout) - layout.column / 2, middle)) }
      add(Point(x(column, layout), middle), to: &corners)
      if column == last { add(Point(x(last, layout) + layout.column / 2, middle), to: &corners) }
    }
    corners.append(Point(x(last, layout) + layout.column / 2, layout.plot.y1))
  }

  /// Traces part of the line as drawn by a round brush. Each x has one interval of y, so the
  /// outline never crosses itself.
  private func trace(_ first: Int64, _ last: Int64, _ layout: Layout, into corners: inout [Point]) {
    let radius = layout.thickness / 2
    let step = max(layout.column, 1e-3)
    let reach = Int64((radius / step).rounded(.down).within(0...16))
    func height(_ column: Int64, _ side: Double) -> Double {
      let extremes = history.extremes(in: column, edge: edge)
      return side * y(side < 0 ? extremes.high : extremes.low, layout)
    }
    /// The edge of the brush's stroke. `side` is −1 at the upper edge, 1 at the lower.
    func edgeOfPath(_ column: Int64, _ side: Double) -> Double {
      let nearest = min(max(column, first), last)
      let distance = Double(nearest - column) * step
      var offset =
        height(nearest, side) + max(radius * radius - distance * distance, 0).squareRoot()
      var near = max(column - reach - 1, first)
      let end = min(column + reach + 1, last)
      guard near < end else { return side * offset }
      var start = height(near, side)
      while near < end {
        let next = height(near + 1, side)
        let (from, to) = (Double(near - column) * step, Double(near + 1 - column) * step)
        let slope = (next - start) / step
        let best = radius * slope / (1 + slope * slope).squareRoot()
        let place = min(max(best, from, -radius), to, radius)
        if place >= from {
          let half = max(radius * radius - place * place, 0).squareRoot()
          offset = max(offset, start + slope * (place - from) + half)
        }
        start = next
        near += 1
      }
      return side * offset
    }
    func tip(_ column: Int64, _ offset: Double) -> Point {
      let extremes = history.extremes(in: column, edge: edge)
      return Point(
        x(column, layout) + offset * radius,
        (y(extremes.low, layout) + y(extremes.high, layout)) / 2)
    }
    corners.append(tip(first, -1))
    for column in first - reach...last + reach {
      add(Point(x(column, layout), edgeOfPath(column, -1)), to: &corners)
    }
    corners.append(tip(last, 1))
    for column in (first - reach...last + reach).reversed() {
      add(Point(x(column, layout), edgeOfPath(column, 1)), to: &corners)
    }
  }

  // MARK: The scale

  private func drawAxis(
    _ layout: Layout, into list: inout DisplayList, in context: DrawingContext
  ) {
    let text = context.ink(on: context.background)
    let faint = text.faded(to: context.isEnabled ? 0.16 : 0.08)
    let plot = layout.plot
    let half = max(layout.thickness * 0.2, 0.5)
    list.addInOnePass { list in
      for tick in axis.ticks {
        let y = y(tick.value, layout)
        list.add(.rect(Rect(x0: plot.x0, y0: y - half, x1: plot.x1, y1: y + half)), faint)
      }
    }
    guard layout.em > 0 else { return }
    let ink = (textColor?.color(in: context.theme) ?? text.faded(to: 0.72))
      .faded(to: context.presence)
    let space = Size(gutter(layout.em), layout.em * 1.4)
    for tick in axis.ticks where !tick.text.isEmpty {
      list.add(
        TextRun(
          axis.text(of: tick, context.numberSymbols), font: context.font, size: layout.em,
          at: Point(plot.x0 - layout.em * 0.6, y(tick.value, layout)), alignment: .right,
          box: space, minimumSize: layout.em * 0.4, tabularFigures: true),
        ink)
    }
    for age in ages {
      let x = plot.x1 - plot.width * age.seconds / seconds
      // The whole label stays inside the chart.
      let width = min(layout.em * 5.2, 2 * (x - frame.x0), 2 * (frame.x1 - x))
      guard width > layout.em else { continue }
      list.add(
        TextRun(
          age.text, font: context.font, size: layout.em, at: Point(x, plot.y1 + layout.em * 1.1),
          box: Size(width, layout.em * 1.4), minimumSize: layout.em * 0.4, tabularFigures: true),
        ink)
    }
  }
}
