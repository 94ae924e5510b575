// SPDX-License-Identifier: MIT

public import Drawing
internal import Geometry
internal import Glibc

extension Pinwheel {
  /// Draws the wedges, then their images, then their labels.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    let held = heldWedges
    let lit = litWedges(at: context.now)
    var plain: [Tile] = []
    var art: [Tile] = []
    var overlays: [Tile] = []
    var labels: [DisplayItem] = []
    let frame = Rect(center: center, size: Size(2 * radius, 2 * radius))

    for (index, wedge) in wedges.enumerated() {
      let sector = sector(index)
      let isAnswering = held.contains(index) || lit.contains(index)
      let base = color(index, in: context)
      // White on images, whose colours are not known.
      let behind = base?.over(context.background) ?? .black
      var light: [Color] = []
      if held.contains(index),
        let press = press.veil(over: behind, opacity: Answer.held, in: context.theme)
      {
        light.append(press)
      }
      if lit.contains(index),
        let lit = highlight.veil(over: behind, opacity: Answer.lit, in: context.theme)
      {
        light.append(lit)
      }
      let shown = base.map { light.reduce($0) { $1.over($0) } }
      if let shown { plain.append(Tile(.sector(sector), shown)) }
      if let image = isAnswering ? wedge.pressImage ?? wedge.image : wedge.image {
        art.append(Tile(.sector(sector), .image(image, frame: frame)))
        if wedge.pressImage == nil {
          overlays += light.map { Tile(.sector(sector), $0) }
        }
      }
      for image in [wedge.image, wedge.pressImage].compactMap(\.self) {
        list.coming.append(Tile(.sector(sector), .image(image, frame: frame)))
      }
      if !wedge.label.isEmpty {
        labels.append(
          label(
            wedge.label, on: sector,
            color: textColor(on: base, shown, isLit: lit.contains(index), wedge, context), context))
      }
    }
    list.add(DisplayItem(plain))
    if !art.isEmpty {
      list.add(DisplayItem(art))
      for overlay in overlays { list.add(DisplayItem([overlay])) }
    }
    list.items += labels
  }

  /// The wedge's colour at rest; nil where it has only an image.
  private func color(_ index: Int, in context: DrawingContext) -> Color? {
    let wedge = wedges[index]
    guard
      let color = wedge.color?.color(in: context.theme)
        ?? (wedge.image == nil ? .palette(index, of: wedges.count) : nil)
    else { return nil }
    return wedge.isEnabled && context.isEnabled ? color : color.disabled(on: context.background)
  }

  /// The colour of a label. It stays the same while the wedge is held, if it can be read, and contrasts
  /// with the wedge while that is lit.
  private func textColor(
    on base: Color?, _ shown: Color?, isLit: Bool, _ wedge: Wedge, _ context: DrawingContext
  ) -> Color {
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
  private func label(
    _ text: String, on sector: Sector, color: Color, _ context: DrawingContext
  ) -> DisplayItem {
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
    return DisplayItem(
      .text(
        TextRun(
          text, font: FontName(context.font, bold: false), size: fontSize,
          at: center + direction * ((begin + end) / 2), angle: reading,
          box: Size(max(end - begin, 1), height), lines: height >= 2 * lineHeight ? 2 : 1,
          minimumSize: fontSize * 0.5)),
      color)
  }
}
