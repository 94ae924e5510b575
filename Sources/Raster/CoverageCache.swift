// SPDX-License-Identifier: MIT

internal import Drawing
internal import Geometry
internal import Text

/// Remembers the coverage of shapes, and the pixels of images, for as long as they are shown and a
/// while longer.
struct CoverageCache {
  private struct Remembered<Content> {
    var content: Content
    var lastUse: Int
    var cost: Int
  }

  let viewport: Viewport
  private let canvas: PixelRect
  private let fonts: FontLibrary
  private let images: [String: Bitmap]
  private var coverages: [Shape: Remembered<Coverage>] = [:]
  private var sources: [Fill: Remembered<PixelSource>] = [:]
  private var strips: StripCache
  private var cost = 0
  private var frame = 0

  /// What may be remembered beyond what the current frame shows, in bytes: enough for the wedges and
  /// labels of some pages, little beside the canvas.
  private static let budget = 3 << 20

  init(
    viewport: Viewport, canvas: PixelRect, fonts: FontLibrary, images: [String: Bitmap]
  ) {
    self.viewport = viewport
    self.canvas = canvas
    self.fonts = fonts
    self.images = images
    strips = StripCache(viewport: viewport, fonts: fonts, images: images)
  }

  /// Begins a frame: what the last one did not use may be forgotten.
  mutating func beginFrame() {
    frame += 1
    strips.beginFrame()
    guard cost > Self.budget else { return }
    let oldest = frame - 1
    coverages = coverages.filter { $0.value.lastUse >= oldest }
    sources = sources.filter { $0.value.lastUse >= oldest }
    cost =
      coverages.values.reduce(0) { $0 + $1.cost } + sources.values.reduce(0) { $0 + $1.cost }
  }

  mutating func coverage(of shape: Shape) -> Coverage {
    if let index = coverages.index(forKey: shape) {
      coverages.values[index].lastUse = frame
      return coverages.values[index].content
    }
    let made = make(shape)
    coverages[shape] = Remembered(content: made, lastUse: frame, cost: made.cost)
    cost += made.cost
    return made
  }

  mutating func source(of fill: Fill) -> PixelSource {
    if let index = sources.index(forKey: fill) {
      sources.values[index].lastUse = frame
      return sources.values[index].content
    }
    let made = make(fill)
    let bytes = made.pixels.count * 4
    sources[fill] = Remembered(content: made, lastUse: frame, cost: bytes)
    cost += bytes
    return made
  }

  private func make(_ shape: Shape) -> Coverage {
    switch shape {
    case .sector(let sector):
      var scaled = sector
      scaled.center = viewport.canvasPoint(sector.center)
      scaled.innerRadius *= viewport.scale
      scaled.outerRadius *= viewport.scale
      scaled.inset *= viewport.scale
      return Coverage(scaled, clip: canvas)
    case .roundedRect(let rounded):
      return Coverage(
        RoundedRect(viewport.canvasRect(rounded.rect), radius: rounded.radius * viewport.scale),
        clip: canvas)
    case .polygon(let points):
      return Coverage(Polygon(points: points.map(viewport.canvasPoint)), clip: canvas)
    case .text(let run):
      return Coverage(fonts.mask(for: run, viewport: viewport, clip: canvas), clip: canvas)
    }
  }

  private mutating func make(_ fill: Fill) -> PixelSource {
    switch fill {
    case .image(let name, let frame, let turn):
      guard let image = images[name] else { return .empty }
      return PixelSource(image, frame: viewport.canvasRect(frame), turn: turn, clip: canvas)
    case .strip(let strip):
      return strips.source(of: strip, clip: canvas)
    case .color:
      return .empty
    }
  }
}
