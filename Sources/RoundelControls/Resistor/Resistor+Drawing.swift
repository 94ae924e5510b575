// SPDX-License-Identifier: MIT

public import RoundelDrawing
internal import RoundelGeometry
internal import RoundelMotion

extension Resistor {
  /// Draws the resistor with its bands, the value as text, and the wheels.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    drawWords(into: &list, in: context)
    drawBody(into: &list, in: context)
    picker.draw(into: &list, in: context)
  }

  // MARK: Words

  private func drawWords(into list: inout DisplayList, in context: DrawingContext) {
    // Black or white, as on the wheels.
    let ink = context.background.readableText
    let quiet = ink.faded(to: 0.65)
    func line(_ text: String, _ size: Double, at y: Double, _ color: Color) {
      list.add(
        TextRun(
          text, font: context.font, size: size, at: Point(center.x, y),
          box: Size(frame.width, size * 2.6), lines: 2, tabularFigures: true),
        color.faded(to: context.presence))
    }
    line(reading.title, Theme.step(size.height * 0.085), at: frame.y0 + size.height * 0.06, ink)
    line(reading.details, Theme.step(size.height * 0.04), at: frame.y0 + size.height * 0.155, quiet)
  }

  // MARK: The resistor itself

  private static let wire = Color(hex: 0x9aa3ad)

  private func drawBody(into list: inout DisplayList, in context: DrawingContext) {
    let height = min(size.height * 0.17, size.width * 0.13)
    let width = min(size.width * 0.7, height * 5.4)
    let middle = Point(center.x, frame.y0 + size.height * 0.3)
    let body = Rect(center: middle, size: Size(width, height))
    // Carbon film resistors are sand-coloured. Metal film resistors, with five or six bands, are
    // sky blue.
    let paint =
      code.bands.count > 4
      ? OKLCH(lightness: 0.78, chroma: 0.06, hue: 230).color
      : OKLCH(lightness: 0.85, chroma: 0.05, hue: 80).color

    list.add(
      .roundedRect(
        RoundedRect(
          Rect(center: middle, size: Size(size.width * 0.94, height * 0.09)), radius: height)),
      context.shown(Self.wire))
    let cap = height
    let barrel = Rect(center: middle, size: Size(width - cap, height * 0.78))
    func drawCap(_ x: Double) {
      list.add(
        .roundedRect(
          RoundedRect(Rect(x0: x, y0: body.y0, x1: x + cap, y1: body.y1), radius: height * 0.32)),
        context.shown(paint))
    }
    list.add(.rect(barrel), context.shown(paint))
    drawCap(body.x0)
    drawCap(body.x1 - cap)

    func drawBand(_ color: ResistorColor, _ x: Double) {
      let isOnCap = abs(x - middle.x) > width / 2 - cap
      let stripe = Rect(
        center: Point(x, middle.y),
        size: Size(height * 0.24, isOnCap ? body.height : barrel.height))
      list.add(.rect(stripe), context.shown(color.color))
    }
    if code.resistance.significand == 0 {
      // A zero-ohm link has a single band.
      drawBand(.black, body.center.x)
    } else {
      for (index, band) in code.bands.enumerated() { drawBand(band, place(of: index, on: body)) }
    }
    // A highlight on the barrel.
    list.add(
      .roundedRect(
        RoundedRect(
          Rect(
            x0: body.x0 + height * 0.3, y0: middle.y - height * 0.27, x1: body.x1 - height * 0.3,
            y1: middle.y - height * 0.17), radius: height)), .white.faded(to: 0.28))
  }

  /// There is a gap before the tolerance.
  private func place(of band: Int, on body: Rect) -> Double {
    let count = roles.count
    let inset = body.height * 0.5
    let (first, last) = (body.x0 + inset, body.x1 - inset)
    let values = roles.count { $0 == .digit || $0 == .multiplier }
    // The gap is twice as wide.
    let step = (last - first) / Double(max(count, 4) + (count == 6 ? 1 : 0))
    return band < values ? first + step * Double(band) : last - step * Double(count - 1 - band)
  }
}
