// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry
internal import RoundelText

/// Caches the coverage of visible shapes, and of earlier ones up to a budget.
struct CoverageCache {
  private struct Remembered<Content> {
    var content: Content
    var lastUse: Int
    var cost: Int
  }

  let viewport: Viewport
  let canvas: PixelRect
  private let fonts: FontLibrary
  let images: ImageStore
  private var coverages: [Shape: Remembered<Coverage>] = [:]
  private var masks: [TextRun: Remembered<UprightMask>] = [:]
  private var strips: StripCache
  private var builder = CoverageBuilder()
  private var polygon = Polygon()
  /// The hashes of recently traced shapes that weren't cached.
  private var traced = Array(repeating: 0, count: 64)
  private var nextTraced = 0
  private var cost = 0
  private var frame = 0

  /// In bytes: the wedges and labels of some pages.
  private static let budget = 3 << 20

  init(
    viewport: Viewport, canvas: PixelRect, fonts: FontLibrary, images: ImageStore
  ) {
    self.viewport = viewport
    self.canvas = canvas
    self.fonts = fonts
    self.images = images
    strips = StripCache(viewport: viewport, fonts: fonts, images: images)
  }

  /// Over budget, removes coverage unused by the last frame, in O(n) in the shapes.
  mutating func beginFrame() {
    frame += 1
    strips.beginFrame()
    guard cost > Self.budget else { return }
    let oldest = frame - 1
    coverages = coverages.filter { $0.value.lastUse >= oldest }
    masks = masks.filter { $0.value.lastUse >= oldest }
    cost =
      coverages.values.reduce(0) { $0 + $1.cost } + masks.values.reduce(0) { $0 + $1.cost }
  }

  mutating func forgetStrips() { strips.forget() }

  /// In bytes.
  var stripCost: Int { strips.cost }

  /// Returns nil unless the tiles are a single moving text run.
  mutating func turned(_ tiles: ArraySlice<Tile>) -> TurnedText? {
    guard isTurned(tiles), case .text(let run)? = tiles.first?.shape else { return nil }
    return turned(run)
  }

  mutating func turned(_ run: TextRun) -> TurnedText {
    let upright = uprightMask(of: run)
    return TurnedText(upright: upright, mask: turned(upright, run))
  }

  mutating func change(_ text: inout TurnedText, to run: TextRun) {
    if text.upright.level != UprightMask.level(of: run.scale) {
      text.upright = uprightMask(of: run)
    }
    text.mask = turned(text.upright, run)
  }

  func isTurned(_ tiles: ArraySlice<Tile>) -> Bool {
    guard tiles.count == 1, case .text(let run)? = tiles.first?.shape else { return false }
    return run.isMoving && run.size * viewport.scale <= UprightMask.greatestEm
      && run.anchor.x.isFinite && run.anchor.y.isFinite && run.angle.radians.isFinite
      && UprightMask.scales ~= run.scale
  }

  private func turned(_ mask: UprightMask, _ run: TextRun) -> TurnedMask {
    TurnedMask(
      mask, anchor: viewport.canvasPoint(run.anchor), angle: run.angle, scale: run.scale,
      canvas: canvas)
  }

  private mutating func uprightMask(of run: TextRun) -> UprightMask {
    var upright = run
    upright.anchor = .zero
    upright.angle = .zero
    upright.scale = UprightMask.level(of: run.scale)
    if let index = masks.index(forKey: upright) {
      masks.values[index].lastUse = frame
      return masks.values[index].content
    }
    let reach = UprightMask.reach
    let clip = PixelRect(x0: -reach, y0: -reach, x1: reach, y1: reach)
    let mask = fonts.mask(
      for: upright, viewport: Viewport(scale: viewport.scale * UprightMask.scale, offset: .zero),
      clip: clip)
    let made = UprightMask(
      mask, TextColors(mask, levels: images.colorGlyphs, clip: clip), level: upright.scale)
    masks[upright] = Remembered(content: made, lastUse: frame, cost: made.cost)
    cost += made.cost
    return made
  }

  /// O(1) if cached, otherwise O(n) in the pixels of the shape's bounds.
  mutating func coverage(of shape: Shape) -> Coverage {
    if let remembered = remembered(shape) { return remembered }
    let colors = trace(shape)
    let made = Coverage(builder, colors: colors)
    coverages[shape] = Remembered(content: made, lastUse: frame, cost: made.cost)
    cost += made.cost
    return made
  }

  private mutating func remembered(_ shape: Shape) -> Coverage? {
    guard let index = coverages.index(forKey: shape) else { return nil }
    coverages.values[index].lastUse = frame
    return coverages.values[index].content
  }

  /// A moving shape rarely repeats, so only text, which is slow, and repeated shapes are cached.
  mutating func change(_ covering: inout Covering, to shape: Shape) {
    if case .text = shape {
      covering.show(coverage(of: shape))
    } else if let remembered = remembered(shape) {
      covering.show(remembered)
    } else if comesBack(shape) {
      covering.show(coverage(of: shape))
    } else {
      _ = trace(shape)
      covering.show(builder)
    }
  }

  /// A press and release of a control repeats its shapes.
  private mutating func comesBack(_ shape: Shape) -> Bool {
    // A moving polygon has too many corners to hash.
    if case .polygon = shape { return false }
    let hash = shape.hashValue
    if traced.contains(hash) { return true }
    traced[nextTraced] = hash
    nextTraced = (nextTraced + 1) % traced.count
    return false
  }

  mutating func replace(_ covering: inout Covering, by shape: Shape) {
    if covering.hasMemory {
      change(&covering, to: shape)
    } else {
      covering.show(coverage(of: shape))
    }
  }

  mutating func coverage(merging parts: [Covering]) -> Coverage {
    builder.merge(parts)
    return Coverage(builder)
  }

  /// - Parameter coverage: Not shared.
  mutating func change(_ coverage: Coverage, merging parts: [Covering]) {
    builder.merge(parts)
    coverage.update(builder)
  }

  /// Returns nil for a plain colour or a missing image.
  mutating func source(of tile: Tile, under shape: Coverage?) -> PixelSource? {
    var filling = Filling()
    change(&filling, to: tile, under: shape)
    return filling.source
  }

  mutating func change(_ filling: inout Filling, to tile: Tile, under shape: Coverage?) {
    switch tile.fill {
    case .color(let color):
      guard let colors = shape?.colors else {
        filling.show(nil)
        return
      }
      let memory = filling.memory
      memory.show(colors, in: color, bounds: shape?.bounds ?? .empty)
      filling.show(memory)
    case .gradient(var gradient):
      switch gradient.path {
      case .vertical(let from, let to):
        gradient.path = .vertical(
          from: viewport.canvasPoint(Point(0, from)).y, to: viewport.canvasPoint(Point(0, to)).y)
        filling.show(gradient)
      case .radial(let center, let from, let to):
        gradient.path = .radial(
          center: viewport.canvasPoint(center), from: from * viewport.scale, to: to * viewport.scale
        )
        let memory = filling.memory
        memory.show(gradient, bounds: shape?.bounds ?? .empty)
        filling.show(memory)
      }
    // The rows are cached, but their positions change in each frame.
    case .strip(let strip):
      let memory = filling.memory
      filling.show(strips.show(strip, in: memory, clip: canvas) ? memory : nil)
    case .image(let name, let frame, let fit, let turn, let isMoving):
      let place = images.place(of: name, in: viewport.canvasRect(frame), fit)
      let sides = ImageSampler.minimumSide...ImageSampler.maximumSide
      guard sides.contains(place.width), sides.contains(place.height) else {
        filling.show(nil)
        return
      }
      if !isMoving, turn == .zero,
        let pixels = images.pixels(of: tile, frame: place, under: shape, clip: canvas)
      {
        filling.show(pixels)
      } else {
        filling.show(interpolated(tile, place, under: shape, in: &filling))
      }
    }
  }

  private func interpolated(
    _ tile: Tile, _ frame: Rect, under shape: Coverage?, in filling: inout Filling
  ) -> PixelSource? {
    guard case .image(let name, _, _, let turn, let isMoving) = tile.fill else { return nil }
    // Interpolate until the scaled copy is ready.
    let isInterim = !isMoving && turn == .zero && images.hasRoom(forCopyOf: name)
    let wanted = isInterim ? nil : images.level(of: name, for: frame.width, frame.height)
    guard let level = wanted ?? images.anyLevel(of: name) else { return nil }
    let reach = (frame.width * frame.width + frame.height * frame.height).squareRoot()
    let box =
      turn == .zero ? frame : Rect(center: frame.center, size: Size(reach, reach))
    let bounds = PixelRect(covering: box.inset(by: -1)).intersection(shape?.bounds ?? canvas)
    guard !bounds.isEmpty else { return nil }
    let source = filling.memory
    let ends = !tile.liesInFrame
    source.show(
      level, ImageSampler(level, frame: frame, turn: turn, ends: ends), bounds: bounds,
      isOpaque: level.isOpaque && !ends, isInterim: wanted == nil)
    return source
  }

  /// Whole pixels, because a clipped row must not fade at its end.
  func clip(_ rect: Rect?) -> PixelRect {
    guard let r = rect.map(viewport.canvasRect) else { return canvas }
    return PixelRect(
      covering: Rect(
        x0: r.x0.rounded(), y0: r.y0.rounded(), x1: r.x1.rounded(), y1: r.y1.rounded())
    ).intersection(canvas)
  }

  /// Returns the shape's own colours, if any.
  private mutating func trace(_ shape: Shape) -> TextColors? {
    switch shape {
    case .sector(let sector):
      builder.trace(SectorOutline(canvasSector(sector)), clip: canvas)
    case .roundedRect(let rounded):
      builder.trace(canvasPlate(rounded), clip: canvas)
    case .rim(var rim):
      switch rim.body {
      case .plate(let plate): rim.body = .plate(canvasPlate(plate))
      case .sector(let sector): rim.body = .sector(canvasSector(sector))
      }
      rim.depth *= viewport.scale
      builder.trace(RimOutline(rim), clip: canvas)
    case .polygon(let points):
      polygon.assign(points, viewport.canvasPoint)
      builder.trace(polygon, clip: canvas)
    case .modules(let grid):
      builder.trace(ModuleOutline(grid, frame: viewport.canvasRect(grid.frame)), clip: canvas)
    case .text(let run):
      let mask = fonts.mask(for: run, viewport: viewport, clip: canvas)
      let colors = TextColors(mask, levels: images.colorGlyphs, clip: canvas)
      builder.trace(colors?.mask(with: mask) ?? mask, clip: canvas)
      return colors
    }
    return nil
  }

  private func canvasSector(_ sector: Sector) -> Sector {
    var scaled = sector
    scaled.center = viewport.canvasPoint(sector.center)
    scaled.innerRadius *= viewport.scale
    scaled.outerRadius *= viewport.scale
    scaled.inset *= viewport.scale
    return scaled
  }

  private func canvasPlate(_ plate: RoundedRect) -> RoundedRect {
    RoundedRect(viewport.canvasRect(plate.rect), radius: plate.radius * viewport.scale)
  }
}
