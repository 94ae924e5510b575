// SPDX-License-Identifier: MIT

public import RoundelDrawing
internal import RoundelGeometry
internal import RoundelMotion

extension Bar {
  /// Draws the bar, its scale and the text.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    let appearance = SliderAppearance(self, in: context)
    let first = slider.position(of: 0, on: path, at: context.now)
    let second = slider.isPair ? slider.position(of: 1, on: path, at: context.now) : first
    let start = slider.isPair ? first : 0
    let peak = peakPosition(above: second, at: context.now)
    if segments > 0 {
      drawSegments(from: start, to: second, peak: peak, appearance, into: &list)
    } else {
      drawTrack(isWhole: false, appearance, into: &list)
      drawValue(from: start, to: second, appearance, into: &list)
      if let peak { drawPeak(peak, appearance, into: &list) }
    }
    drawTicks(appearance, into: &list, in: context)
    drawMarker(appearance, into: &list)
    if segments == 0 { drawKnobs(first, second, color: nil, appearance, into: &list) }
    drawText(into: &list, in: context)
  }

  private var scale: Scale { slider.scale }

  /// Draws the value as a pill, in the colours of its bands.
  private func drawValue(
    from start: Double, to end: Double, _ appearance: SliderAppearance,
    into list: inout DisplayList
  ) {
    guard end > 0 else { return }
    list.addInOnePass { list in
      list.add(cap(start, isLast: false), appearance.fill(band(at: start)))
      var place = start
      for band in slider.bands {
        let next = min(scale.position(of: band.end), end)
        guard next > place else { continue }
        list.add(stretch(place, next), appearance.fill(band))
        place = next
      }
      let last = slider.bands.isEmpty ? nil : band(at: end.nextDown)
      if place < end { list.add(stretch(place, end), appearance.fill(last)) }
      list.add(cap(end, isLast: true), appearance.fill(last))
    }
  }

  private func point(_ position: Double) -> Point { path.point(at: position / scale.span) }

  private func drawSegments(
    from start: Double, to end: Double, peak: Double?, _ appearance: SliderAppearance,
    into list: inout DisplayList
  ) {
    let count = Double(segments)
    let length = path.length / count
    let gap = min(max(length * 0.18, 1), 8, length / 2)
    let marked = peak.map { min(Int($0 / scale.span * count), segments - 1) }
    list.addInOnePass { list in
      for index in 0..<segments {
        let from = Double(index) / count
        let middle = (from + 0.5 / count) * scale.span
        let isLit = middle >= start && middle <= end
        let band = slider.bands.isEmpty ? nil : band(at: middle)
        let inset = path.direction * (gap / 2)
        let frame = Rect(
          across: path.point(at: from) + inset, path.point(at: from + 1 / count) - inset,
          by: thickness / 2)
        list.add(
          .roundedRect(RoundedRect(frame, radius: min(4, (length - gap) / 2))),
          isLit || index == marked ? appearance.fill(band) : appearance.rest(band))
      }
    }
  }

  private func drawPeak(
    _ position: Double, _ appearance: SliderAppearance, into list: inout DisplayList
  ) {
    let half = max(thickness * 0.05, 1.5)
    let place = point(position)
    let color = appearance.fill(slider.bands.isEmpty ? nil : band(at: position.nextDown))
    list.add(
      .rect(
        Rect(
          across: place - path.direction * half, place + path.direction * half, by: thickness / 2)),
      color)
  }

  // MARK: Ticks

  private func drawTicks(
    _ appearance: SliderAppearance, into list: inout DisplayList, in context: DrawingContext
  ) {
    guard let ticks = slider.ticks, let all = ScaleTicks.multiples(of: ticks.every, on: scale)
    else { return }
    let ink = appearance.ink.faded(to: 0.5)
    let trackHalf = max(thickness / 2, slider.isInteractive ? knobRadius : 0)
    let distance = trackHalf + breadth * 0.06
    let length = breadth * 0.12
    list.addInOnePass { list in
      for index in all {
        let value = Scale.value(0, ticks.every, Double(index))
        let isLong = ticks.isLong(at: value)
        drawTick(
          at: point(scale.position(of: value)) + outwards * distance, outwards,
          length: length * (isLong ? 1 : 0.6), half: max(breadth * (isLong ? 0.012 : 0.007), 0.5),
          ink, into: &list)
      }
    }
    guard let every = ticks.labelEvery, let labelled = ScaleTicks.multiples(of: every, on: scale)
    else { return }
    let room = breadth - breadth * 0.52 - length
    let spacing = path.length * every / max(scale.maximum - scale.minimum, every)
    let width = (isVertical ? room : spacing) * 0.95
    // All labels have the size of the longest one, of about 0.6 em per character.
    let widths = 0.6 * Double(min(slider.longestTickLabel, 8)) + 0.2
    let em = Theme.step(
      min(context.theme.fontSize, isVertical ? breadth * 0.2 : room * 0.9, width / widths), .down)
    let box = Size(max(width, em), em * 1.4)
    for (label, index) in zip(slider.tickLabels, labelled) {
      let place = point(scale.position(of: Scale.value(0, every, Double(index))))
      let offset = distance + length + (isVertical ? breadth * 0.03 : em * 0.62)
      let isRight = isVertical && outwards.x > 0
      list.add(
        TextRun(
          label, font: context.font, size: em, at: place + outwards * offset,
          alignment: isVertical ? (isRight ? .left : .right) : .center, box: box,
          minimumSize: em * 0.5, tabularFigures: true),
        appearance.ink.faded(to: 0.85))
    }
  }

  // MARK: The text

  private func drawText(into list: inout DisplayList, in context: DrawingContext) {
    guard !text.isEmpty, textRoom > 0 else { return }
    // Above an upright bar and its ticks, otherwise on the line of the track.
    let room = isVertical ? breadth : trackRoom
    let em = fontSize ?? Theme.step(min(breadth * 0.5, room * 0.75, textRoom * 0.6))
    let place =
      center + direction * (length / 2 - textRoom / 2) - outwards * ((breadth - room) / 2)
    let box = isVertical ? Size(size.width, textRoom) : Size(textRoom * 0.94, room)
    list.add(
      TextRun(
        text, font: context.font, size: em, at: place, box: box, lines: isVertical ? 2 : 1,
        minimumSize: em * 0.3, tabularFigures: true),
      context.ink(textColor, on: context.background).faded(to: context.presence))
  }
}
