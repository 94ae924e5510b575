// SPDX-License-Identifier: MIT

public import Drawing
public import Geometry
public import Raster

/// How a panel's memory is laid out, and how a canvas gets there: turned and converted on the way.
///
/// A panel's memory is write-combined: a read costs 70 times as much as a write, and only whole
/// bursts are fast. So it is never read, and each row is written once, from left to right.
public struct PanelLayout: Hashable, Sendable {
  /// The panel's pixels, as the display controller scans them out.
  public var size: PixelSize
  /// Bytes from one row to the next, at least `size.width · format.bytesPerPixel`.
  public var pitch: Int
  public var format: PixelFormat
  /// How far the canvas is turned clockwise on the panel.
  public var rotation: Rotation

  public init(size: PixelSize, pitch: Int, format: PixelFormat, rotation: Rotation) {
    precondition(pitch >= size.width * format.bytesPerPixel, "a row must fit into its pitch")
    self.size = size
    self.pitch = pitch
    self.format = format
    self.rotation = rotation
  }

  /// The bytes that the panel's memory takes.
  public var byteCount: Int { pitch * size.height }

  /// The upright canvas that fills the panel.
  public var canvasSize: PixelSize { rotation.applied(to: size) }

  /// The pixels of the panel that show the pixels `rect` of the canvas.
  public func panelRect(_ rect: PixelRect) -> PixelRect {
    rotation.panelRect(rect, canvas: canvasSize)
  }

  /// Copies the damaged pixels of `canvas`, whose size must be `canvasSize`, to `memory`, which must
  /// hold at least `byteCount` bytes, at an address that a pixel may have. Damage outside of the
  /// canvas is left out.
  public func copy(
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

  /// Copies the pixels of the panel's `rect`, of which `canvas` holds the first pixel.
  private func copy(
    _ rect: PixelRect, from canvas: UnsafePointer<UInt32>, to memory: UnsafeMutableRawPointer
  ) {
    let stride = canvasSize.width
    let bytes = format.bytesPerPixel
    func row(_ y: Int) -> UnsafeMutableRawPointer {
      unsafe memory + y * pitch + rect.x0 * bytes
    }
    switch rotation {
    case .none:
      for y in rect.y0..<rect.y1 {
        unsafe write(canvas + y * stride + rect.x0, 1, to: row(y), rect, y)
      }
    case .half:
      for y in rect.y0..<rect.y1 {
        let last = (size.height - 1 - y) * stride + size.width - 1 - rect.x0
        unsafe write(canvas + last, -1, to: row(y), rect, y)
      }
    case .quarter, .threeQuarters:
      unsafe copyTurned(rect, from: canvas, row: row)
    }
  }

  /// A row of the panel is a column of the canvas. Taken one by one, columns would fetch each line
  /// of the cache once for every pixel in it; so sixteen, as many as a line holds, are gathered in
  /// cached memory first.
  private func copyTurned(
    _ rect: PixelRect, from canvas: UnsafePointer<UInt32>,
    row: (Int) -> UnsafeMutableRawPointer
  ) {
    let stride = canvasSize.width
    let width = rect.width
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 16 * width) { gathered in
      guard let gathered = gathered.baseAddress else { return }
      for top in Swift.stride(from: rect.y0, to: rect.y1, by: 16) {
        let rows = min(16, rect.y1 - top)
        for x in 0..<width {
          // Panel (x, y) shows canvas (y, w − 1 − x) at 90° and (h − 1 − y, x) at 270°, for a panel
          // of w × h.
          let isQuarter = rotation == .quarter
          let canvasY = isQuarter ? size.width - 1 - (rect.x0 + x) : rect.x0 + x
          let canvasX = isQuarter ? top : size.height - 1 - top
          let step = isQuarter ? 1 : -1
          var source = unsafe canvas + canvasY * stride + canvasX
          for y in 0..<rows {
            unsafe gathered[y * width + x] = source.pointee
            unsafe source += step
          }
        }
        for y in 0..<rows {
          unsafe write(gathered + y * width, 1, to: row(top + y), rect, top + y)
        }
      }
    }
  }

  /// Writes row `y` of the panel's `rect` from every `step`-th pixel of `source` on.
  private func write(
    _ source: UnsafePointer<UInt32>, _ step: Int, to row: UnsafeMutableRawPointer,
    _ rect: PixelRect, _ y: Int
  ) {
    let count = rect.width
    switch format {
    case .xrgb8888, .argb8888:
      // The canvas holds opaque 0xFFRRGGBB, which is right for both.
      if step == 1 {
        unsafe row.copyMemory(from: source, byteCount: count * 4)
      } else {
        let row = unsafe row.assumingMemoryBound(to: UInt32.self)
        for x in 0..<count { unsafe row[x] = source[x * step] }
      }
    case .rgb565:
      let row = unsafe row.assumingMemoryBound(to: UInt16.self)
      let thresholds = Dither.thresholds(row: y)
      for x in 0..<count {
        unsafe row[x] = Dither.rgb565(
          source[x * step], threshold: thresholds[(rect.x0 + x) & 3])
      }
    }
  }
}
