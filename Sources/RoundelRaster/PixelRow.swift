// SPDX-License-Identifier: MIT

internal import CRoundelPixels
internal import RoundelGeometry

// Unsafe to hold on to: borrowed from `ComposingLane`.
@unsafe struct PixelRow {
  let y: Int
  let pixels: RowPixels
  let inks: Inks

  @inline(__always)
  func write(_ x0: Int, _ x1: Int, _ color: UInt32) {
    unsafe fill(pixels.zero(for: x0, x1) + x0, with: color, count: x1 &- x0)
  }

  /// - Parameter ink: Its source must contain the pixels.
  func write(_ x0: Int, _ x1: Int, source ink: Ink) {
    // A run only contains pixels within its ink's bounds.
    unsafe ink.rows?.pointee.write(y, x0, x1, to: pixels.zero(for: x0, x1))
  }

  func blend(_ ink: Ink, _ x0: Int, _ x1: Int) {
    if ink.isColor {
      let row = unsafe pixels.zero(for: x0, x1)
      unsafe ink.uniformLayer.blend(x0, x1, over: row, into: row)
    } else if let source = unsafe ink.row(y, x0, x1) {
      unsafe pixels_cover(source + x0, pixels.zero(for: x0, x1) + x0, x1 - x0)
    }
  }

  func blend(
    _ solids: UnsafeBufferPointer<Coverage.Solid>, _ firstInk: Int, _ x0: Int, _ x1: Int
  ) {
    for number in 0..<solids.count {
      let solid = unsafe solids[number]
      let ink = unsafe inks.at(firstInk + Int(solid.tile)).pointee
      let (from, to) = unsafe ink.shown(y, max(Int(solid.x0), x0), min(Int(solid.x1), x1))
      guard from < to else { continue }
      if !ink.isOpaque {
        unsafe blend(ink, from, to)
      } else if ink.isColor {
        unsafe write(from, to, ink.pixel)
      } else {
        unsafe write(from, to, source: ink)
      }
    }
  }

  @inline(__always)
  func blend(
    _ own: Coverage.RowParts, of coverage: UnsafePointer<Coverage.View>, _ firstInk: Int, _ x0: Int,
    _ x1: Int
  ) {
    if own.hasQuads {
      unsafe Self.blend(
        coverage.pointee.quads(own), y, pixels.zero(for: x0, x1), inks.from(firstInk), x0, x1)
    }
    if own.hasShared {
      unsafe blend(coverage.pointee.shared(own), of: coverage, firstInk, x0, x1)
    }
  }

  /// - Parameter pixels: The position of pixel 0, for painting the pixels `x0 ..< x1`. Each blended
  ///   quad contains one of these.
  // Static, because `self` would have to stay in memory.
  @inline(never)
  private static func blend(
    _ quads: UnsafeBufferPointer<Coverage.Quad>, _ y: Int, _ pixels: UnsafeMutablePointer<UInt32>,
    _ inks: Inks, _ x0: Int, _ x1: Int
  ) {
    guard var quad = quads.baseAddress else { return }
    let end = unsafe quad + quads.count
    while unsafe quad < end {
      let from = unsafe Int(quad.pointee.x)
      let to = unsafe Int(quad.pointee.x1)
      let ink = unsafe inks.at(Int(quad.pointee.tile))
      if from >= x0, to <= x1, unsafe ink.pointee.isColor {
        unsafe blend(
          ink, SIMD4(truncatingIfNeeded: quad.pointee.weights), pixels + from)
      } else if from < x1, to > x0 {
        unsafe blend(ink, quad.pointee, y, pixels, max(from, x0), min(to, x1))
      }
      unsafe quad += 1
    }
  }

  /// Blends a colour into four pixels. Pixels with weight 0 don't change, and may be outside the
  /// row.
  @inline(__always)
  private static func blend(
    _ ink: UnsafePointer<Ink>, _ weights: SIMD4<UInt32>, _ pixels: UnsafeMutablePointer<UInt32>
  ) {
    var taken = weights
    if unsafe !ink.pointee.isOpaque {
      taken = unsafe weight(coverage: taken, alpha: ink.pointee.alpha)
    }
    let place = UnsafeMutableRawPointer(pixels)
    let below = unsafe place.loadUnaligned(as: SIMD4<UInt32>.self)
    unsafe place.storeBytes(
      of: FourMixer(ink.pointee.pixel).mix(taken, over: below), as: SIMD4<UInt32>.self)
  }

  @inline(never)
  private static func blend(
    _ ink: UnsafePointer<Ink>, _ quad: Coverage.Quad, _ y: Int,
    _ pixels: UnsafeMutablePointer<UInt32>, _ from: Int, _ to: Int
  ) {
    let x = Int(quad.x)
    var weights = SIMD4<UInt32>(truncatingIfNeeded: quad.weights)
    let columns = SIMD4<Int32>(0, 1, 2, 3) &+ quad.x
    weights.replace(
      with: 0,
      where: columns .< Int32(truncatingIfNeeded: from)
        .| columns .>= Int32(truncatingIfNeeded: to))
    if unsafe ink.pointee.isColor {
      unsafe blend(ink, weights, pixels + x)
    } else {
      guard let four = unsafe ink.pointee.four(y, x, from, to) else { return }
      let place = UnsafeMutableRawPointer(unsafe pixels + x)
      let below = unsafe place.loadUnaligned(as: SIMD4<UInt32>.self)
      let blended = RoundelRaster.blend(
        premultiplied: four, weights: weights, over: below)
      unsafe place.storeBytes(of: blended, as: SIMD4<UInt32>.self)
    }
  }

  /// Adds the colours of several tiles.
  private func blend(
    _ shared: UnsafeBufferPointer<Coverage.Shared>, of coverage: UnsafePointer<Coverage.View>,
    _ firstInk: Int,
    _ x0: Int, _ x1: Int
  ) {
    for number in 0..<shared.count {
      let span = unsafe shared[number]
      let (from, to) = (max(Int(span.x0), x0), min(Int(span.x1), x1))
      guard from < to else { continue }
      let tiles = unsafe coverage.pointee.tiles(span)
      let weights = unsafe coverage.pointee.weights(span, count: tiles.count)
      var given: Lanes = 0
      var areColors = true
      for member in 0..<tiles.count {
        let ink = unsafe inks.at(firstInk + Int(tiles[member]))
        areColors = unsafe areColors && ink.pointee.isColor
        given &+= unsafe contribution(
          ink.pointee.color,
          weight: weight(coverage: UInt64(weights[member]), alpha: UInt64(ink.pointee.alpha)))
      }
      if areColors {
        let row = unsafe pixels.zero(for: from, to)
        unsafe UniformLayer(given).blend(from, to, over: row, into: row)
      } else {
        for x in from..<to { unsafe blend(tiles, weights, firstInk, x) }
      }
    }
  }

  /// Adds the pixels of tiles that aren't all plain colours.
  private func blend(
    _ tiles: UnsafeBufferPointer<Int32>, _ weights: UnsafeBufferPointer<UInt16>, _ firstInk: Int,
    _ x: Int
  ) {
    var given: Lanes = 0
    for member in 0..<tiles.count {
      let ink = unsafe inks.at(firstInk + Int(tiles[member])).pointee
      let covered = unsafe UInt64(weights[member])
      if ink.isColor {
        given &+= contribution(
          ink.color, weight: weight(coverage: covered, alpha: UInt64(ink.alpha)))
      } else {
        let (from, to) = unsafe ink.shown(y, x, x + 1)
        guard from < to, let source = unsafe ink.row(y, from, to) else { continue }
        given &+= unsafe contribution(premultiplied: source[x], covered: covered)
      }
    }
    let row = unsafe pixels.zero(for: x, x + 1)
    unsafe row[x] = RoundelRaster.blend(given, over: row[x])
  }
}

extension Ink {
  /// The source's pixel 0, or nil for a colour. The pixels from `x0` to `x1` are valid.
  @inline(__always)
  func row(_ y: Int, _ x0: Int, _ x1: Int) -> UnsafePointer<UInt32>? {
    guard let rows = unsafe rows else { return nil }
    return unsafe rows.pointee.row(y, x0, x1)
  }

  /// Returns four pixels of the source, needed from `from` to `to`. Missing
  /// pixels are transparent. Nil if all are missing.
  func four(_ y: Int, _ x: Int, _ from: Int, _ to: Int) -> SIMD4<UInt32>? {
    if let four = unsafe rows?.pointee.four(y, x) { return four }
    let (from, to) = shown(y, from, to)
    guard from < to, let source = unsafe row(y, from, to) else { return nil }
    var four = SIMD4<UInt32>.zero
    for column in from..<to { unsafe four[column &- x] = source[column] }
    return four
  }

  @inline(__always)
  func shown(_ y: Int, _ x0: Int, _ x1: Int) -> (Int, Int) {
    guard let rows = unsafe rows else { return (x0, x1) }
    guard y >= bounds.y0, y < bounds.y1 else { return (x0, x0) }
    return unsafe rows.pointee.shown(y, x0, x1)
  }

  var uniformLayer: UniformLayer {
    UniformLayer(contribution(color, weight: weight(coverage: 256, alpha: UInt64(alpha))))
  }
}
