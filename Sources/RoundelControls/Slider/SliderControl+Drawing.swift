// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry

struct SliderAppearance {
  var fill: Color
  var track: Color
  var ink: Color
  let context: DrawingContext

  init(_ control: some SliderControl, in context: DrawingContext) {
    self.context = context
    track = control.track.color(in: context.theme).over(context.background)
    fill = context.shown(control.color.color(in: context.theme).over(track))
    ink = context.ink(on: context.background).faded(to: context.presence)
    if control.slider.isHeld {
      fill = fill.veil(Feedback.held).over(fill)
      track = track.veil(Feedback.held).over(track)
    }
  }

  func fill(_ band: ScaleBand?) -> Color {
    band.map { context.shown($0.color.color(in: context.theme).over(track)) } ?? fill
  }

  func rest(_ band: ScaleBand?) -> Color {
    band == nil ? track : fill(band).faded(to: 0.3).over(track)
  }
}

extension SliderControl {
  private var scale: Scale { slider.scale }

  private func end(ofBand index: Int) -> Double {
    scale.position(of: slider.bands[index].end)
  }

  func band(at position: Double) -> ScaleBand? {
    slider.bands.first { scale.position(of: $0.end) > position }
  }

  private func point(at position: Double) -> Point { path.point(at: position / scale.span) }

  /// The round end of the track at its first or last position.
  func cap(_ position: Double, isLast: Bool) -> Shape {
    let start = heading(at: position) + .degrees(isLast ? -90 : 90)
    return .sector(
      Sector(
        center: point(at: position), innerRadius: 0, outerRadius: thickness / 2,
        start: start, end: start + .degrees(180)))
  }

  /// `isWhole` is whether something else than their colours marks the value.
  func drawTrack(isWhole: Bool, _ appearance: SliderAppearance, into list: inout DisplayList) {
    let bands = slider.bands
    // All bands have their full colour if a needle or a knob marks the value, or if there isn't a
    // value yet.
    let isWhole = isWhole || slider.isInteractive || !slider.hasValue
    func color(_ band: ScaleBand?) -> Color {
      isWhole && band != nil ? appearance.fill(band) : appearance.rest(band)
    }
    list.addInOnePass { list in
      var start = 0.0
      for index in bands.indices {
        let end = end(ofBand: index)
        list.add(stretch(start, end), color(bands[index]))
        start = end
      }
      let rest = bands.isEmpty || start < scale.span ? color(nil) : color(bands.last)
      if start < scale.span { list.add(stretch(start, scale.span), rest) }
      if !isClosed {
        list.add(cap(0, isLast: false), color(bands.first))
        list.add(cap(scale.span, isLast: true), rest)
      }
    }
  }

  /// In pieces of a length in steps, so that a moving value changes only the last. They overlap by
  /// `lap` to avoid gaps on small panels.
  func drawValue(
    from first: Double, to position: Double, piece: Double, lap: Double,
    _ appearance: SliderAppearance, into list: inout DisplayList
  ) {
    guard position > 0 else { return }
    list.add(
      .disc(center: point(at: first), radius: thickness / 2), appearance.fill(band(at: first)))
    var start = first
    var number = (first / piece).rounded(.down)
    while start < position {
      let band = band(at: start)
      let next = (number + 1) * piece
      var end = min(next, band.map { scale.position(of: $0.end) } ?? next)
      if end >= next { number += 1 }
      end = min(end, position)
      list.add(stretch(start, min(end + lap, position)), appearance.fill(band))
      guard end > start else { break }
      start = end
    }
    let last = slider.bands.isEmpty ? nil : band(at: position.nextDown)
    list.add(.disc(center: point(at: position), radius: thickness / 2), appearance.fill(last))
  }

  func drawMarker(_ appearance: SliderAppearance, into list: inout DisplayList) {
    guard let marker = slider.marker else { return }
    let position = scale.position(of: marker)
    ScaleMarker.draw(
      at: point(at: position), along: heading(at: position).unit,
      across: (heading(at: position) - .degrees(90)).unit, thickness: thickness,
      ink: appearance.ink, halo: appearance.context.background, into: &list)
  }

  /// In `color` or the value's colour. The held knob is on top.
  func drawKnobs(
    _ first: Double, _ second: Double, color: Color?, _ appearance: SliderAppearance,
    into list: inout DisplayList
  ) {
    guard slider.isInteractive else { return }
    guard slider.isPair else { return drawKnob(0, first, color, appearance, into: &list) }
    let isSwapped = slider.isHeld(0) && !slider.isHeld(1)
    drawKnob(isSwapped ? 1 : 0, isSwapped ? second : first, color, appearance, into: &list)
    drawKnob(isSwapped ? 0 : 1, isSwapped ? first : second, color, appearance, into: &list)
  }

  private func drawKnob(
    _ index: Int, _ position: Double, _ color: Color?, _ appearance: SliderAppearance,
    into list: inout DisplayList
  ) {
    let place = point(at: position)
    let size = knobRadius
    let color =
      color ?? appearance.fill(slider.bands.isEmpty ? nil : band(at: max(position.nextDown, 0)))
    list.add(
      .disc(center: place, radius: size + max(thickness * 0.09, 1.5)), appearance.context.background
    )
    list.add(.disc(center: place, radius: size), color)
    list.addLight(on: RoundedRect(disc: place, radius: size), presence: appearance.context.presence)
    let light = color.contrast(with: .white) >= 1.8 ? Color.white : .dark
    list.add(
      .disc(center: place, radius: size * (slider.isHeld(index) ? 0.72 : 0.44)),
      light.faded(to: appearance.context.isEnabled ? 1 : 0.5))
  }

  /// Draws a line of the scale, `length` long outwards from `start`.
  func drawTick(
    at start: Point, _ outwards: Vector, length: Double, half: Double, _ ink: Color,
    into list: inout DisplayList
  ) {
    let side = Vector(-outwards.y, outwards.x) * half
    let end = start + outwards * length
    list.addPolygon(ink) { corners in
      corners.append(start - side)
      corners.append(start + side)
      corners.append(end + side)
      corners.append(end - side)
    }
  }
}
