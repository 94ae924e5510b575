// SPDX-License-Identifier: MIT

internal import RoundelDrawing
package import RoundelGeometry

/// Scales an image down by the mean light of each pixel's area. A mean of sRGB values would darken
/// thin lines.
package struct AreaScaling: Sendable {
  package let source: PixelSize
  package let target: PixelSize
  private let columns: [Cover]
  private let rows: [Cover]
  private let tables = LightTables.shared

  /// All sides must be at least 1.
  package init(from source: PixelSize, to target: PixelSize) {
    self.source = source
    self.target = target
    columns = (0..<target.width).map { Cover($0, source.width, target.width) }
    rows = (0..<target.height).map { Cover($0, source.height, target.height) }
  }

  private struct Cover: Sendable {
    var range: Range<Int>
    /// Weights in the mean.
    var first: Float
    var last: Float
    var middle: Float

    /// Target pixel `place` covers place·s … (place + 1)·s, in units of 1/`count` source pixels.
    init(_ place: Int, _ s: Int, _ count: Int) {
      let (start, end) = (place * s, (place + 1) * s)
      range = (start / count)..<((end - 1) / count + 1)
      func share(_ pixel: Int) -> Float {
        Float(min(end, (pixel + 1) * count) - max(start, pixel * count)) / Float(s)
      }
      first = share(range.lowerBound)
      last = share(range.upperBound - 1)
      middle = Float(count) / Float(s)
    }

    func share(_ pixel: Int) -> Float {
      pixel == range.lowerBound ? first : pixel == range.upperBound - 1 ? last : middle
    }
  }

  /// Returns the target pixels that `part` of the source affects.
  package func rect(showing part: PixelRect) -> PixelRect {
    let part = part.intersection(PixelRect(size: source))
    guard !part.isEmpty else { return .empty }
    func range(_ low: Int, _ high: Int, _ source: Int, _ target: Int) -> (Int, Int) {
      (low * target / source, (high * target + source - 1) / source)
    }
    let (x0, x1) = range(part.x0, part.x1, source.width, target.width)
    let (y0, y1) = range(part.y0, part.y1, source.height, target.height)
    return PixelRect(x0: x0, y0: y0, x1: x1, y1: y1)
  }

  /// Returns the source pixels under `rect`, which must be inside the target and not empty.
  package func part(under rect: PixelRect) -> PixelRect {
    PixelRect(
      x0: columns[rect.x0].range.lowerBound, y0: rows[rect.y0].range.lowerBound,
      x1: columns[rect.x1 - 1].range.upperBound, y1: rows[rect.y1 - 1].range.upperBound)
  }

  /// Scales a canvas of the source's size. O(n) in the source pixels.
  package func scaled(_ rect: PixelRect, of canvas: Canvas) -> PixelBlock {
    precondition(canvas.size == source, "the canvas must have the source's size")
    guard source != target else { return PixelBlock(rect, of: canvas) }
    // A canvas has exactly the number of pixels of its size.
    return unsafe canvas.withPixels {
      unsafe scaled(rect, of: UnsafeBufferPointer($0), holding: PixelRect(size: source))
    }
  }

  /// Scales a block that contains all source pixels under `rect`.
  package func scaled(_ rect: PixelRect, of block: PixelBlock) -> PixelBlock {
    // A block has exactly the number of pixels of its rectangle.
    unsafe block.pixels.withUnsafeBufferPointer {
      unsafe scaled(rect, of: $0, holding: block.rect)
    }
  }

  private func scaled(
    _ rect: PixelRect, of pixels: UnsafeBufferPointer<UInt32>, holding held: PixelRect
  ) -> PixelBlock {
    guard !rect.isEmpty else { return PixelBlock(rect, pixels: []) }
    let part = part(under: rect)
    precondition(held.contains(part), "the block does not contain the covered pixels")
    var result: [UInt32] = []
    result.reserveCapacity(rect.area)
    var sums = [SIMD4<Float>](repeating: .zero, count: part.width)
    for y in rect.y0..<rect.y1 {
      for index in sums.indices { sums[index] = .zero }
      for row in rows[y].range {
        // In bounds: `part` is inside `held`.
        let start = (row - held.y0) * held.width - held.x0
        unsafe add(pixels[(start + part.x0)..<(start + part.x1)], rows[y].share(row), to: &sums)
      }
      for x in rect.x0..<rect.x1 {
        var sum = SIMD4<Float>.zero
        for column in columns[x].range {
          sum += sums[column - part.x0] * columns[x].share(column)
        }
        result.append(tables.pixel(sum))
      }
    }
    return PixelBlock(rect, pixels: result)
  }

  private func add(
    _ row: Slice<UnsafeBufferPointer<UInt32>>, _ share: Float, to sums: inout [SIMD4<Float>]
  ) {
    var index = 0
    unsafe row.forEach { pixel in
      sums[index] += tables.light(pixel) * share
      index += 1
    }
  }
}

private struct LightTables: Sendable {
  static let shared = LightTables()

  /// Enough levels for a lossless round trip: the smallest difference between two values, 1/(12.92
  /// · 255), exceeds one level.
  private static let steps = 4095

  private let lights: [Float]
  private let values: [UInt8]

  private init() {
    lights = (0...255).map { Float(Color.light(of: UInt8($0))) }
    values = (0...Self.steps).map { Color.channel(light: Double($0) / Double(Self.steps)) }
  }

  @inline(__always)
  func light(_ pixel: UInt32) -> SIMD4<Float> {
    SIMD4(
      lights[Int(pixel >> 16 & 255)], lights[Int(pixel >> 8 & 255)], lights[Int(pixel & 255)], 0)
  }

  @inline(__always)
  func pixel(_ light: SIMD4<Float>) -> UInt32 {
    // Rounds. Converting vectors would be a function call, many times slower.
    let steps = light * Float(Self.steps) + 0.5
    // Rounding errors may lift a mean above 1.
    func value(_ step: Float) -> UInt32 { UInt32(values[min(Int(step), Self.steps)]) }
    return 0xff00_0000 | value(steps.x) << 16 | value(steps.y) << 8 | value(steps.z)
  }
}
