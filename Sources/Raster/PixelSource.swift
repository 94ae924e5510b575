// SPDX-License-Identifier: MIT

internal import Drawing
internal import Geometry
internal import Glibc

/// Pixels that a shape is filled with, placed on the canvas: an image at the size at which it is
/// shown, one that is interpolated row by row, the rows of a strip, or the colours of a text with emoji.
/// Outside of its bounds it is clear.
// Safe: the memory is this object's own or of what it keeps, and is written only by `init`, `show` and,
// line by line, `SourceRows`.
@safe final class PixelSource {
  /// For inks, which do not keep it.
  let rows: UnsafeMutablePointer<SourceRows>
  /// Whether every pixel that it shows is opaque.
  private(set) var isOpaque: Bool
  /// Whether it stands for another one that is not made yet.
  private(set) var isInterim = false
  /// Those of an image, which others may show, too.
  let pixels: ImagePixels?
  private var level: ImageLevel?
  private var colors: TextColors?
  private let share: ImageMemory.Share?
  private var canvases: [Canvas] = []

  var bounds: PixelRect { unsafe rows.pointee.bounds }

  /// What canvases or a level show, as `show` says.
  init() {
    isOpaque = true
    pixels = nil
    share = nil
    unsafe rows = .allocate(capacity: 1)
    unsafe rows.initialize(to: SourceRows(lines: .allocate(capacity: 1)))
  }

  /// Pixels of an image, in memory that has been taken.
  init(_ pixels: ImagePixels, share: ImageMemory.Share) {
    self.pixels = pixels
    self.share = share
    isOpaque = pixels.isOpaque
    let height = pixels.bounds.height
    unsafe rows = .allocate(capacity: 1)
    unsafe rows.initialize(to: SourceRows(lines: .allocate(capacity: max(height, 1))))
    unsafe rows.pointee.bounds = pixels.bounds
    let spans = UnsafeMutablePointer<SourceRows.Span>.allocate(capacity: max(height, 1))
    unsafe rows.pointee.spans = spans
    for line in 0..<height {
      unsafe (spans + line).initialize(to: pixels.span(ofLine: line))
      unsafe rows.pointee.lines[line] = pixels.start(ofLine: line)
    }
  }

  deinit {
    unsafe rows.pointee.lines.deallocate()
    unsafe rows.pointee.spans?.deallocate()
    unsafe rows.pointee.made.deallocate()
    unsafe rows.pointee.sums.deallocate()
    unsafe rows.deallocate()
  }

  /// Shows an image that is interpolated in each frame, as `sampler` says, which takes it from `level`.
  func show(
    _ level: ImageLevel, _ sampler: ImageSampler, bounds: PixelRect, isOpaque: Bool,
    isInterim: Bool
  ) {
    clear()
    self.level = level
    self.isOpaque = isOpaque
    self.isInterim = isInterim
    reserve(bounds.width)
    unsafe rows.pointee.sampler = sampler
    unsafe rows.pointee.bounds = bounds
  }

  /// Shows the colours of a text, and where it has none an ink, whose alpha fades all of it.
  func show(_ colors: TextColors, in ink: Color, bounds: PixelRect) {
    clear()
    self.colors = colors
    isOpaque = false
    isInterim = false
    reserve(bounds.width)
    unsafe rows.pointee.text = SourceRows.Text(
      colors: .passUnretained(colors), ink: ink.premultipliedPixel, alpha: UInt32(ink.alpha))
    unsafe rows.pointee.bounds = bounds
  }

  /// Shows nothing, and keeps the memory for rows.
  func clear() {
    level = nil
    colors = nil
    canvases.removeAll(keepingCapacity: true)
    unsafe rows.pointee.blur = nil
    unsafe rows.pointee.sampler = nil
    unsafe rows.pointee.text = nil
    unsafe rows.pointee.bounds = .empty
    unsafe rows.pointee.madeRow = .min
  }

  /// Whether its rows are made of something else when they are painted.
  var isMadeByRow: Bool { unsafe rows.pointee.sampler != nil || rows.pointee.text != nil }

  /// Sees to room for a row that is made while it is painted.
  private func reserve(_ width: Int) {
    guard unsafe width > rows.pointee.made.count else { return }
    unsafe rows.pointee.made.deallocate()
    unsafe rows.pointee.made = .allocate(capacity: width)
  }

  /// Shows lines of canvases, `left` at pixel 0 of the canvas's row, each the mean of as many as `blur`
  /// says: `lines` says for each of them which canvas and which of its lines.
  func show(
    _ bounds: PixelRect, left: Int, blur: VerticalBlur?, canvases: [Canvas],
    lines: [(canvas: Int, line: Int)]
  ) {
    precondition(
      lines.count == bounds.height + (blur?.length ?? 1) - 1, "a mean needs all of its lines")
    clear()
    self.canvases.append(contentsOf: canvases)
    if unsafe lines.count > rows.pointee.lines.count {
      unsafe rows.pointee.lines.deallocate()
      unsafe rows.pointee.lines = .allocate(capacity: lines.count * 2)
    }
    for index in lines.indices {
      let canvas = canvases[lines[index].canvas]
      let line = lines[index].line
      precondition(
        line >= 0 && line < canvas.size.height && left <= bounds.x0
          && bounds.x1 - left <= canvas.size.width, "a line outside of its canvas")
      if let start = unsafe canvas.pixels.baseAddress {
        unsafe rows.pointee.lines[index] = UnsafePointer(start + line * canvas.size.width - left)
      }
    }
    let sumBytes = VerticalBlur.sumBytes(bounds.width)
    if blur != nil, unsafe sumBytes > rows.pointee.sums.count {
      unsafe rows.pointee.sums.deallocate()
      unsafe rows.pointee.sums = .allocate(byteCount: sumBytes, alignment: 64)
    }
    if blur != nil { reserve(bounds.width) }
    isOpaque = true
    isInterim = false
    unsafe rows.pointee.bounds = bounds
    unsafe rows.pointee.blur = blur
  }
}

/// The rows of a source.
// Unsafe to hold on to: the source owns the memory.
@unsafe struct SourceRows {
  /// The pixels of a row that there are, as places on the canvas.
  struct Span: BitwiseCopyable {
    var x0: Int32
    var x1: Int32
  }

  /// A text that has colours of its own.
  // Safe: the source keeps the colours as long as this.
  @safe fileprivate struct Text {
    var colors: Unmanaged<TextColors>
    /// Premultiplied.
    var ink: UInt32
    var alpha: UInt32
  }

  fileprivate(set) var bounds = PixelRect.empty
  /// Where pixel 0 of the canvas's row stands, or would, for each row of the bounds; for a blur, for
  /// each line that the means of the rows take in.
  fileprivate var lines: UnsafeMutableBufferPointer<UnsafePointer<UInt32>>
  /// For each row of the bounds; nil where each has all pixels.
  fileprivate var spans: UnsafeMutablePointer<Span>?
  fileprivate var blur: VerticalBlur?
  fileprivate var sampler: ImageSampler?
  fileprivate var text: Text?
  /// A row that was made when it was asked for. Blurred ones are asked for from top to bottom, so each
  /// is made of the one before it, and stands in the nearest cache when it is used.
  fileprivate var made = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 0)
  fileprivate var sums = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 64)
  fileprivate var madeRow = Int.min
  /// Which pixels of it there are, where they are interpolated.
  private var madeSpan = 0..<0

  fileprivate init(lines: UnsafeMutableBufferPointer<UnsafePointer<UInt32>>) {
    unsafe self.lines = lines
  }

  /// The pixels from `x0` to `x1` of the canvas's row `y` that there are; `x0 ..< x0` for none.
  @inline(__always)
  func shown(_ y: Int, _ x0: Int, _ x1: Int) -> (Int, Int) {
    unsafe spans.map { unsafe shown($0[y &- bounds.y0], x0, x1) }
      ?? (max(x0, bounds.x0), min(x1, bounds.x1))
  }

  @inline(__always)
  private func shown(_ span: Span, _ x0: Int, _ x1: Int) -> (Int, Int) {
    (max(x0, Int(span.x0)), min(x1, Int(span.x1)))
  }

  /// Where pixel 0 of the canvas's row `y`, one of the bounds, would stand. Of the row there are the
  /// pixels from `x0` to `x1`, all of which must be shown, until the next one is asked for.
  @inline(__always)
  mutating func row(_ y: Int, _ x0: Int, _ x1: Int) -> UnsafePointer<UInt32> {
    unsafe check(y, x0, x1)
    if unsafe blur != nil { return unsafe blurredRow(y) }
    if let sampler = unsafe sampler { return unsafe sampledRow(sampler, y, x0, x1) }
    if let text = unsafe text { return unsafe coloredRow(text, y, x0, x1) }
    return unsafe lines[y &- bounds.y0]
  }

  /// Writes the pixels from `x0` to `x1` of the canvas's row `y`, all of which must be shown, where they
  /// stand in `row`.
  mutating func write(_ y: Int, _ x0: Int, _ x1: Int, to row: UnsafeMutablePointer<UInt32>) {
    if let sampler = unsafe sampler, unsafe !isMade(y, x0, x1) {
      unsafe check(y, x0, x1)
      unsafe sampler.sample(y, x0, x1, into: row)
    } else {
      unsafe (row + x0).update(from: self.row(y, x0, x1) + x0, count: x1 - x0)
    }
  }

  /// Makes the pixels of row `y` of which parts will be asked for, those of `span` that there
  /// are: to begin takes longer than an edge's few pixels do.
  @inline(never)
  mutating func prepare(_ y: Int, _ span: Range<Int>) {
    guard unsafe y >= bounds.y0, unsafe y < bounds.y1 else { return }
    let (x0, x1) = unsafe shown(y, span.lowerBound, span.upperBound)
    if x0 < x1 { _ = unsafe row(y, x0, x1) }
  }

  /// Sees to it that the pixels are of those that there are, and so is their line.
  @inline(__always)
  private func check(_ y: Int, _ x0: Int, _ x1: Int) {
    unsafe precondition(
      y >= bounds.y0 && y < bounds.y1 && shown(y, x0, x1) == (x0, x1), "no pixels of the source")
  }

  /// Where pixel 0 of the canvas's row would stand in the memory for a row that is made.
  private var madeZero: UnsafeMutablePointer<UInt32> {
    guard let start = unsafe made.baseAddress, unsafe made.count >= bounds.width else {
      fatalError("no room for a row of a source")
    }
    return unsafe start - bounds.x0
  }

  private func isMade(_ y: Int, _ x0: Int, _ x1: Int) -> Bool {
    unsafe y == madeRow && x0 >= madeSpan.lowerBound && x1 <= madeSpan.upperBound
  }

  @inline(never)
  private mutating func sampledRow(
    _ sampler: ImageSampler, _ y: Int, _ x0: Int, _ x1: Int
  ) -> UnsafePointer<UInt32> {
    let row = unsafe madeZero
    if unsafe !isMade(y, x0, x1) {
      unsafe sampler.sample(y, x0, x1, into: row)
      unsafe madeRow = y
      unsafe madeSpan = x0..<x1
    }
    return unsafe UnsafePointer(row)
  }

  @inline(never)
  private mutating func coloredRow(
    _ text: Text, _ y: Int, _ x0: Int, _ x1: Int
  ) -> UnsafePointer<UInt32> {
    let row = unsafe madeZero
    if unsafe !isMade(y, x0, x1) {
      unsafe text.colors._withUnsafeGuaranteedRef {
        unsafe $0.write(y, x0, x1, over: text.ink, alpha: text.alpha, to: row)
      }
      unsafe madeRow = y
      unsafe madeSpan = x0..<x1
    }
    return unsafe UnsafePointer(row)
  }

  @inline(never)
  private mutating func blurredRow(_ y: Int) -> UnsafePointer<UInt32> {
    let row = unsafe madeZero
    guard let blur = unsafe blur, unsafe y != madeRow else { return unsafe UnsafePointer(row) }
    let first = unsafe y - bounds.y0
    let last = first + blur.length - 1
    guard let lines = unsafe lines.baseAddress, unsafe last < self.lines.count,
      let sums = unsafe sums.baseAddress,
      unsafe self.sums.count >= VerticalBlur.sumBytes(bounds.width)
    else { fatalError("no room for the sums of a blur") }
    if unsafe y != madeRow + 1 { unsafe blur.begin(sums, lines + first, bounds.x0, bounds.width) }
    unsafe blur.slide(
      sums, in: lines[last] + bounds.x0, out: lines[first] + bounds.x0, into: row + bounds.x0,
      width: bounds.width)
    unsafe madeRow = y
    return unsafe UnsafePointer(row)
  }
}
