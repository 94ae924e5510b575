// SPDX-License-Identifier: MIT

package import Drawing
package import Geometry
package import Raster

/// How a panel's memory is laid out, and how a canvas gets there: turned and converted on the way.
///
/// A panel's memory is write-combined: a read costs 70 times as much as a write, and only whole
/// bursts are fast. So it is never read, and each row is written once, from left to right.
package struct PanelLayout: Hashable, Sendable {
  /// The panel's pixels, as the display controller scans them out.
  package var size: PixelSize
  /// Bytes from one row to the next, at least `size.width · format.bytesPerPixel`.
  package var pitch: Int
  package var format: PixelFormat
  /// How far the canvas is turned clockwise on the panel.
  package var rotation: Rotation

  package init(size: PixelSize, pitch: Int, format: PixelFormat, rotation: Rotation) {
    precondition(pitch >= size.width * format.bytesPerPixel, "a row must fit into its pitch")
    self.size = size
    self.pitch = pitch
    self.format = format
    self.rotation = rotation
  }

  /// The bytes that the panel's memory takes.
  package var byteCount: Int { pitch * size.height }

  /// The upright canvas that fills the panel.
  package var canvasSize: PixelSize { rotation.applied(to: size) }

  /// The pixels of the panel that show the pixels `rect` of the canvas.
  package func panelRect(_ rect: PixelRect) -> PixelRect {
    rotation.panelRect(rect, canvas: canvasSize)
  }

  /// Copies the damaged pixels of `canvas`, whose size must be `canvasSize`, to `memory`, which must
  /// hold at least `byteCount` bytes, at an address that a pixel may have. Damage outside of the
  /// canvas is left out.
  package func copy(
    _ damage: Damage, of canvas: Canvas, to memory: UnsafeMutableRawBufferPointer
  ) {
    precondition(canvas.size == canvasSize, "the canvas must fill the panel")
    precondition(memory.count >= byteCount, "the panel's memory is too short")
    guard let start = memory.baseAddress else { return }
    unsafe canvas.withPixels { pixels in
      guard let pixels = pixels.baseAddress else { return }
      for rect in damage.clipped(to: PixelRect(size: canvas.size)).rects {
        // In bounds: the rectangle lies inside the canvas, hence its image inside the panel.
        unsafe copy(panelRect(rect), from: UnsafePointer(pixels), to: start)
      }
    }
  }

  /// Copies the pixels of the panel's `rect`; `canvas` points to the first pixel of all.
  ///
  /// Pixels that stand in another order on the canvas are gathered in cached memory first. A row of
  /// a panel that is turned by a quarter is a column of the canvas; taken one by one, columns would
  /// fetch each line of the cache once for every pixel in it, so sixteen rows, as many as a line has
  /// pixels, are gathered at once.
  private func copy(
    _ rect: PixelRect, from canvas: UnsafePointer<UInt32>, to memory: UnsafeMutableRawPointer
  ) {
    let width = rect.width
    if rotation == .none {
      for y in rect.y0..<rect.y1 {
        unsafe write(canvas + y * size.width + rect.x0, to: memory, rect, y)
      }
      return
    }
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 16 * width) { rows in
      guard let rows = rows.baseAddress else { return }
      for top in stride(from: rect.y0, to: rect.y1, by: 16) {
        let band = PixelRect(x0: rect.x0, y0: top, x1: rect.x1, y1: min(top + 16, rect.y1))
        unsafe gather(band, from: canvas, to: rows)
        for y in band.y0..<band.y1 {
          unsafe write(rows + (y - top) * width, to: memory, rect, y)
        }
      }
    }
  }

  /// Collects the pixels of `band` row by row, in blocks whose lines stay in the cache.
  private func gather(
    _ band: PixelRect, from canvas: UnsafePointer<UInt32>, to rows: UnsafeMutablePointer<UInt32>
  ) {
    let width = band.width
    let (origin, right, down) = walk
    let first = unsafe canvas + (origin + band.x0 * right + band.y0 * down)
    for left in stride(from: 0, to: width, by: 16) {
      for y in 0..<band.height {
        let source = unsafe first + y * down
        let target = unsafe rows + y * width
        for x in left..<min(left + 16, width) { unsafe target[x] = source[x * right] }
      }
    }
  }

  /// Where on the canvas the panel's first pixel is, and how far from there the next to the right
  /// and the next below: panel (x, y) shows canvas (y, w − 1 − x) at 90°, (w − 1 − x, h − 1 − y) at
  /// 180° and (h − 1 − y, x) at 270°, for a panel of w × h.
  private var walk: (origin: Int, right: Int, down: Int) {
    let (w, h) = (size.width, size.height)
    return switch rotation {
    case .none: (0, 1, w)
    case .quarter: ((w - 1) * h, -h, 1)
    case .half: (w * h - 1, -1, -w)
    case .threeQuarters: (h - 1, h, -1)
    }
  }

  /// Writes row `y` of the panel's `rect`, whose pixels stand side by side from `source` on.
  private func write(
    _ source: UnsafePointer<UInt32>, to memory: UnsafeMutableRawPointer, _ rect: PixelRect, _ y: Int
  ) {
    let row = unsafe memory + (y * pitch + rect.x0 * format.bytesPerPixel)
    switch format {
    case .xrgb8888, .argb8888:
      // The canvas holds opaque 0xFFRRGGBB, which is right for both.
      unsafe row.copyMemory(from: source, byteCount: rect.width * 4)
    case .rgb565:
      unsafe Dither(x: rect.x0, y: y).convert(
        rect.width, from: source, to: row.assumingMemoryBound(to: UInt16.self))
    }
  }
}
