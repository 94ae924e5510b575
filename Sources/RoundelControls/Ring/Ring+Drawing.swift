// SPDX-License-Identifier: MIT

public import RoundelDrawing
internal import RoundelGeometry
internal import Glibc
internal import RoundelMotion

extension Ring {
  /// Draws the arc, the value and the text.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    let appearance = Appearance(self, in: context)
    drawTrack(appearance, into: &list)
    if isSpinning {
      drawSpinner(appearance, at: context.now, into: &list)
    } else {
      let position = position(at: context.now)
      drawTicks(appearance, into: &list, in: context)
      drawValue(position, appearance, into: &list)
      if hasNeedle { drawNeedle(position, appearance, into: &list) }
      if isInteractive { drawKnob(position, appearance, into: &list) }
    }
    drawText(into: &list, in: context)
  }

  private struct Appearance {
    var fill: Color
    var track: Color
    var ink: Color
    let context: DrawingContext

    init(_ ring: Ring, in context: DrawingContext) {
      self.context = context
      track = ring.track.color(in: context.theme).over(context.background)
      fill = context.shown(ring.color.color(in: context.theme).over(track))
      ink = context.ink(on: context.background).faded(to: context.presence)
      if ring.isHeld {
        fill = fill.veil(Feedback.held).over(fill)
        track = track.veil(Feedback.held).over(track)
      }
    }

    func fill(_ band: Band?) -> Color {
      band.map { context.shown($0.color.color(in: context.theme).over(track)) } ?? fill
    }

    func rest(_ band: Band?) -> Color {
      band == nil ? track : fill(band).faded(to: 0.3).over(track)
    }
  }

  // MARK: The arc

  private func sector(_ start: Double, _ end: Double) -> Sector {
    let (a, b) = (angle(of: start), angle(of: end))
    return Sector(
      center: center, innerRadius: radius - thickness, outerRadius: radius, start: min(a, b),
      end: max(a, b))
  }

  private func cap(_ position: Double, isLast: Bool) -> Sector {
    let isClockwise = (to > from) == isLast
    let start = angle(of: position) + (isClockwise ? .zero : .degrees(180))
    return Sector(
      center: pointOnArc(of: position), innerRadius: 0, outerRadius: thickness / 2,
      start: start, end: start + .degrees(180))
  }

  private func end(ofBand index: Int) -> Double { scale.position(of: bands[index].end) }

  private func band(at position: Double) -> Band? {
    bands.first { scale.position(of: $0.end) > position }
  }

  private func drawTrack(_ appearance: Appearance, into list: inout DisplayList) {
    guard !isSpinning, !isClosed || !bands.isEmpty else {
      list.add(
        .sector(Sector(center: center, innerRadius: radius - thickness, outerRadius: radius)),
        appearance.track)
      return
    }
    // All bands have their full colour if a needle or a knob marks the value, or if there isn't a
    // value yet.
    let isWhole = hasNeedle || isInteractive || !hasValue
    func color(_ band: Band?) -> Color {
      isWhole && band != nil ? appearance.fill(band) : appearance.rest(band)
    }
    list.addInOnePass { list in
      var start = 0.0
      for index in bands.indices {
        let end = end(ofBand: index)
        list.add(.sector(sector(start, end)), color(bands[index]))
        start = end
      }
      let rest = bands.isEmpty || start < scale.span ? color(nil) : color(bands.last)
      if start < scale.span { list.add(.sector(sector(start, scale.span)), rest) }
      if !isClosed {
        list.add(.sector(cap(0, isLast: false)), color(bands.first))
        list.add(.sector(cap(scale.span, isLast: true)), rest)
      }
    }
  }

  // MARK: The value

  /// The angle in radians. A moving value changes only the last piece.
  private static let piece = Double.pi / 12
  /// The overlap at the rim, in design pixels.
  private static let lap = 5.0

  private func drawValue(_ position: Double, _ appearance: Appearance, into list: inout DisplayList)
  {
    guard position > 0, !hasNeedle || bands.isEmpty else { return }
    list.add(.disc(center: pointOnArc(of: 0), radius: thickness / 2), appearance.fill(band(at: 0)))
    // Pieces overlap, so that there isn't a gap between them on small panels.
    let lap = Self.lap / radius * scale.span / abs((to - from).radians)
    let piece = Self.piece / abs((to - from).radians) * scale.span
    var start = 0.0
    var number = 0.0
    while start < position {
      let band = band(at: start)
      let next = (number + 1) * piece
      var end = min(next, band.map { scale.position(of: $0.end) } ?? next)
      if end >= next { number += 1 }
      end = min(end, position)
      list.add(.sector(sector(start, min(end + lap, position))), appearance.fill(band))
      guard end > start else { break }
      start = end
    }
    let last = bands.isEmpty ? nil : band(at: position.nextDown) ?? nil
    list.add(.disc(center: pointOnArc(of: position), radius: thickness / 2), appearance.fill(last))
  }

  /// A fraction of the thickness.
  private static let knob = 0.66

  private func drawKnob(_ position: Double, _ appearance: Appearance, into list: inout DisplayList)
  {
    let place = pointOnArc(of: position)
    let size = thickness * Self.knob
    let color = appearance.fill(
      hasNeedle ? nil : bands.isEmpty ? nil : band(at: max(position.nextDown, 0)))
    list.add(
      .disc(center: place, radius: size + max(thickness * 0.09, 1.5)), appearance.context.background
    )
    list.add(.disc(center: place, radius: size), color)
    list.addLight(on: RoundedRect(disc: place, radius: size), presence: appearance.context.presence)
    let light = color.contrast(with: .white) >= 1.8 ? Color.white : .dark
    list.add(
      .disc(center: place, radius: size * (isHeld ? 0.72 : 0.44)),
      light.faded(to: appearance.context.isEnabled ? 1 : 0.5))
  }

  /// A fraction of the radius.
  private static let needle = 0.03

  private func drawNeedle(
    _ position: Double, _ appearance: Appearance, into list: inout DisplayList
  ) {
    let direction = angle(of: position)
    let tip = tickLabels(in: appearance.context.theme)?.innerRadius ?? radius - thickness - tickGap
    guard tip > 0 else { return }
    let foot = text.isEmpty ? 0 : max(tip - radius * 0.2, 0)
    let side = (direction + .degrees(90)).unit
    let half = radius * Self.needle * (text.isEmpty ? 1 : 1.5)
    list.addPolygon(appearance.ink) { corners in
      let point = center + direction.unit * tip
      corners.append(point + side * (half * 0.16))
      corners.append(center + direction.unit * foot + side * half)
      corners.append(center + direction.unit * foot - side * half)
      corners.append(point - side * (half * 0.16))
    }
    guard text.isEmpty else { return }
    list.add(.disc(center: center, radius: radius * 0.085), appearance.ink)
    list.add(.disc(center: center, radius: radius * 0.035), appearance.context.background)
  }

  private static let turnSeconds = 1.4
  /// The arc is a quarter of the ring.
  private static let spinnerPieces = 6

  private func drawSpinner(_ appearance: Appearance, at now: Instant, into list: inout DisplayList)
  {
    let period = Int64(Self.turnSeconds * 1e6)
    let phase = Double(now.microseconds % period) / Double(period)
    let tail = Angle.fullTurn * phase
    let piece = Angle.degrees(90) / Double(Self.spinnerPieces)
    let lap = Angle.radians(Self.lap / radius)
    let head = tail + .degrees(90)
    list.add(
      .disc(center: center + tail.unit * middleRadius, radius: thickness / 2), appearance.fill)
    for number in 0..<Self.spinnerPieces {
      let start = tail + piece * Double(number)
      list.add(
        .sector(
          Sector(
            center: center, innerRadius: radius - thickness, outerRadius: radius, start: start,
            end: min(start + piece + lap, head))), appearance.fill)
    }
    list.add(
      .disc(center: center + head.unit * middleRadius, radius: thickness / 2), appearance.fill)
  }

  // MARK: Ticks

  /// A fraction of the radius.
  private static let tick = 0.05

  private var tickGap: Double { radius * 0.035 }

  private func tickEm(_ theme: Theme) -> Double {
    Theme.step(min(theme.fontSize, radius * 0.13), .down)
  }

  /// The half width, and the reach in any direction.
  private func tickLabelSize(_ em: Double) -> (half: Double, reach: Double) {
    let half = em * 0.3 * Double(min(longestTickLabel, 6)) + em * 0.1
    return (half, (half * half + em * em * 0.16).squareRoot() + em * 0.1)
  }

  /// The layout, or nil if the ticks have no labels or they don't fit.
  private func tickLabels(
    in theme: Theme
  ) -> (em: Double, width: Double, distance: Double, innerRadius: Double)? {
    guard ticks?.labelEvery != nil else { return nil }
    let em = tickEm(theme)
    let (half, reach) = tickLabelSize(em)
    let distance = radius - thickness - tickGap - radius * Self.tick - reach
    return distance > em ? (em, 2 * half, distance, distance - reach) : nil
  }

  /// Returns multiples. On a closed ring, both ends are the same position.
  private func multiples(of distance: Double) -> Range<Int> {
    guard let all = Ticks.multiples(of: distance, on: scale) else { return 0..<0 }
    func position(_ index: Int) -> Double {
      scale.position(of: Scale.value(0, distance, Double(index)))
    }
    let isRepeated =
      isClosed && position(all.lowerBound) == 0 && position(all.upperBound) == scale.span
    return all.lowerBound..<all.upperBound + (isRepeated ? 0 : 1)
  }

  private func drawTicks(
    _ appearance: Appearance, into list: inout DisplayList, in context: DrawingContext
  ) {
    guard let ticks else { return }
    let outer = radius - thickness - tickGap
    guard outer > radius * 0.2 else { return }
    let ink = appearance.ink.faded(to: 0.5)
    list.addInOnePass { list in
      for index in multiples(of: ticks.every) {
        let value = Scale.value(0, ticks.every, Double(index))
        let isLong = ticks.labelEvery.map { abs(remainder(value, $0)) < ticks.every * 1e-3 }
        let direction = angle(of: scale.position(of: value))
        let side =
          (direction + .degrees(90)).unit * max(radius * (isLong == false ? 0.0035 : 0.006), 0.5)
        let top = center + direction.unit * outer
        let bottom =
          center + direction.unit * (outer - radius * Self.tick * (isLong == false ? 0.6 : 1))
        list.addPolygon(ink) { corners in
          corners.append(top - side)
          corners.append(top + side)
          corners.append(bottom + side)
          corners.append(bottom - side)
        }
      }
    }
    guard let every = ticks.labelEvery, let labels = tickLabels(in: context.theme) else { return }
    for (label, index) in zip(tickLabels, multiples(of: every)) {
      let direction = angle(of: scale.position(of: Scale.value(0, every, Double(index))))
      list.add(
        TextRun(
          label, font: context.font, size: labels.em, at: center + direction.unit * labels.distance,
          box: Size(labels.width, labels.em * 1.6), tabularFigures: true),
        appearance.ink.faded(to: 0.85))
    }
  }

  // MARK: The text

  /// The fraction of the hole.
  private static let textPart = 0.8

  private func drawText(into list: inout DisplayList, in context: DrawingContext) {
    guard !text.isEmpty else { return }
    var hole = radius - thickness
    if ticks != nil { hole -= tickGap + radius * Self.tick }
    if ticks?.labelEvery != nil { hole -= 2 * tickLabelSize(tickEm(context.theme)).reach }
    // If the ring has almost no hole, the text is on its arc.
    if hole < radius * 0.2 { hole = radius * 0.6 }
    let size = fontSize ?? Theme.step(hole * 0.5)
    list.add(
      TextRun(
        text, font: context.font, size: size, at: center,
        bounds: .sector(Sector(center: .zero, radius: hole * Self.textPart)), lines: 4,
        minimumSize: min(size, radius * 0.06), tabularFigures: true),
      context.ink(textColor, on: context.background).faded(to: context.presence))
  }
}
