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
      drawLabel(index, textColor(index, in: context), into: &list, context)
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
        let light = light(index, in: context)
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
  private func light(
    _ index: Int, in context: DrawingContext
  ) -> (press: Color?, highlight: Color?) {
    let (isHeld, isLit) = (isHeld(index), isLit(index, at: context.now))
    guard isHeld || isLit else { return (nil, nil) }
    // White on images, whose colours are not known.
    let behind = color(index, in: context)?.over(context.background) ?? .black
    return (
      isHeld ? press.veil(over: behind, opacity: Answer.held, in: context.theme) : nil,
      isLit ? highlight.veil(over: behind, opacity: Answer.lit, in: context.theme) : nil
    )
  }

  /// The wedge's colour now; nil where it has only an image.
  private func shownColor(_ index: Int, in context: DrawingContext) -> Color? {
    guard var shown = color(index, in: context) else { return nil }
    let light = light(index, in: context)
    if let color = light.press { shown = color.over(shown) }
    if let color = light.highlight { shown = color.over(shown) }
    return shown
  }

  /// The wedge's colour at rest; nil where it has only an image.
  private func color(_ index: Int, in context: DrawingContext) -> Color? {
    let wedge = wedges[index]
    guard let color = wedge.color?.color(in: context.theme) ?? colors[index] else { return nil }
    return wedge.isEnabled && context.isEnabled ? color : color.disabled(on: context.background)
  }

  /// The colour of a label. It stays the same while the wedge is held, if it can be read, and contrasts
  /// with the wedge while that is lit.
  private func textColor(_ index: Int, in context: DrawingContext) -> Color {
    let wedge = wedges[index]
    let (base, shown) = (color(index, in: context), shownColor(index, in: context))
    let isLit = isLit(index, at: context.now)
    let isLarge = fontSize(in: context) >= 24
    let fill = (isLit ? shown : base) ?? context.background
    let standing = context.text(on: fill, isLarge: isLarge)
    let readable = shown.map { standing.kept(on: $0, contrast: Color.heldContrast) } ?? standing
    // On a disabled wedge the text is visible, but not prominent.
    guard wedge.isEnabled && context.isEnabled else { return readable.faded(to: 0.4) }
    return textColor?.color(in: context.theme) ?? readable
  }

  private func fontSize(in context: DrawingContext) -> Double {
    fontSize ?? context.theme.fontSize
  }

  /// The label along the middle of its wedge. It reads outwards on the right half and inwards on the
  /// left half, so that it is never upside down.
  private func drawLabel(
    _ index: Int, _ color: Color, into list: inout DisplayList, _ context: DrawingContext
  ) {
    let sector = sector(index)
    let fontSize = fontSize(in: context)
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
