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
      var light: [Color] = []
      if held.contains(index), let press { light.append(press) }
      if lit.contains(index), let highlight { light.append(highlight) }

      let base = color(index, in: context)
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
          // The text keeps its colour while held, and contrasts with the fill while lit.
          label(
            wedge.label, on: sector,
            color: textColor(on: lit.contains(index) ? shown : base, wedge, context), context))
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
    guard let color = wedge.color ?? (wedge.image == nil ? .palette(index, of: wedges.count) : nil)
    else { return nil }
    return wedge.isEnabled && context.isEnabled ? color : color.disabled(on: context.background)
  }

  private func textColor(on fill: Color?, _ wedge: Wedge, _ context: DrawingContext) -> Color {
    let readable = (fill ?? context.background).readableText(isLarge: fontSize >= 24)
    // On a disabled wedge the text is visible, but not prominent.
    guard wedge.isEnabled && context.isEnabled else { return readable.faded(to: 0.4) }
    return textColor ?? readable
  }

  /// The label along the middle of its wedge. It reads outwards on the right half and inwards on the
  /// left half, so that it is never upside down.
  private func label(
    _ text: String, on sector: Sector, color: Color, _ context: DrawingContext
  ) -> DisplayItem {
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
          text, font: context.font, size: fontSize,
          at: center + direction * ((begin + end) / 2), angle: reading,
          box: Size(max(end - begin, 1), height), lines: height >= 2 * lineHeight ? 2 : 1,
          minimumSize: fontSize * 0.5)),
      color)
  }
}
