// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry
internal import RoundelText

/// Paints each distinct row once, and caches it while any strip is visible, if memory allows.
struct StripCache {
  private struct Key: Hashable {
    var row: Strip.Row
    /// The visible part.
    var part: PixelRect
  }

  private struct Remembered {
    var picture: Canvas
    var share: ImageMemory.Reservation
    var lastUse: Int
    /// The image revision when the row was painted, or nil if no image was missing.
    var lacking: Int?
  }

  private let viewport: Viewport
  private let fonts: FontLibrary
  private let images: ImageStore
  private var pictures: [Key: Remembered] = [:]
  private(set) var cost = 0
  private var frame = 0
  // Temporary memory.
  private var black = Canvas(size: PixelSize(1, 1))
  private var shown: [Canvas] = []
  private var lines: [(canvas: Int, line: Int)] = []

  /// In bytes: all rows of three reels of twenty items on a panel of 1280 × 800.
  private static let budget = 12 << 20

  init(viewport: Viewport, fonts: FontLibrary, images: ImageStore) {
    self.viewport = viewport
    self.fonts = fonts
    self.images = images
  }

  /// May remove the least recently used rows.
  mutating func beginFrame() {
    frame += 1
    guard cost > Self.budget else { return }
    let oldestFirst = pictures.filter { $0.value.lastUse < frame - 1 }
      .sorted { $0.value.lastUse < $1.value.lastUse }
    for (key, remembered) in oldestFirst {
      guard cost > Self.budget / 2 else { return }
      cost -= remembered.picture.cost
      pictures[key] = nil
    }
  }

  /// Call this when no strip is visible. The rows take much memory.
  mutating func forget() {
    guard !pictures.isEmpty else { return }
    (pictures, cost) = ([:], 0)
    (shown, lines, black) = ([], [], Canvas(size: PixelSize(1, 1)))
  }

  /// Returns false if nothing is visible. O(n) in the lines of the part, plus newly painted rows.
  ///
  /// Every row starts at the nearest whole pixel, so that text on a slowly turning face stays as
  /// sharp as at rest.
  mutating func show(_ strip: Strip, in source: PixelSource, clip: PixelRect) -> Bool {
    let frame = viewport.canvasRect(strip.frame)
    let bounds = PixelRect(
      covering: Rect(
        x0: frame.x0.rounded(), y0: frame.y0.rounded(), x1: frame.x1.rounded(),
        y1: frame.y1.rounded())
    ).intersection(clip)
    let left = frame.x0.rounded()
    let span = frame.x1.rounded() - left
    let height = strip.rowHeight * viewport.scale
    // Strips may be larger than any canvas if only a part is visible.
    let possible = 1.0...0x1p24
    guard !bounds.isEmpty, possible.contains(span), possible.contains(height) else { return false }
    let width = bounds.width
    let columns = bounds.x0 - Int(left)..<bounds.x1 - Int(left)
    let rowHeight = Int(height.rounded(.up))
    let blurred = (strip.blur * viewport.scale).rounded()
    let length = blurred >= 2 ? Int(min(blurred, 16_384)) : 0
    let blur = length >= 2 ? VerticalBlur(length: length) : nil
    let more = blur?.length ?? 1
    // Half of the additional lines of a mean are above it.
    let needed = bounds.y0 - (more - 1) / 2..<bounds.y1 + more / 2
    // Every line starts out black. Visible rows then replace theirs.
    if black.size.width < width { black = Canvas(size: PixelSize(width, 1)) }
    shown.removeAll(keepingCapacity: true)
    shown.append(black)
    lines.removeAll(keepingCapacity: true)
    lines.append(contentsOf: repeatElement((canvas: 0, line: 0), count: needed.count))
    let first = frame.y0 + strip.offset * viewport.scale
    var isInterim = false
    for (index, row) in strip.rows.enumerated() {
      let top = (first + Double(index) * height).rounded()
      let bottom = (first + Double(index + 1) * height).rounded()
      guard bottom > Double(needed.lowerBound), top < Double(needed.upperBound) else { continue }
      let seen = max(Int(top), needed.lowerBound)..<min(Int(bottom), needed.upperBound)
      guard !seen.isEmpty else { continue }
      // Only the visible part of a row much higher than the canvas is painted, in each frame.
      let part =
        rowHeight <= 2 * clip.height
        ? PixelRect(x0: columns.lowerBound, y0: 0, x1: columns.upperBound, y1: rowHeight)
        : PixelRect(
          x0: columns.lowerBound, y0: seen.lowerBound - Int(top), x1: columns.upperBound,
          y1: seen.upperBound - Int(top))
      guard let (picture, isWhole) = picture(of: row, part) else { continue }
      isInterim = isInterim || !isWhole
      for y in seen {
        // Because of rounding, a row that starts just below the centre of a pixel may be one line
        // higher than its image.
        let line = min(y - Int(top) - part.y0, part.height - 1)
        lines[y - needed.lowerBound] = (shown.count, line)
      }
      shown.append(picture)
    }
    source.show(
      bounds, left: bounds.x0, blur: blur, canvases: shown, lines: lines, isInterim: isInterim)
    return true
  }

  /// Returns nil if there isn't enough memory.
  private mutating func picture(
    of row: Strip.Row, _ part: PixelRect
  ) -> (picture: Canvas, isWhole: Bool)? {
    let key = Key(row: row, part: part)
    if let index = pictures.index(forKey: key) {
      let lacking = pictures.values[index].lacking
      if lacking == nil || lacking == images.revision {
        pictures.values[index].lastUse = frame
        return (pictures.values[index].picture, lacking == nil)
      }
      cost -= pictures.values[index].picture.cost
      pictures.remove(at: index)
    }
    let size = PixelSize(part.width, part.height)
    guard let share = images.memory.take(part.area * 4) else { return nil }
    let picture = Canvas(size: size)
    let bounds = PixelRect(size: size)
    var cache = CoverageCache(
      viewport: Viewport(
        scale: viewport.scale, offset: Vector(-Double(part.x0), -Double(part.y0))), canvas: bounds,
      fonts: fonts,
      images: images)
    var list = DisplayList(background: row.background)
    if let content = row.content { list.add(content.shape, content.fill) }
    var scene = Scene()
    var damage = DamageBands()
    scene.show(&list, cache: &cache, &damage)
    RowComposer(size: size).paint(scene, nil, damage.damage, onto: picture)
    let isWhole = !scene.isInterim
    pictures[key] = Remembered(
      picture: picture, share: share, lastUse: frame, lacking: isWhole ? nil : images.revision)
    cost += picture.cost
    return (picture, isWhole)
  }
}

extension Canvas {
  fileprivate var cost: Int { size.width * size.height * 4 }
}
