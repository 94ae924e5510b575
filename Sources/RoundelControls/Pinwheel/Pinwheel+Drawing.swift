// SPDX-License-Identifier: MIT

public import RoundelDrawing
internal import RoundelGeometry
internal import RoundelMotion

extension Pinwheel {
  /// Draws the wedges, then their images, then their labels.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    list.addInOnePass { list in
      for index in wedges.indices {
        if let color = shownColor(index, in: context) { list.add(.sector(sector(index)), color) }
      }
    }
    if wedges.contains(where: { $0.image != nil || $0.pressImage != nil || $0.photo != nil }) {
      drawArt(into: &list, in: context)
    }
    for index in wedges.indices where shownColor(index, in: context) != nil {
      list.addLight(on: sector(index), presence: context.presence)
    }
    drawHighlights(into: &list, at: context.now)
    for (index, wedge) in wedges.enumerated() where wedge.isSelected {
      FocusOutline.sector(sector(index)).drawSelection(
        on: shownBackground(index, in: context), into: &list, in: context)
    }
    drawLabels(into: &list, in: context)
  }

  private func drawArt(into list: inout DisplayList, in context: DrawingContext) {
    list.addInOnePass { list in
      for index in wedges.indices {
        if let art = art(of: index, hasFeedback: hasFeedback(index, at: context.now)) {
          list.add(.sector(sector(index)), .image(art.image, frame: art.frame, fit: art.fit))
        }
      }
    }
    for (index, wedge) in wedges.enumerated() {
      if wedge.photo != nil, !(wedge.isEnabled && context.isEnabled) {
        list.add(.sector(sector(index)), context.background.faded(to: 0.6))
      }
      if wedge.image != nil || wedge.photo != nil, wedge.pressImage == nil {
        if isHeld(index) { draw(press, Self.heldArt, over: index, into: &list, in: context) }
        let brightness = brightness(index, at: context.now)
        if brightness > 0 {
          draw(highlight, Self.litArt, brightness, over: index, into: &list, in: context)
        }
      }
      func prepare(_ image: String?) {
        guard let image else { return }
        list.coming.append(Tile(.sector(sector(index)), .image(image, frame: frame)))
      }
      prepare(wedge.image)
      prepare(wedge.pressImage)
    }
  }

  /// Draws highlight images. An unrotated image fits a wedge at the top.
  private func drawHighlights(into list: inout DisplayList, at now: Instant) {
    guard case .image(let image) = highlight else { return }
    for index in wedges.indices {
      let wedge = sector(index)
      let tile = Tile(.sector(wedge), .image(image, frame: frame, turn: wedge.middle.normalized))
      if isLit(index, at: now), wedges[index].pressImage == nil {
        list.add(tile.shape, tile.fill)
      } else {
        list.coming.append(tile)
      }
    }
  }

  private func hasFeedback(_ index: Int, at now: Instant) -> Bool {
    isHeld(index) || isLit(index, at: now)
  }

  func art(of index: Int, hasFeedback: Bool) -> (image: String, frame: Rect, fit: ImageFit)? {
    let wedge = wedges[index]
    if let image = hasFeedback ? wedge.pressImage ?? wedge.image : wedge.image {
      return (image, frame, .fill)
    }
    return wedge.photo.map { ($0, sector(index).bounds, wedge.fit) }
  }

  /// The automatic one doesn't know the image's colours: it is white at the rim and dark near the
  /// hub, so that one of them is visible on any image.
  ///
  /// - Parameters:
  ///   - opacity: The maximum opacity of light and shade.
  ///   - presence: A factor for the opacity.
  private func draw(
    _ feedback: Feedback, _ opacity: Double, _ presence: Double = 1, over index: Int,
    into list: inout DisplayList, in context: DrawingContext
  ) {
    guard feedback == .automatic else {
      let veil = feedback.veil(over: .black, opacity: opacity, in: context.theme)
      if let veil { list.add(.sector(sector(index)), veil.faded(to: presence)) }
      return
    }
    let middle = (hole + radius) / 2
    func lay(_ color: Color, from inner: Double, to outer: Double, fading end: Double) {
      var part = sector(index)
      (part.innerRadius, part.outerRadius) = (inner, outer)
      list.add(
        .sector(part),
        .gradient(
          Gradient(
            .radial(center: center, from: middle, to: end), from: color.faded(to: 0),
            to: color.faded(to: presence * opacity))))
    }
    lay(.dark, from: hole, to: middle, fading: hole)
    lay(.white, from: middle, to: radius, fading: radius)
  }

  /// The opacity over images. The average effect is the same as over a colour.
  private static let heldArt = 2 * Feedback.held
  private static let litArt = 1.6 * Feedback.lit

  private func light(
    _ index: Int, in context: DrawingContext
  ) -> (press: Color?, highlight: Color?) {
    let (isHeld, brightness) = (isHeld(index), brightness(index, at: context.now))
    guard isHeld || brightness > 0 else { return (nil, nil) }
    let behind = color(index, in: context)?.over(context.background) ?? context.background
    return (
      isHeld ? press.veil(over: behind, opacity: Feedback.held, in: context.theme) : nil,
      brightness > 0
        ? highlight.veil(over: behind, opacity: Feedback.lit, in: context.theme)?
          .faded(to: brightness) : nil
    )
  }

  /// The current colour; see `color(_:in:)`.
  private func shownColor(_ index: Int, in context: DrawingContext) -> Color? {
    guard var shown = color(index, in: context) else { return nil }
    let light = light(index, in: context)
    if let color = light.press { shown = color.over(shown) }
    if let color = light.highlight { shown = color.over(shown) }
    return shown
  }

  /// The colour at rest, or nil if the wedge has only an image.
  private func color(_ index: Int, in context: DrawingContext) -> Color? {
    let wedge = wedges[index]
    let color = wedge.color?.color(in: context.theme) ?? colors[index]
    return color.map { context.shown($0, isUsable: wedge.isEnabled) }
  }

  /// The wedge's colour, or its image's mean near the label.
  private func background(
    _ index: Int, _ color: Color?, hasFeedback: Bool, in context: DrawingContext
  ) -> Color {
    let plain = color?.over(context.background) ?? context.background
    guard let art = art(of: index, hasFeedback: hasFeedback) else { return plain }
    if hasScrim(index) { return Self.scrim }
    let wedge = sector(index)
    let (depth, sweep) = (wedge.outerRadius - wedge.innerRadius, wedge.end - wedge.start)
    return context.color(of: art.image, in: art.frame, over: plain, at: 15) { layout in
      let distance = wedge.innerRadius + depth * (0.3 + 0.2 * Double(layout % 3))
      return center + (wedge.start + sweep * (0.3 + 0.1 * Double(layout / 3))).unit * distance
    }
  }

  private func ringInk(in context: DrawingContext) -> RingInk {
    var ink = RingInk(context)
    for index in wedges.indices where wedges[index].isEnabled || !context.isEnabled {
      ink.add(background(index, color(index, in: context), hasFeedback: false, in: context))
    }
    return ink
  }

  /// The ink stays the same while the wedge is held, if readable, and contrasts with the wedge
  /// while it is lit.
  private func ink(_ index: Int, _ ring: RingInk, in context: DrawingContext) -> Color {
    let wedge = wedges[index]
    let rest = background(index, color(index, in: context), hasFeedback: false, in: context)
    let shown = shownBackground(index, in: context)
    let standing = isLit(index, at: context.now) ? context.ink(on: shown) : ring.ink(on: rest)
    let readable = standing.kept(on: shown, contrast: Color.heldContrast)
    guard wedge.isEnabled && context.isEnabled else { return readable.faded(to: 0.4) }
    return textColor?.color(in: context.theme) ?? readable
  }

  private func shownBackground(_ index: Int, in context: DrawingContext) -> Color {
    background(
      index, shownColor(index, in: context),
      hasFeedback: hasFeedback(index, at: context.now), in: context)
  }

  private func drawLabels(into list: inout DisplayList, in context: DrawingContext) {
    let fontSize = em
    // A line that doesn't fit at half its size shrinks further instead of leaving its wedge.
    let minimumSize = min(
      min(fontSize, context.theme.fontSize) * Self.minimumLabel, labelDepth / 1.3)
    let ring = ringInk(in: context)
    let signFont = context.signFont(iconFont)
    for (index, wedge) in wedges.enumerated()
    where wedge.icon != nil || !wedge.label.isEmpty || !wedge.detail.isEmpty {
      let ink = ink(index, ring, in: context)
      let layout = labelLayouts[index]
      if hasScrim(index) { drawScrim(index, fontSize, into: &list) }
      let label = TextRun(
        wedge.label, font: context.font(ofItem: wedge.id), size: fontSize, at: layout.anchor,
        angle: layout.angle,
        bounds: layout.bounds, peers: labelPeers, lines: 3, minimumSize: minimumSize)
      if let icon = wedge.icon {
        // Symbols are faded with their ink.
        let isUsable = wedge.isEnabled && context.isEnabled
        var appearance = IconAppearance(
          center: layout.icon, ink: ink, background: shownBackground(index, in: context))
        if case .image = icon, !isUsable { appearance.presence = 0.4 }
        list.add(icon, icons, font: signFont, appearance)
      }
      if !wedge.label.isEmpty { list.add(label, ink) }
      if let detail = layout.detail {
        let size = Theme.step(fontSize * Self.detailShare)
        list.add(
          TextRun(
            wedge.detail, font: context.font(ofItem: wedge.id), size: size, at: detail.anchor,
            angle: layout.angle,
            bounds: detail.bounds, peers: detailPeers,
            minimumSize: min(size * Self.minimumLabel, minimumSize)), ink)
      }
    }
  }

  private func hasScrim(_ index: Int) -> Bool {
    let wedge = wedges[index]
    return wedge.photo != nil && wedge.image == nil
      && !(wedge.label.isEmpty && wedge.detail.isEmpty)
  }

  private static let scrim = Color(hex: 0x262626)
  private static let scrimOpacity = 0.66

  /// A band with soft edges, or the whole wedge if the label isn't level.
  private func drawScrim(_ index: Int, _ fontSize: Double, into list: inout DisplayList) {
    let (wedge, layout) = (sector(index), labelLayouts[index])
    guard labelStyle == .upright else {
      list.add(.sector(wedge), Color.black.faded(to: 0.6))
      return
    }
    let height = fontSize * (layout.detail == nil ? 2.6 : 2.3)
    var middle = layout.anchor.y
    if let detail = layout.detail { middle = (middle + detail.anchor.y) / 2 }
    // Clips are rounded to whole pixels, so there isn't a seam between the bands.
    let (box, veil) = (wedge.bounds, Color.black.faded(to: Self.scrimOpacity))
    func darken(_ y0: Double, _ y1: Double, _ fill: Fill) {
      let band = Rect(x0: box.x0, y0: y0, x1: box.x1, y1: y1).intersection(box)
      if !band.isEmpty { list.add(.sector(wedge), fill, clip: band) }
    }
    let (whole, fade) = (height / 2 - fontSize * 0.2, fontSize * 1.5)
    darken(middle - whole, middle + whole, .color(veil))
    for side in [-1.0, 1] {
      let (near, far) = (middle + side * whole, middle + side * (whole + fade))
      darken(
        min(near, far), max(near, far),
        .gradient(
          Gradient(.vertical(from: near, to: far), .soft, from: veil, to: veil.faded(to: 0))))
    }
  }

  static var minimumLabel: Double { 0.5 }
}
