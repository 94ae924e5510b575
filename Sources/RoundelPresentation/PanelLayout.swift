// SPDX-License-Identifier: MIT

package import RoundelDrawing
package import RoundelGeometry
package import RoundelRaster

/// A panel's memory layout, and the transfer of a picture into it, with rotation and conversion.
///
/// A panel's memory is write-combined: a read costs 70 writes, and only whole bursts are fast. So
/// it is never read, and each row is written once, from left to right.
package struct PanelLayout: Hashable, Sendable {
  /// In pixels, as scanned out by the display controller.
  package let size: PixelSize
  /// Bytes from one row to the next, at least `size.width · format.bytesPerPixel`.
  package let pitch: Int
  package private(set) var conversion: PixelConversion
  package var rotation: Rotation

  package init(
    size: PixelSize, pitch: Int, format: PixelFormat, rotation: Rotation, depth: ColorDepth? = nil
  ) {
    precondition(pitch >= size.width * format.bytesPerPixel, "a row must fit in its pitch")
    self.size = size
    self.pitch = pitch
    conversion = PixelConversion(to: format, depth: depth)
    self.rotation = rotation
  }

  /// Uses a driver's values. Returns nil if the picture with such rows doesn't fit into `byteCount`
  /// bytes of memory.
  package init?(
    size: PixelSize, pitch: Int, byteCount: Int, format: PixelFormat, rotation: Rotation,
    depth: ColorDepth? = nil
  ) {
    guard size.isPanelSize, pitch >= size.width * format.bytesPerPixel, pitch <= 1 << 20,
      byteCount / pitch >= size.height
    else { return nil }
    self.init(size: size, pitch: pitch, format: format, rotation: rotation, depth: depth)
  }

  package var format: PixelFormat { conversion.format }

  /// The panel's colour depth, if it is less than the format's.
  package var depth: ColorDepth? {
    get { conversion.depth }
    set { conversion = PixelConversion(to: format, depth: newValue) }
  }

  package var byteCount: Int { pitch * size.height }

  package var canvasSize: PixelSize { rotation.applied(to: size) }

  package func panelRect(_ rect: PixelRect) -> PixelRect {
    rotation.panelRect(rect, canvas: canvasSize)
  }

  /// `memory` must have `byteCount` bytes and be aligned for pixels. Damage outside the picture is
  /// ignored.
  package func paint(
    _ damage: Damage, of picture: Painter, to memory: UnsafeMutableRawBufferPointer
  ) {
    precondition(picture.size == canvasSize, "the picture must fill the panel")
    precondition(memory.count >= byteCount, "the panel's memory is too short")
    // The composing threads write to different pixels, and only during this call.
    nonisolated(unsafe) let memory = unsafe memory
    switch rotation {
    case .none:
      unsafe picture.compose(damage) { band in
        unsafe write(band.pixels, band.rect.x0, band.rect.y0, to: memory)
      }
    case .half:
      unsafe picture.compose(damage) { band in unsafe reverse(band, to: memory) }
    case .quarter, .threeQuarters:
      unsafe picture.compose(damage, rows: Self.bandRows) { band in
        unsafe turn(band, to: memory)
      }
    }
  }

  /// The canvas rows written as panel columns at once: a cache line, so that each line of the
  /// panel's memory is written completely.
  private static let bandRows = 16
  /// The pixels reordered at a time. More would need heap memory.
  private static let pieceWidth = 256

  /// Writes a band of one row in reverse.
  private func reverse(_ band: ComposedBand, to memory: UnsafeMutableRawBufferPointer) {
    let place = panelRect(unsafe band.rect)
    unsafe precondition(place.width == band.pixels.count, "the band must have one row")
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.pieceWidth) { row in
      var first = 0
      while first < place.width {
        let count = min(Self.pieceWidth, place.width - first)
        for x in 0..<count { unsafe row[x] = band.pixels[place.width - 1 - first - x] }
        unsafe write(
          UnsafeBufferPointer(rebasing: row[..<count]), place.x0 + first, place.y0, to: memory)
        first += count
      }
    }
  }

  /// Writes a band whose rows are columns of the panel: panel (x, y) shows canvas (y, w − 1 − x) at
  /// 90° and (h − 1 − y, x) at 270°, for a panel of w × h.
  private func turn(_ band: ComposedBand, to memory: UnsafeMutableRawBufferPointer) {
    let place = panelRect(unsafe band.rect)
    unsafe precondition(
      place.width <= Self.bandRows
        && (place.width - 1) * band.stride + place.height <= band.pixels.count,
      "the band must have a row for each column")
    let isQuarter = rotation == .quarter
    // A panel row starts in the band's last row at 90°, and in its first row at 270°.
    let first = unsafe isQuarter ? (place.width - 1) * band.stride : 0
    let step = unsafe isQuarter ? -band.stride : band.stride
    unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.bandRows) { row in
      for y in 0..<place.height {
        var source = first + (isQuarter ? y : place.height - 1 - y)
        for x in 0..<place.width {
          unsafe row[x] = band.pixels[source]
          source += step
        }
        unsafe write(
          UnsafeBufferPointer(rebasing: row[..<place.width]), place.x0, place.y0 + y, to: memory)
      }
    }
  }

  private func write(
    _ pixels: UnsafeBufferPointer<UInt32>, _ x: Int, _ y: Int,
    to memory: UnsafeMutableRawBufferPointer
  ) {
    let count = pixels.count
    let start = y * pitch + x * format.bytesPerPixel
    guard let source = pixels.baseAddress, let base = memory.baseAddress else { return }
    precondition(
      x >= 0 && y >= 0 && x + count <= size.width
        && start + count * format.bytesPerPixel <= memory.count,
      "the row must be inside the panel")
    unsafe conversion.write(count, from: source, to: base + start, x: x, y: y)
  }
}
