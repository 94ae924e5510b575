// SPDX-License-Identifier: MIT

public import Drawing
internal import Geometry
internal import Motion

extension Slots {
  /// The maximum number of rows blurred together. More make no visible difference.
  private static let maximumBlur = 12.0

  /// Draws the reels as blurred strips, shaded towards the upper and lower edge.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    let gap = frame.width * 0.015
    let width = (frame.width - gap * Double(reels.count - 1)) / Double(reels.count)
    let rowHeight = frame.height / Double(rows)
    let windows = reels.indices.map { reel in
      let left = frame.x0 + Double(reel) * (width + gap)
      return Rect(x0: left, y0: frame.y0, x1: left + width, y1: frame.y1)
    }
    let corner = min(rowHeight * 0.15, width * 0.1)
    // A plain background, so that the shade is visible on the reels only.
    list.add(
      .roundedRect(RoundedRect(frame.inset(by: -corner), radius: corner * 2)), context.background)
    list.add(
      DisplayItem(
        reels.indices.map { reel in
          Tile(
            .roundedRect(RoundedRect(windows[reel], radius: corner)),
            .strip(strip(reel, in: windows[reel], rowHeight, context)))
        }))

    let side = (frame.height - rowHeight) / 2
    guard side > 0 else { return }
    list.add(DisplayItem(shade(side, in: context)))
    // Two lines mark the row that counts.
    let thickness = max(1.5, rowHeight * 0.015)
    list.add(
      DisplayItem(
        [frame.y0 + side, frame.y1 - side].flatMap { y in
          windows.enumerated().map { reel, window in
            let line = Rect(
              x0: window.x0, y0: y - thickness / 2, x1: window.x1, y1: y + thickness / 2)
            let color = accent(reel)
            return Tile(
              .rect(line), context.isEnabled ? color : color.disabled(on: context.background))
          }
        }))
  }

  /// The number of steps of the shade towards the upper and lower edge.
  private static let steps = 12

  /// Darkens the rows above and below the middle, as on a drum; half as much while a finger is down
  /// that would start a spin.
  private func shade(_ side: Double, in context: DrawingContext) -> [Tile] {
    let height = side / Double(Self.steps)
    return (0..<Self.steps).flatMap { step in
      let share = (Double(step) + 0.5) / Double(Self.steps)
      let veil = context.background.faded(
        to: (isHeld ? 0.45 : 0.9) * (0.35 + 0.65 * share * share))
      return [
        frame.y0 + side - height * Double(step + 1), frame.y1 - side + height * Double(step),
      ].map { top in
        Tile(.rect(Rect(x0: frame.x0, y0: top, x1: frame.x1, y1: top + height)), veil)
      }
    }
  }

  private func accent(_ reel: Int) -> Color { .palette(reel, of: reels.count) }

  /// The rows of a reel that are visible during the exposure of one frame.
  private func strip(
    _ reel: Int, in window: Rect, _ rowHeight: Double, _ context: DrawingContext
  ) -> Strip {
    let position = position(reel, at: context.now)
    var blur = 0.0
    if let sharp = sharpStart(), context.now < sharp {
      blur = min(abs(velocity(reel, at: context.now)) * Self.exposure, Self.maximumBlur)
    }
    // At the position i, row i is in the middle of the window.
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
    // It stands out from the background a little, with a hint of the reel's colour.
    let behind = OKLCH(context.background).lightness
    var tone = OKLCH(accent(reel))
    tone.lightness = behind < 0.5 ? behind + 0.13 : min(behind - 0.03, 0.94)
    tone.chroma = context.isEnabled ? 0.025 : 0
    let background = tone.color
    let size = height * 0.36
    let ink = background.readableText(isLarge: size >= 24).faded(to: context.isEnabled ? 1 : 0.4)
    let text = TextRun(
      reels[reel].items[item], font: FontName(context.font), size: size,
      at: Point(window.width / 2, height / 2), box: Size(window.width * 0.88, height * 0.86),
      lines: 2, minimumSize: height * 0.16)
    return Strip.Row(background: background, items: [DisplayItem(.text(text), ink)])
  }
}
