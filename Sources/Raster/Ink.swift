// SPDX-License-Identifier: MIT

internal import Drawing
internal import Geometry

/// The colour or the pixels that a tile gives to the pixels that it covers.
// Safe: the pointer is into a source that the scene keeps as long as the ink.
@safe struct Ink {
  /// The colour without its alpha.
  let pixel: UInt32
  /// The same colour in lanes.
  let color: Lanes
  /// 0 … 255; of a source, 255 where all of it is opaque, and else 0.
  let alpha: UInt32
  /// The pixels of a source, premultiplied, nil for a plain colour.
  private(set) var rows: UnsafeMutablePointer<SourceRows>?
  /// Where they lie on the canvas; everywhere for a colour.
  let bounds: PixelRect

  init(_ color: Color) { self.init(.color(color), nil) }

  /// The ink of a fill. `source` has the pixels of a fill that is not a plain colour, and must outlive the ink.
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

  /// The same ink with a copy of its source's rows.
  func with(_ rows: UnsafeMutablePointer<SourceRows>) -> Ink {
    var copy = self
    unsafe copy.rows = rows
    return copy
  }

  var isOpaque: Bool { alpha == 255 }

  var isColor: Bool { unsafe rows == nil }
}

/// The inks of all tiles of a scene, the first of which is the background's.
// Unsafe to hold on to: they are lent by `ComposingLane`.
@unsafe struct Inks {
  private let first: UnsafePointer<Ink>
  private let count: UInt

  /// Nil where there is none.
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

  /// The inks from one of them on.
  @inline(__always)
  func from(_ number: Int) -> Inks {
    unsafe Inks(at(number), count &- UInt(bitPattern: number))
  }
}
