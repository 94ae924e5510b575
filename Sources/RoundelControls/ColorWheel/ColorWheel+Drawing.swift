// SPDX-License-Identifier: MIT

public import RoundelDrawing
internal import RoundelGeometry
internal import RoundelMotion

extension ColorWheel {
  /// Draws the colours, the swatch and the knob.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    if temperatures == nil {
      drawHues(into: &list, in: context)
    } else {
      drawTemperatures(into: &list, in: context)
    }
    let color = context.shown(color)
    list.add(.disc(center: center, radius: swatchRadius), color)
    list.addLight(on: RoundedRect(disc: center, radius: swatchRadius), presence: context.presence)
    if temperatures != nil {
      let em = Theme.step(swatchRadius * 0.42)
      list.add(
        TextRun(
          "\(Int(kelvin.rounded())) K", font: context.font, size: em, at: center,
          box: Size(swatchRadius * 1.7, em * 1.6), minimumSize: em * 0.4, tabularFigures: true),
        color.readableText)
    }
    let knob = knob(at: context.now)
    let size = knobRadius * (isHeld ? 1 : 0.9)
    list.add(.disc(center: knob, radius: size), Color.dark)
    list.add(.disc(center: knob, radius: size * 0.92), Color.white)
    list.add(.disc(center: knob, radius: size * 0.72), color)
  }

  /// The sectors of a wheel and of a scale. A sector of the wheel is two degrees wide, so that
  /// neighbours differ by at most 9 of 255.
  private static let (hues, temperatureSectors) = (180, 60)
  /// The overlap, which hides gaps between sectors: 3 design pixels at the inner radius.
  private var lap: Angle { .radians(min(3 / innerRadius, 0.5)) }

  private func drawHues(into list: inout DisplayList, in context: DrawingContext) {
    let step = Angle.fullTurn / Double(Self.hues)
    // The first sector again hides its gap to the last one.
    for index in 0...Self.hues {
      let start = step * (Double(index) - 0.5)
      let hue = Double(index) * 360 / Double(Self.hues)
      let end = index == Self.hues ? start + step : start + step + lap
      list.add(
        .sector(
          Sector(
            center: center, innerRadius: innerRadius, outerRadius: outerRadius, start: start,
            end: end)),
        .gradient(
          Gradient(
            .radial(center: center, from: innerRadius, to: outerRadius),
            from: context.shown(.white),
            to: context.shown(HueSaturation(hue: hue, saturation: 100).color))))
    }
  }

  private func drawTemperatures(into list: inout DisplayList, in context: DrawingContext) {
    guard let temperatures else { return }
    let half = (outerRadius - innerRadius) / 2
    func color(_ share: Double) -> Color {
      context.shown(
        Color(
          kelvin: temperatures.lowerBound
            + (temperatures.upperBound - temperatures.lowerBound) * share))
    }
    func addEnd(_ direction: Angle, _ share: Double) {
      list.add(
        .disc(center: center + direction.unit * (innerRadius + half), radius: half), color(share))
    }
    addEnd(-Self.halfSweep, 0)
    addEnd(Self.halfSweep, 1)
    let step = Self.halfSweep * 2 / Double(Self.temperatureSectors)
    for index in 0..<Self.temperatureSectors {
      let start = -Self.halfSweep + step * Double(index)
      let isLast = index == Self.temperatureSectors - 1
      list.add(
        .sector(
          Sector(
            center: center, innerRadius: innerRadius, outerRadius: outerRadius, start: start,
            end: isLast ? Self.halfSweep : start + step + lap)),
        color((Double(index) + 0.5) / Double(Self.temperatureSectors)))
    }
  }
}
