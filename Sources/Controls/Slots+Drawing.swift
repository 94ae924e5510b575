// SPDX-License-Identifier: MIT

public import Drawing
internal import Geometry
internal import Motion

extension Slots {
  /// The greatest number of rows that are blurred together. Beyond it the eye sees no difference.
  private static let greatestBlur = 12.0

  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    let gap = frame.width * 0.015
    let width = (frame.width - gap * Double(reels.count - 1)) / Double(reels.count)
    let rowHeight = frame.height / Double(rows)
    let windows = reels.indices.map { reel in
      let left = frame.x0 + Double(reel) * (width + gap)
      return Rect(x0: left, y0: frame.y0, x1: left + width, y1: frame.y1)
    }
    let corner = min(rowHeight * 0.15, width * 0.1)
    list.add(
      DisplayItem(
        reels.indices.map { reel in
          Tile(
            .roundedRect(RoundedRect(windows[reel], radius: corner)),
            .strip(strip(reel, in: windows[reel], rowHeight, context)))
        }))

    // What is not in the middle steps back, so that the row which counts stands out. A finger that
    // would start a spin takes half of that away.
    let veil = context.background.faded(to: isHeld ? 0.3 : 0.6)
    let middle = Rect(center: frame.center, size: Size(frame.width, rowHeight))
    for side in [
      Rect(x0: frame.x0, y0: frame.y0, x1: frame.x1, y1: middle.y0),
      Rect(x0: frame.x0, y0: middle.y1, x1: frame.x1, y1: frame.y1),
    ] where !side.isEmpty {
      list.add(
        DisplayItem(
          windows.map { Tile(.roundedRect(RoundedRect($0, radius: corner)), veil) }, clip: side))
    }
  }

  /// The rows of a reel that are to be seen, or were within the exposure of one frame.
  private func strip(
    _ reel: Int, in window: Rect, _ rowHeight: Double, _ context: DrawingContext
  ) -> Strip {
    let position = position(reel, at: context.now)
    var blur = 0.0
    if let sharp = sharpStart(), context.now < sharp {
      blur = min(abs(velocity(reel, at: context.now)) * Self.exposure, Self.greatestBlur)
    }
    // Row i is in the middle of the window at the position i.
    let reach = Double(rows) / 2 + blur / 2
    let first = (position + 0.5 - reach).rounded(.down)
    let last = (position + 0.5 + reach).rounded(.up)
    return Strip(
      frame: window, rowHeight: rowHeight,
      rows: (Int(first)..<Int(last)).map {
        row(item($0, of: reel), of: reel, window, rowHeight, context)
      },
      offset: window.height / 2 + (first - position - 0.5) * rowHeight, blur: blur * rowHeight)
  }

  private func row(
    _ item: Int, of reel: Int, _ window: Rect, _ height: Double, _ context: DrawingContext
  ) -> Strip.Row {
    let hue = Color.palette(reel, of: reels.count)
    var paper = OKLCH(hue)
    paper.lightness = 0.95
    paper.chroma = context.isEnabled ? 0.02 : 0
    let background = paper.color
    let ink = Color(hex: 0x10151c).faded(to: context.isEnabled ? 1 : 0.4)
    let text = TextRun(
      reels[reel].items[item], font: FontName(context.font), size: height * 0.36,
      at: Point(window.width / 2, height / 2), box: Size(window.width * 0.88, height * 0.86),
      lines: 2, minimumSize: height * 0.16)
    return Strip.Row(background: background, items: [DisplayItem(.text(text), ink)])
  }
}
