// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry

/// The colour or the pixels of a tile.
// Safe: the pointer is into a source that the scene keeps as long as the ink.
@safe struct Ink {
  /// The colour without its alpha.
  let pixel: UInt32
  let color: Lanes
  /// The alpha, 0 … 255. For a source, 255 if it is opaque, otherwise 0.
  let alpha: UInt32
  private(set) var rows: UnsafeMutablePointer<SourceRows>?
  /// Unlimited for a colour.
  let bounds: PixelRect

  init(_ color: Color) { self.init(.color(color), nil) }

  /// - Parameter source: The pixels unless the fill is a plain colour. Must outlive the ink.
  init(_ fill: Fill, _ source: PixelSource?) {
    if let source, !source.bounds.isEmpty {
      pixel = 0
      self.color = 0
      alpha = source.isOpaque ? 255 : 0
      unsafe rows = source.rows
      bounds = source.bounds
      return
    }
    var color = Color.clear
    switch fill {
    case .color(let plain): color = plain
    // The colour of its first row, until another row is composed.
    case .gradient(let gradient): color = gradient.start
    case .image, .strip: break
    }
    pixel = color.opaquePixel
    self.color = lanes(pixel)
    alpha = UInt32(color.alpha)
    unsafe rows = nil
    bounds = PixelRect(x0: .min, y0: .min, x1: .max, y1: .max)
  }

  func with(_ rows: UnsafeMutablePointer<SourceRows>) -> Ink {
    var copy = self
    unsafe copy.rows = rows
    return copy
  }

  var isOpaque: Bool { alpha == 255 }

  var isColor: Bool { unsafe rows == nil }
}

/// All inks of a scene. The first is the background's.
// Unsafe to hold on to: borrowed from `ComposingLane`.
@unsafe struct Inks {
  private let first: UnsafePointer<Ink>
  private let count: UInt

  init?(_ inks: UnsafeBufferPointer<Ink>) {
    guard let first = inks.baseAddress, !inks.isEmpty else { return nil }
    unsafe self.init(first, UInt(inks.count))
  }

  private init(_ first: UnsafePointer<Ink>, _ count: UInt) {
    unsafe self.first = first
    unsafe self.count = count
  }

  @inline(__always)
  func at(_ number: Int) -> UnsafePointer<Ink> {
    unsafe precondition(UInt(bitPattern: number) < count, "no such ink")
    return unsafe first + number
  }

  @inline(__always)
  func from(_ number: Int) -> Inks {
    unsafe Inks(at(number), count &- UInt(bitPattern: number))
  }
}
