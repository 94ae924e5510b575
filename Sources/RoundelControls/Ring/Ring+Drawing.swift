// SPDX-License-Identifier: MIT

public import RoundelDrawing
internal import RoundelGeometry
internal import Glibc
internal import RoundelMotion

extension Ring {
  /// Draws the arc, the value and the text.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    let appearance = SliderAppearance(self, in: context)
    drawTrack(appearance, into: &list)
    if isSpinning {
      drawSpinner(appearance, at: context.now, into: &list)
    } else {
      let first = slider.position(of: 0, on: path, at: context.now)
      let second = slider.isPair ? slider.position(of: 1, on: path, at: context.now) : first
      drawTicks(appearance, into: &list, in: context)
      drawValue(from: slider.isPair ? first : 0, to: second, appearance, into: &list)
      if hasNeedle { drawNeedle(first, appearance, into: &list) }
      drawMarker(appearance, into: &list)
      drawKnobs(
        first, second, color: hasNeedle ? appearance.fill : nil, appearance, into: &list)
    }
    drawText(into: &list, in: context)
  }

  private var scale: Scale { slider.scale }
  private var ticks: Ticks? { slider.ticks }

  // MARK: The arc

  func stretch(_ start: Double, _ end: Double) -> Shape { .sector(sector(start, end)) }

  func heading(at position: Double) -> Angle {
    angle(of: position) + .degrees(to > from ? 90 : -90)
  }

  private func sector(_ start: Double, _ end: Double) -> Sector {
    let (a, b) = (angle(of: start), angle(of: end))
    return Sector(
      center: center, innerRadius: radius - thickness, outerRadius: radius, start: min(a, b),
      end: max(a, b))
  }

  private func drawTrack(_ appearance: SliderAppearance, into list: inout DisplayList) {
    guard !isSpinning, !isClosed || !slider.bands.isEmpty else {
      list.add(
        .sector(Sector(center: center, innerRadius: radius - thickness, outerRadius: radius)),
        appearance.track)
      return
    }
    drawTrack(isWhole: hasNeedle, appearance, into: &list)
  }

  // MARK: The value

  /// The angle in radians. A moving value changes only the last piece.
  private static let piece = Double.pi / 12
  /// The overlap at the rim, in design pixels.
  private static let lap = 5.0

  private func drawValue(
    from first: Double, to position: Double, _ appearance: SliderAppearance,
    into list: inout DisplayList
  ) {
    guard !hasNeedle || slider.bands.isEmpty else { return }
    let steps = scale.span / abs((to - from).radians)
    drawValue(
      from: first, to: position, piece: Self.piece * steps, lap: Self.lap / radius * steps,
      appearance, into: &list)
  }

  /// A fraction of the radius.
  private static let needle = 0.03

  private func drawNeedle(
    _ position: Double, _ appearance: SliderAppearance, into list: inout DisplayList
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

  private func drawSpinner(
    _ appearance: SliderAppearance, at now: Instant, into list: inout DisplayList
  ) {
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
    let half = em * 0.3 * Double(min(slider.longestTickLabel, 6)) + em * 0.1
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
    _ appearance: SliderAppearance, into list: inout DisplayList, in context: DrawingContext
  ) {
    guard let ticks else { return }
    let outer = radius - thickness - tickGap
    guard outer > radius * 0.2 else { return }
    let ink = appearance.ink.faded(to: 0.5)
    list.addInOnePass { list in
      for index in multiples(of: ticks.every) {
        let value = Scale.value(0, ticks.every, Double(index))
        let isLong = ticks.isLong(at: value)
        let direction = angle(of: scale.position(of: value))
        drawTick(
          at: center + direction.unit * outer, direction.unit * -1,
          length: radius * Self.tick * (isLong ? 1 : 0.6),
          half: max(radius * (isLong ? 0.006 : 0.0035), 0.5), ink, into: &list)
      }
    }
    guard let every = ticks.labelEvery, let labels = tickLabels(in: context.theme) else { return }
    for (label, index) in zip(slider.tickLabels, multiples(of: every)) {
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
