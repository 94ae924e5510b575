// SPDX-License-Identifier: MIT

public import RoundelDrawing
internal import RoundelGeometry
internal import RoundelMotion

extension Slots {
  /// The blur in rows. More makes no visible difference.
  private static let maximumBlur = 12.0

  /// Draws the reels as blurred strips, shaded towards the top and bottom edges.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    let gap = frame.width * 0.015
    let rowHeight = frame.height / Double(rows)
    func window(_ reel: Int) -> Rect { self.window(reel, gap: gap) }
    let corner = min(rowHeight * 0.15, window(0).width * 0.1)
    // A plain background, so that the shade is visible only on the reels.
    list.add(
      .roundedRect(RoundedRect(frame.inset(by: -corner), radius: corner * 2)), context.background)
    list.addInOnePass { list in
      for reel in reels.indices {
        let shape = Shape.roundedRect(RoundedRect(window(reel), radius: corner))
        draw(reel, in: window(reel), shape, rowHeight, into: &list, context)
      }
    }

    let side = (frame.height - rowHeight) / 2
    if isHeld {
      let row = Rect(center: frame.center, size: Size(frame.width, rowHeight))
      for reel in reels.indices {
        list.add(
          .roundedRect(RoundedRect(window(reel), radius: corner)),
          background(reel, in: context).veil(Feedback.held), clip: row)
      }
    }
    defer { drawNotices(into: &list, in: context) }
    guard side > 0 else { return }
    drawShade(side, into: &list, in: context)
    let thickness = max(1.5, rowHeight * 0.015)
    list.addInOnePass { list in
      func drawLine(_ y: Double) {
        for reel in reels.indices {
          let window = window(reel)
          list.add(
            .rect(Rect(x0: window.x0, y0: y - thickness / 2, x1: window.x1, y1: y + thickness / 2)),
            context.shown(accent(reel)))
        }
      }
      drawLine(frame.y0 + side)
      drawLine(frame.y1 - side)
    }
  }

  private func drawNotices(into list: inout DisplayList, in context: DrawingContext) {
    guard !emptyText.isEmpty else { return }
    for reel in reels.indices where reels[reel].items.isEmpty {
      let ink = background(reel, in: context).readableText.faded(to: context.presence)
      list.add(context.notice(emptyText, in: window(reel), size: fontSize), ink)
    }
  }

  private func drawShade(
    _ side: Double, into list: inout DisplayList, in context: DrawingContext
  ) {
    for (middle, edge) in [
      (frame.y0 + side, frame.y0), (frame.y1 - side, frame.y1),
    ] {
      list.add(
        .rect(Rect(x0: frame.x0, y0: min(middle, edge), x1: frame.x1, y1: max(middle, edge))),
        .gradient(
          Gradient(
            .vertical(from: middle, to: edge), .late,
            from: context.background.faded(to: 0.9 * 0.35), to: context.background.faded(to: 0.9))))
    }
  }

  private func accent(_ reel: Int) -> Color { .palette(reel, of: reels.count) }

  /// The default differs slightly from the background, with a tint of the reel's colour.
  private func background(_ reel: Int, in context: DrawingContext) -> Color {
    if let color { return context.shown(color.color(in: context.theme).over(context.background)) }
    let behind = OKLCH(context.background).lightness
    var tone = OKLCH(accent(reel))
    tone.lightness = behind < 0.5 ? behind + 0.13 : min(behind - 0.03, 0.94)
    tone.chroma = context.isEnabled ? 0.025 : 0
    return tone.color
  }

  /// Draws the rows during the exposure of one frame.
  private func draw(
    _ reel: Int, in window: Rect, _ shape: Shape, _ rowHeight: Double,
    into list: inout DisplayList, _ context: DrawingContext
  ) {
    let position = position(reel, at: context.now)
    var blur = 0.0
    if let sharp = sharpStart(reel), context.now < sharp {
      blur = min(abs(velocity(reel, at: context.now)) * Self.exposure, Self.maximumBlur)
    }
    // At position i, row i is in the middle of the window.
    let reach = Double(rows) / 2 + blur / 2
    let first = (position + 0.5 - reach).rounded(.down)
    let last = (position + 0.5 + reach).rounded(.up)
    let background = background(reel, in: context)
    let size = fontSize ?? Theme.step(rowHeight * 0.36)
    let isMoving = isMoving(at: context.now)
    let ink = background.readableText.faded(to: context.presence)
    list.add(
      shape,
      Strip(
        frame: window, rowHeight: rowHeight,
        offset: window.height / 2 + (first - position - 0.5) * rowHeight, blur: blur * rowHeight)
    ) { rows in
      for row in Int(first)..<Int(last) {
        let item = reels[reel].shownItems[item(row, of: reel)]
        if let image = item.image {
          let row = Rect(size: Size(window.width, rowHeight))
          rows.append(
            Strip.Row(
              background: background, .rowImage(image, item.fit, in: row, isMoving: isMoving)))
          continue
        }
        let text = TextRun(
          item.label, font: context.font, size: size, at: Point(window.width / 2, rowHeight / 2),
          box: Size(window.width * 0.88, rowHeight * 0.86), peers: labelPeers, lines: 2,
          minimumSize: min(rowHeight * 0.16, size, context.readableFontSize))
        rows.append(Strip.Row(background: background, Tile(.text(text), ink)))
      }
    }
  }
}
