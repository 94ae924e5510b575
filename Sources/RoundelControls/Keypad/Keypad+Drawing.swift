// SPDX-License-Identifier: MIT

public import RoundelDrawing
internal import RoundelGeometry

extension Keypad {
  /// Draws the keys and the typed text. A finger on a secret keypad highlights all keys.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    drawLine(into: &list, in: context)
    let peers = peers
    for position in positions { draw(position, peers, into: &list, in: context) }
  }

  // MARK: The text

  private func drawLine(into list: inout DisplayList, in context: DrawingContext) {
    let ink = context.ink(on: context.background).faded(to: context.presence)
    let em = min(line.height * 0.56, size.width * 0.12)
    guard !isSecret else { return drawDots(em, ink, into: &list) }
    let rule = max(line.height * 0.03, 1.5)
    let margin = size.width * 0.04
    list.add(
      .rect(
        Rect(
          x0: line.x0 + margin, y0: line.y1 - line.height * 0.1 - rule, x1: line.x1 - margin,
          y1: line.y1 - line.height * 0.1)), ink.faded(to: 0.3))
    guard !text.isEmpty else { return }
    // Long text is cut at its start, so that new characters are visible.
    let space = Int((line.width / (em * 0.4)).within(4...1e6))
    let shown = text.count <= space ? text : "…" + text.suffix(space)
    list.add(
      TextRun(
        shown, font: context.font, size: em,
        at: Point(line.center.x, line.center.y - line.height * 0.06),
        box: Size(line.width - 2 * margin, line.height * 0.9), minimumSize: em * 0.4,
        tabularFigures: true), ink)
  }

  private static let maximumPlaces = 12

  /// A dot for each character, and rings for missing characters if `length` is small.
  private func drawDots(_ em: Double, _ ink: Color, into list: inout DisplayList) {
    let count = max(length <= Self.maximumPlaces ? length : text.count, 1)
    let pitch = min(em * 0.8, line.width / Double(count))
    let radius = pitch * 0.26
    for index in 0..<count {
      let x = line.center.x + (Double(index) - Double(count - 1) / 2) * pitch
      var dot = Sector(center: Point(x, line.center.y), radius: radius)
      if index >= text.count {
        guard length <= Self.maximumPlaces else { continue }
        dot.innerRadius = radius * 0.72
      }
      list.add(.sector(dot), index < text.count ? ink : ink.faded(to: 0.5))
    }
  }

  // MARK: Keys

  private var peers: TextPeers {
    TextPeers(
      positions.compactMap { position in
        label(of: position).map { TextPeers.Text($0, bounds: .box(size(of: position))) }
      })
  }

  private func label(of position: KeyPosition) -> String? {
    switch action(position) {
    case .type(" "), .delete, .enter, .shift: nil
    case .type(let text): text
    case .symbols: position.layer == 0 ? "123" : "ABC"
    }
  }

  private func size(of position: KeyPosition) -> Size {
    let outline = outline(of: position)
    return Size(outline.rect.width * 0.72, outline.rect.height * 0.72)
  }

  private func draw(
    _ position: KeyPosition, _ peers: TextPeers, into list: inout DisplayList,
    in context: DrawingContext
  ) {
    let outline = outline(of: position)
    let action = action(position)
    let isUsable = isUsable(position)
    let fill = fill(position, action, isUsable, in: context)
    list.add(.roundedRect(outline), fill)
    list.addLight(on: outline, presence: isUsable ? context.presence : 0.4)
    let background = fill.over(context.background)
    let ink = context.ink(textColor, on: background).faded(to: isUsable ? 1 : 0.35)
      .faded(to: context.presence)
    if let label = label(of: position) {
      let em = fontSize ?? Theme.step(min(pitch.width, pitch.height) * 0.42)
      list.add(
        TextRun(
          label, font: context.font, size: em, at: outline.rect.center,
          bounds: .box(size(of: position)), peers: peers, tabularFigures: true), ink)
    } else {
      let side = min(outline.rect.width, outline.rect.height) * 0.19
      drawSymbol(action, at: outline.rect.center, side, ink, on: background, into: &list)
    }
  }

  private func fill(
    _ position: KeyPosition, _ action: KeypadLayout.Action, _ isUsable: Bool,
    in context: DrawingContext
  ) -> Color {
    let plain = color.color(in: context.theme)
    var fill: Color
    switch action {
    case .type: fill = plain
    case .enter where isUsable: fill = context.theme.accent
    case .shift where shift != .off: fill = context.theme.accent
    case .delete, .enter, .shift, .symbols:
      fill = plain.over(context.background).mixed(with: context.background, 0.5)
    }
    fill = context.shown(fill)
    guard isSecret ? isTouched : isHeld(position) else { return fill }
    return fill.over(context.background).veil(isSecret ? 0.1 : 0.25).over(fill)
  }

  /// Draws a symbol in a square of side 2 × `side`.
  private func drawSymbol(
    _ action: KeypadLayout.Action, at center: Point, _ side: Double, _ ink: Color,
    on background: Color, into list: inout DisplayList
  ) {
    func polygon(_ color: Color, _ corners: [(Double, Double)]) {
      list.addPolygon(color) { points in
        for (x, y) in corners { points.append(Point(center.x + x * side, center.y + y * side)) }
      }
    }
    switch action {
    case .delete:
      polygon(ink, [(-1.2, 0), (-0.5, -0.8), (1.1, -0.8), (1.1, 0.8), (-0.5, 0.8)])
      // A single polygon, because the even-odd rule would leave a hole at the crossing.
      polygon(
        background,
        [
          (-0.16, -0.26), (0.0, -0.42), (0.26, -0.16), (0.52, -0.42), (0.68, -0.26), (0.42, 0),
          (0.68, 0.26), (0.52, 0.42), (0.26, 0.16), (0, 0.42), (-0.16, 0.26), (0.1, 0),
        ])
    case .enter:
      polygon(
        ink, [(-1, 0.1), (-0.74, -0.16), (-0.3, 0.28), (0.74, -0.76), (1, -0.5), (-0.3, 0.8)])
    case .shift:
      polygon(
        ink, [(0, -1), (0.95, 0), (0.42, 0), (0.42, 0.6), (-0.42, 0.6), (-0.42, 0), (-0.95, 0)])
      if shift == .locked {
        polygon(ink, [(-0.42, 0.8), (0.42, 0.8), (0.42, 1.04), (-0.42, 1.04)])
      }
    case .type, .symbols: polygon(ink, [(-1.4, 0.2), (1.4, 0.2), (1.4, 0.4), (-1.4, 0.4)])
    }
  }
}
