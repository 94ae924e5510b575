// SPDX-License-Identifier: MIT

public import Drawing
internal import Geometry
internal import Glibc
internal import Motion

extension Pinwheel {
  /// Draws the wedges, then their images, then their labels.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    list.addInOnePass { list in
      for index in wedges.indices {
        if let color = shownColor(index, in: context) { list.add(.sector(sector(index)), color) }
      }
    }
    if wedges.contains(where: { $0.image != nil || $0.pressImage != nil }) {
      drawArt(into: &list, in: context)
    }
    for index in wedges.indices where !wedges[index].label.isEmpty {
      // The text keeps its colour while held, and contrasts with the fill while lit.
      let isLit = isLit(index, at: context.now)
      let fill = isLit ? shownColor(index, in: context) : color(index, in: context)
      drawLabel(index, textColor(on: fill, wedges[index], context), into: &list, context)
    }
  }

  private func drawArt(into list: inout DisplayList, in context: DrawingContext) {
    let frame = Rect(center: center, size: Size(2 * radius, 2 * radius))
    list.addInOnePass { list in
      for (index, wedge) in wedges.enumerated() {
        let isAnswering = isHeld(index) || isLit(index, at: context.now)
        if let image = isAnswering ? wedge.pressImage ?? wedge.image : wedge.image {
          list.add(.sector(sector(index)), .image(image, frame: frame))
        }
      }
    }
    for (index, wedge) in wedges.enumerated() {
      if wedge.image != nil, wedge.pressImage == nil {
        let light = light(index, at: context.now)
        if let color = light.press { list.add(.sector(sector(index)), color) }
        if let color = light.highlight { list.add(.sector(sector(index)), color) }
      }
      func prepare(_ image: String?) {
        guard let image else { return }
        list.coming.append(Tile(.sector(sector(index)), .image(image, frame: frame)))
      }
      prepare(wedge.image)
      prepare(wedge.pressImage)
    }
  }

  /// What lies over a wedge now.
  private func light(_ index: Int, at now: Instant) -> (press: Color?, highlight: Color?) {
    (isHeld(index) ? press : nil, isLit(index, at: now) ? highlight : nil)
  }

  /// The wedge's colour now; nil where it has only an image.
  private func shownColor(_ index: Int, in context: DrawingContext) -> Color? {
    guard var shown = color(index, in: context) else { return nil }
    let light = light(index, at: context.now)
    if let color = light.press { shown = color.over(shown) }
    if let color = light.highlight { shown = color.over(shown) }
    return shown
  }

  /// The wedge's colour at rest; nil where it has only an image.
  private func color(_ index: Int, in context: DrawingContext) -> Color? {
    guard let color = colors[index] else { return nil }
    return wedges[index].isEnabled && context.isEnabled
      ? color : color.disabled(on: context.background)
  }

  private func textColor(on fill: Color?, _ wedge: Wedge, _ context: DrawingContext) -> Color {
    let readable = (fill ?? context.background).readableText(isLarge: fontSize >= 24)
    // On a disabled wedge the text is visible, but not prominent.
    guard wedge.isEnabled && context.isEnabled else { return readable.faded(to: 0.4) }
    return textColor ?? readable
  }

  /// The label along the middle of its wedge. It reads outwards on the right half and inwards on the
  /// left half, so that it is never upside down.
  private func drawLabel(
    _ index: Int, _ color: Color, into list: inout DisplayList, _ context: DrawingContext
  ) {
    let sector = sector(index)
    let direction = sector.middle.unit
    let reading = direction.x >= -1e-9 ? sector.middle - .degrees(90) : sector.middle + .degrees(90)
    let margin = fontSize * 0.6
    let lineHeight = fontSize * 1.25
    // At the distance r from the hub the wedge is 2·r·tan(sweep/2) wide, less the gap. The text begins
    // where one line fits, with as many lines as fit there.
    let slope = sector.sweep.radians < .pi * 0.9 ? 2 * tan(sector.sweep.radians / 2) : 12
    let begin = min(
      max(hole + margin, (lineHeight + 2 * sector.inset) / slope), hole + (radius - hole) * 0.6)
    let end = radius - margin
    // The outer corners stay inside the rim.
    let rim = 2 * max(radius * radius - end * end, 0).squareRoot()
    let height = max(min(begin * slope - 2 * sector.inset, rim), 1)
    list.add(
      .text(
        TextRun(
          wedges[index].label, font: context.font, size: fontSize,
          at: center + direction * ((begin + end) / 2), angle: reading,
          box: Size(max(end - begin, 1), height), lines: height >= 2 * lineHeight ? 2 : 1,
          minimumSize: fontSize * 0.5)),
      color)
  }
}
