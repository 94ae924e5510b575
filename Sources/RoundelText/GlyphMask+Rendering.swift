// SPDX-License-Identifier: MIT

internal import CRoundelFreeType
internal import RoundelDrawing
internal import RoundelGeometry

extension GlyphMask {
  /// Keeps every coordinate within FreeType's 16 bits.
  private static let maximumSide = 16384
  /// In canvas pixels. Larger text is drawn at this size.
  private static let maximumEm = 4096.0

  /// 1. Each point of each glyph is scaled, rotated and moved in one step, and rounded once, to
  ///   1/64 pixel, so that text keeps its shape at every angle and on every machine.
  /// 2. The mask is the bounding box of the points.
  /// 3. FreeType computes exact area coverage (256 levels) and returns it in spans.
  ///
  /// If glyphs overlap, the greater coverage counts. Glyphs designed to overlap (marks on stems,
  /// joined letters, boxes and underscores) share edges, which a sum would show as dark spots. The
  /// drawback: letters that merely touch inside a pixel leave it slightly too light.
  init(
    _ block: TextBlock, of run: TextRun, freeType: FreeType, viewport: Viewport, clip: PixelRect
  ) {
    let em = block.size * run.scale * viewport.scale
    let anchor = viewport.canvasPoint(run.anchor)
    let angle = run.angle
    let limit = Self.maximumSide
    let clip = clip.intersection(PixelRect(x0: -limit, y0: -limit, x1: limit, y1: limit))
    guard em > 0, em.isFinite, anchor.x.isFinite, anchor.y.isFinite, angle.radians.isFinite,
      !clip.isEmpty
    else {
      self = .empty
      return
    }
    var ink = PlacedOutlines(clip: clip)
    var path = TextPath(anchor: anchor, angle: angle)
    if case .arc(let sector) = run.bounds { path.bend(around: sector.center.y / block.size) }
    ink.place(block, of: run, along: path, em: min(em, Self.maximumEm))
    let bounds = ink.bounds.intersection(clip)
    var coverage = bounds.isEmpty ? [] : ink.coverage(of: bounds, freeType: freeType)
    if let fade = ColumnFade(block, of: run, anchor: anchor, em: em) {
      fade.apply(to: &coverage, of: bounds)
    }
    self.init(
      bounds: bounds.isEmpty ? .empty : bounds, coverage: coverage, colorGlyphs: ink.colorGlyphs)
  }
}

/// The edges of a column, in canvas pixels. Lines fade at an edge if there are more beyond.
private struct ColumnFade {
  private let top: Double
  private let bottom: Double
  /// The heights of the fading areas, or 0 at an edge without more lines.
  private let above: Double
  private let below: Double

  /// Returns nil if all lines fit.
  init?(_ block: TextBlock, of run: TextRun, anchor: Point, em: Double) {
    guard case .column(let size, let scrolled) = run.bounds else { return nil }
    let pixels = em / block.size
    let height = size.height * pixels
    let rest = Double(block.lines.count) * block.lineHeight * em - height
    guard rest > 0, height > 0 else { return nil }
    let fade = min(block.lineHeight * em * 1.2, height / 3)
    (top, bottom) = (anchor.y - height / 2, anchor.y + height / 2)
    above = min(max(rest * scrolled, 0), fade)
    below = min(max(rest * (1 - scrolled), 0), fade)
  }

  func apply(to coverage: inout [UInt8], of bounds: PixelRect) {
    for y in bounds.y0..<bounds.y1 {
      let middle = Double(y) + 0.5
      let share = min(share(middle - top, above), share(bottom - middle, below))
      guard share < 1 else { continue }
      let row = (y - bounds.y0) * bounds.width
      for pixel in row..<row + bounds.width {
        coverage[pixel] = UInt8(Double(coverage[pixel]) * share)
      }
    }
  }

  /// Returns the remaining opacity of a row.
  private func share(_ distance: Double, _ fade: Double) -> Double {
    if distance <= 0 { return 0 }
    return distance < fade ? distance / fade : 1
  }
}

private struct PlacedOutlines {
  /// In pixels, including control points.
  private(set) var bounds = PixelRect.empty
  private(set) var colorGlyphs: [PlacedColorGlyph] = []

  private struct Placed {
    var glyph: Glyph
    var box: PixelRect
  }

  private let clip: Rect
  private var glyphs: [Placed] = []
  /// Points in 1/64 pixels from the glyph's box's upper left corner, y downwards, so that a partial
  /// mask equals the same part of the whole, although FreeType's rounding depends on the origin.
  private var points: [FT_Vector] = []

  init(clip: PixelRect) {
    self.clip = Rect(
      x0: Double(clip.x0), y0: Double(clip.y0), x1: Double(clip.x1), y1: Double(clip.y1))
  }

  mutating func place(
    _ block: TextBlock, of run: TextRun, along path: TextPath, em: Double
  ) {
    let drop = block.drop(run)
    for (number, line) in block.lines.enumerated() {
      let shift = block.shift(of: line, run)
      let row = Double(number) - Double(block.lines.count - 1) / 2
      let depth = drop + block.capHeight / 2 + row * block.lineHeight
      for glyph in line.glyphs {
        let spot = path.place(
          x: shift + glyph.x, depth: depth, width: glyph.glyph.advance, em: em)
        let origin = spot.origin + spot.up * (glyph.y * em)
        if let picture = glyph.glyph.picture {
          place(picture, origin: origin, right: spot.right, up: spot.up, em: em)
        } else {
          place(glyph.glyph, origin: origin, right: spot.right, up: spot.up, em: em)
        }
      }
    }
  }

  private mutating func place(
    _ glyph: ColorGlyph, origin: Point, right: Vector, up: Vector, em: Double
  ) {
    let (box, middle) = (glyph.box, glyph.box.center)
    let size = Size(box.width * em, box.height * em)
    let center = origin + right * (middle.x * em) + up * (middle.y * em)
    let reach = size.width + size.height
    // As below, a glyph outside the clip is skipped before its position is rounded.
    guard !Rect(center: center, size: Size(reach, reach)).intersection(clip).isEmpty else { return }
    colorGlyphs.append(
      PlacedColorGlyph(
        glyph: glyph, frame: Rect(center: center, size: size), turn: Angle(of: up)))
  }

  private mutating func place(
    _ glyph: Glyph, origin: Point, right: Vector, up: Vector, em: Double
  ) {
    let scale = em / glyph.unitsPerEm
    func placed(_ x: FT_Pos, _ y: FT_Pos) -> Point {
      origin + right * (Double(x) * scale) + up * (Double(y) * scale)
    }
    // At 10³⁰⁰ pixels, rounding to an integer would trap.
    let a = placed(glyph.box.xMin, glyph.box.yMin)
    let b = placed(glyph.box.xMax, glyph.box.yMin)
    let c = placed(glyph.box.xMin, glyph.box.yMax)
    let d = placed(glyph.box.xMax, glyph.box.yMax)
    let box = Rect(
      x0: min(a.x, b.x, c.x, d.x), y0: min(a.y, b.y, c.y, d.y), x1: max(a.x, b.x, c.x, d.x),
      y1: max(a.y, b.y, c.y, d.y))
    guard glyph.pointCount > 0, !box.intersection(clip).isEmpty else { return }

    let firstPoint = points.count
    var lowest = (x: Int.max, y: Int.max)
    var highest = (x: Int.min, y: Int.min)
    for number in 0..<glyph.pointCount {
      let point = glyph.point(number)
      let onCanvas = placed(point.x, point.y)
      let x = Int((onCanvas.x * 64).rounded())
      let y = Int((onCanvas.y * 64).rounded())
      lowest = (min(lowest.x, x), min(lowest.y, y))
      highest = (max(highest.x, x), max(highest.y, y))
      points.append(FT_Vector(x: x, y: y))
    }
    let pixels = PixelRect(
      x0: lowest.x >> 6, y0: lowest.y >> 6, x1: (highest.x + 63) >> 6, y1: (highest.y + 63) >> 6)
    for number in firstPoint..<points.count {
      points[number].x -= pixels.x0 << 6
      points[number].y -= pixels.y0 << 6
    }
    glyphs.append(Placed(glyph: glyph, box: pixels))
    bounds = bounds.union(pixels)
  }

  mutating func coverage(of bounds: PixelRect, freeType: FreeType) -> [UInt8] {
    var coverage = [UInt8](repeating: 0, count: bounds.area)
    unsafe coverage.withUnsafeMutableBufferPointer { pixels in
      unsafe points.withUnsafeMutableBufferPointer { points in
        var target = unsafe SpanTarget(pixels: pixels, bounds: bounds, origin: .empty)
        unsafe withUnsafeMutablePointer(to: &target) { target in
          var parameters = unsafe FT_Raster_Params()
          unsafe parameters.flags = FT_RASTER_FLAG_AA | FT_RASTER_FLAG_DIRECT | FT_RASTER_FLAG_CLIP
          unsafe parameters.user = UnsafeMutableRawPointer(target)
          unsafe parameters.gray_spans = { row, count, spans, user in
            // `user` is the target above, alive until FT_Outline_Render returns. There are `count`
            // spans.
            guard let target = unsafe user?.assumingMemoryBound(to: SpanTarget.self),
              let spans = unsafe spans
            else { return }
            for number in 0..<Int(count) {
              unsafe target.pointee.cover(row: Int(row), spans[number])
            }
          }
          var next = 0
          for placed in glyphs {
            unsafe target.pointee.origin = placed.box
            // Only columns are clipped here. FreeType is less exact for curves that leave its rows,
            // so these are dropped when they arrive.
            unsafe parameters.clip_box = FT_BBox(
              xMin: max(0, bounds.x0 - placed.box.x0), yMin: 0,
              xMax: min(0x7fff, bounds.x1 - placed.box.x0), yMax: min(0x7fff, placed.box.height))
            let end = next + placed.glyph.pointCount
            // A glyph that exceeds FreeType's coordinates is invisible. This isn't an error.
            unsafe placed.glyph.withOutline(.init(rebasing: points[next..<end])) { outline in
              _ = unsafe FT_Outline_Render(freeType.handle, &outline, &parameters)
            }
            next = end
          }
        }
      }
    }
    return coverage
  }
}

// Unsafe to hold on to: the pixels are valid only while FreeType draws.
@unsafe private struct SpanTarget {
  var pixels: UnsafeMutableBufferPointer<UInt8>
  var bounds: PixelRect

  /// The box that FreeType's rows and columns are relative to.
  var origin: PixelRect

  func cover(row: Int, _ span: FT_Span) {
    let y = unsafe row + origin.y0 - bounds.y0
    let x = unsafe Int(span.x) + origin.x0 - bounds.x0
    // FreeType respects the columns of the clip box, but not its rows.
    guard y >= 0, unsafe y < bounds.height, x >= 0, unsafe x + Int(span.len) <= bounds.width else {
      return
    }
    let start = unsafe y * bounds.width + x
    for place in start..<start + Int(span.len) {
      unsafe pixels[place] = max(pixels[place], span.coverage)
    }
  }
}
