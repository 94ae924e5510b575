// SPDX-License-Identifier: MIT

public import Drawing
internal import Geometry

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
    // However much it shrinks.
    let isLarge = fontSize(in: context) * Self.minimumLabel >= 24
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

  private func drawLabel(
    _ index: Int, _ color: Color, into list: inout DisplayList, _ context: DrawingContext
  ) {
    let fontSize = fontSize(in: context)
    let place = labelPlaces[index]
    list.add(
      .text(
        TextRun(
          wedges[index].label, font: context.font, size: fontSize, at: place.anchor,
          angle: place.angle, room: place.room, peers: labelPeers, lines: 3,
          minimumSize: fontSize * Self.minimumLabel)),
      color)
  }

  /// The part of its size to which a label shrinks before it is cut.
  private static var minimumLabel: Double { 0.5 }
}
