// SPDX-License-Identifier: MIT

internal import Geometry

/// The pixels of a row that is being composed, as runs of one ink each. A run is not written at once:
/// an opaque layer takes its place, and one that lets something through makes another colour of it, so
/// that most pixels are written once however many layers they lie under.
// Unsafe to hold on to: all of it is lent by `RowComposer`.
@unsafe struct RowRuns {
  /// Pixels side by side.
  struct Run: BitwiseCopyable {
    var x0: Int
    var x1: Int
    var state: State
    /// The colour that they are to be filled with, or the number of the ink whose source they are to
    /// be copied from.
    var value: UInt32
  }

  enum State: UInt32, BitwiseCopyable {
    case written, color, source
  }

  let y: Int
  /// Where pixel 0 of the row stands.
  let pixels: UnsafeMutablePointer<UInt32>
  /// The first is the background's.
  let inks: UnsafePointer<Ink>
  /// From left to right, without a gap.
  private(set) var runs: UnsafeMutablePointer<Run>
  private(set) var count = 1
  /// Room for those that come of them.
  private var next: UnsafeMutablePointer<Run>

  /// A row whose pixels `x0 ..< x1` show the background.
  ///
  /// - Parameter memory: room for twice as many runs as the canvas has pixels in a row.
  init(
    y: Int, x0: Int, x1: Int, pixels: UnsafeMutablePointer<UInt32>, width: Int,
    inks: UnsafePointer<Ink>, memory: UnsafeMutablePointer<Run>
  ) {
    unsafe self.y = y
    unsafe self.pixels = pixels
    unsafe self.inks = inks
    unsafe runs = memory
    unsafe next = memory + width
    unsafe runs[0] = unsafe Run(x0: x0, x1: x1, state: .color, value: inks[0].pixel)
  }

  /// Lays what a layer covers whole, between `x0` and `x1`, over the runs.
  ///
  /// - Parameters:
  ///   - edges: where the layer is blended into what lies below. What is left of older runs there is
  ///     written.
  ///   - isLast: whether nothing is laid any more. All is written then, from left to right: memory
  ///     takes that a fifth faster than the same runs in any other order.
  mutating func lay(
    _ solids: UnsafeBufferPointer<Coverage.Solid>, _ firstInk: Int, _ x0: Int, _ x1: Int,
    edges: Range<Int>, isLast: Bool
  ) {
    let edges = isLast ? Int.min..<Int.max : edges
    // Runs lie in the row and apart from each other, so neither buffer overflows; and each solid ends
    // at x1 at the latest, where the last run does not end earlier.
    var old = unsafe runs
    var run = unsafe old.pointee
    var kept = unsafe next
    for number in 0..<solids.count {
      let solid = unsafe solids[number]
      let place = firstInk &+ Int(solid.tile)
      let ink = unsafe inks + place
      var from = max(Int(solid.x0), x0)
      var to = min(Int(solid.x1), x1)
      if unsafe !ink.pointee.isColor {
        guard unsafe ink.pointee.row(y) != nil else { continue }
        from = unsafe max(from, ink.pointee.bounds.x0)
        to = unsafe min(to, ink.pointee.bounds.x1)
      }
      guard from < to else { continue }
      while run.x1 <= from {
        unsafe kept.pointee = run
        unsafe write(&kept.pointee, under: edges)
        unsafe kept += 1
        unsafe old += 1
        run = unsafe old.pointee
      }
      if run.x0 < from {
        unsafe kept.pointee = run
        unsafe kept.pointee.x1 = from
        unsafe write(&kept.pointee, under: edges)
        unsafe kept += 1
        run.x0 = from
      }
      if unsafe ink.pointee.isOpaque {
        let isColor = unsafe ink.pointee.isColor
        unsafe kept.pointee = Run(
          x0: from, x1: to, state: isColor ? .color : .source,
          value: isColor ? ink.pointee.pixel : UInt32(truncatingIfNeeded: place))
        if isLast { unsafe write(&kept.pointee) }
        unsafe kept += 1
        while run.x1 < to {
          unsafe old += 1
          run = unsafe old.pointee
        }
      } else {
        while true {
          unsafe kept.pointee = run
          unsafe kept.pointee.x1 = min(run.x1, to)
          unsafe blend(ink.pointee, over: &kept.pointee)
          if isLast { unsafe write(&kept.pointee) }
          unsafe kept += 1
          if run.x1 >= to { break }
          unsafe old += 1
          run = unsafe old.pointee
        }
      }
      run.x0 = to
    }
    if run.x0 < run.x1 {
      unsafe kept.pointee = run
      unsafe write(&kept.pointee, under: edges)
      unsafe kept += 1
    }
    let end = unsafe runs + count
    unsafe old += 1
    while unsafe old < end {
      unsafe kept.pointee = old.pointee
      unsafe write(&kept.pointee, under: edges)
      unsafe kept += 1
      unsafe old += 1
    }
    unsafe count = kept - next
    unsafe swap(&runs, &next)
  }

  /// Lays an ink that lets something through over a run.
  @inline(never)
  private func blend(_ ink: Ink, over run: inout Run) {
    if ink.isColor, run.state == .color {
      let taken = weight(coverage: 256, alpha: UInt64(ink.alpha))
      run.value = mix(ink.color, weight: taken, over: run.value)
      return
    }
    if ink.isColor, run.state == .source, let source = unsafe inks[Int(run.value)].row(y) {
      unsafe ink.blend(run.x0, run.x1, over: source, into: pixels)
    } else {
      unsafe write(&run)
      if ink.isColor {
        unsafe ink.blend(run.x0, run.x1, over: pixels, into: pixels)
      } else if let source = unsafe ink.row(y) {
        // The run lies inside of the source's bounds.
        for x in run.x0..<run.x1 {
          let given = unsafe contribution(premultiplied: source[x], covered: 256)
          unsafe pixels[x] = Raster.blend(given, over: pixels[x])
        }
      }
    }
    run.state = .written
  }

  private func write(_ run: inout Run) {
    unsafe Self.write(&run, y, inks, pixels)
  }

  /// Writes a run, where it is not written yet.
  // Not a method of the value: that would be copied for each call.
  @inline(never)
  private static func write(
    _ run: inout Run, _ y: Int, _ inks: UnsafePointer<Ink>, _ pixels: UnsafeMutablePointer<UInt32>
  ) {
    if run.state == .color {
      unsafe fill(pixels + run.x0, with: run.value, count: run.x1 &- run.x0)
    } else if run.state == .source, let source = unsafe inks[Int(run.value)].row(y) {
      // The run lies inside of the source's bounds.
      unsafe (pixels + run.x0).update(from: source + run.x0, count: run.x1 - run.x0)
    }
    run.state = .written
  }

  /// Writes all runs.
  func write() {
    for index in unsafe 0..<count where unsafe runs[index].state != .written {
      unsafe write(&runs[index])
    }
  }

  /// Writes the runs in which some of `pixels` lie.
  func write(under pixels: Range<Int>) {
    for index in unsafe 0..<count { unsafe write(&runs[index], under: pixels) }
  }

  @inline(__always)
  private func write(_ run: inout Run, under pixels: Range<Int>) {
    if run.state != .written, run.x0 < pixels.upperBound, run.x1 > pixels.lowerBound {
      unsafe Self.write(&run, y, inks, self.pixels)
    }
  }
}

extension Ink {
  /// Where pixel 0 of the canvas's row `y` would stand in the source; nil where the source has no
  /// such row, and for a colour.
  @inline(__always)
  func row(_ y: Int) -> UnsafePointer<UInt32>? {
    guard let pixels = unsafe pixels, y >= bounds.y0, y < bounds.y1 else { return nil }
    return unsafe pixels + ((y - bounds.y0) * bounds.width - bounds.x0)
  }

  /// Blends a colour that lets something through over pixels that both `below` and `row` address by
  /// the canvas's x.
  func blend(
    _ from: Int, _ to: Int, over below: UnsafePointer<UInt32>,
    into row: UnsafeMutablePointer<UInt32>
  ) {
    let mixer = FourMixer(pixel)
    let taken = weight(coverage: 256, alpha: UInt64(alpha))
    let four = SIMD4(repeating: UInt32(taken))
    var x = from
    while x &+ 4 <= to {
      let source = unsafe UnsafeRawPointer(below + x).loadUnaligned(as: SIMD4<UInt32>.self)
      unsafe UnsafeMutableRawPointer(row + x).storeBytes(
        of: mixer.mix(four, over: source), as: SIMD4<UInt32>.self)
      x &+= 4
    }
    while x < to {
      unsafe row[x] = mix(color, weight: taken, over: below[x])
      x &+= 1
    }
  }
}
