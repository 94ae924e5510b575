// SPDX-License-Identifier: MIT

internal import RoundelGeometry

/// A row's pixels as runs of one ink. An opaque layer replaces unwritten runs, and a translucent
/// one changes their colour, so that most pixels are written once.
// Unsafe to hold on to: borrowed from `ComposingLane`.
@unsafe struct RowRuns {
  struct Run: BitwiseCopyable {
    var x0: Int
    var x1: Int
    var state: State
    /// The colour to fill with, or the index of the ink whose source is copied.
    var value: UInt32
  }

  enum State: UInt32, BitwiseCopyable {
    case written, color, source
  }

  let row: PixelRow
  /// From left to right, without gaps, each at least one pixel.
  private(set) var runs: UnsafeMutablePointer<Run>
  private(set) var count = 1
  private var next: UnsafeMutablePointer<Run>
  /// Of each of the two lists.
  private let capacity: Int

  /// - Parameter memory: For two lists of runs.
  init(_ row: PixelRow, memory: UnsafeMutableBufferPointer<Run>) {
    let columns = unsafe row.pixels.columns
    let capacity = memory.count / 2
    guard let first = memory.baseAddress, !columns.isEmpty, capacity > 0 else {
      fatalError("no space for the runs of a row")
    }
    unsafe self.row = row
    unsafe self.capacity = capacity
    unsafe runs = first
    unsafe next = first + capacity
    unsafe runs[0] = unsafe Run(
      x0: columns.lowerBound, x1: columns.upperBound, state: .color,
      value: row.inks.at(0).pointee.pixel)
  }

  /// - Parameters:
  ///   - edges: The pixels to blend later, where older runs are written.
  ///   - isLast: Whether this is the last layer. Everything is then written from left to right, a
  ///     fifth faster than in any other order.
  @inline(__always)
  mutating func lay(
    _ solids: UnsafeBufferPointer<Coverage.Solid>, _ firstInk: Int, _ x0: Int, _ x1: Int,
    edges: Range<Int>, isLast: Bool
  ) {
    let edges = isLast ? Int.min..<Int.max : edges
    // A solid adds itself and the rest of a run before it. It ends at x1, within the last run, so
    // none after that is accessed.
    let columns = unsafe row.pixels.columns
    precondition(x0 >= columns.lowerBound && x1 <= columns.upperBound, "painted outside the row")
    unsafe precondition(count + 2 * solids.count <= capacity, "no space for the runs of a row")
    var old = unsafe runs
    var run = unsafe old.pointee
    var kept = unsafe next
    for number in 0..<solids.count {
      let solid = unsafe solids[number]
      let place = firstInk &+ Int(solid.tile)
      let ink = unsafe row.inks.at(place)
      let (from, to) = unsafe ink.pointee.shown(
        row.y, max(Int(solid.x0), x0), min(Int(solid.x1), x1))
      guard from < to else { continue }
      while run.x1 <= from {
        // The previous solid may have replaced the whole run.
        if run.x0 < run.x1 {
          unsafe kept.pointee = run
          unsafe write(&kept.pointee, under: edges)
          unsafe kept += 1
        }
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
        if isLast { unsafe write(&kept.pointee, under: edges) }
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
          if isLast { unsafe write(&kept.pointee, under: edges) }
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

  @inline(never)
  private func blend(_ ink: Ink, over run: inout Run) {
    if ink.isColor, run.state == .color {
      let taken = weight(coverage: 256, alpha: UInt64(ink.alpha))
      run.value = mix(ink.color, weight: taken, over: run.value)
      return
    }
    if ink.isColor, run.state == .source,
      let source = unsafe row.inks.at(Int(run.value)).pointee.row(row.y, run.x0, run.x1)
    {
      unsafe ink.uniformLayer.blend(
        run.x0, run.x1, over: source, into: row.pixels.zero(for: run.x0, run.x1))
      run.state = .written
      return
    }
    unsafe Self.write(&run, row.y, row.pixels, row.inks)
    unsafe row.blend(ink, run.x0, run.x1)
  }

  // Static, because `self` would be copied for each call.
  @inline(never)
  private static func write(
    _ run: inout Run, _ y: Int, _ pixels: RowPixels, _ inks: Inks
  ) {
    let row = unsafe PixelRow(y: y, pixels: pixels, inks: inks)
    if run.state == .color {
      unsafe row.write(run.x0, run.x1, run.value)
    } else if run.state == .source {
      unsafe row.write(run.x0, run.x1, source: inks.at(Int(run.value)).pointee)
    }
    run.state = .written
  }

  func write() {
    for index in unsafe 0..<count where unsafe runs[index].state != .written {
      unsafe Self.write(&runs[index], row.y, row.pixels, row.inks)
    }
  }

  func write(under pixels: Range<Int>) {
    for index in unsafe 0..<count { unsafe write(&runs[index], under: pixels) }
  }

  @inline(__always)
  private func write(_ run: inout Run, under pixels: Range<Int>) {
    if run.state != .written, run.x0 < pixels.upperBound, run.x1 > pixels.lowerBound {
      unsafe Self.write(&run, row.y, row.pixels, row.inks)
    }
  }
}
