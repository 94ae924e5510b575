// SPDX-License-Identifier: MIT

internal import CRoundelPixels
internal import RoundelDrawing
internal import RoundelGeometry
internal import Glibc

/// The pixels of a scaled or interpolated image, a strip, a radial gradient, or text with emoji.
/// Transparent outside its bounds.
// Safe: the memory is owned by this object or by objects it keeps, and only its own methods write
// it.
@safe final class PixelSource {
  /// For inks, which don't keep the source alive. A copy with its own memory composes rows.
  let rows: UnsafeMutablePointer<SourceRows>
  private(set) var isOpaque: Bool
  private(set) var isInterim = false
  /// May be shared.
  let pixels: ImagePixels?
  private var level: ImageLevel?
  private var colors: TextColors?
  private let reservation: ImageMemory.Reservation?
  private var canvases: [Canvas] = []
  /// From start to end.
  private var gradientColors: UnsafeMutablePointer<UInt32>?

  var bounds: PixelRect { unsafe rows.pointee.bounds }

  init() {
    isOpaque = true
    pixels = nil
    reservation = nil
    unsafe rows = .allocate(capacity: 1)
    unsafe rows.initialize(to: SourceRows(lines: .allocate(capacity: 1)))
  }

  init(_ pixels: ImagePixels, reservation: ImageMemory.Reservation) {
    self.pixels = pixels
    self.reservation = reservation
    isOpaque = pixels.isOpaque
    let lines = UnsafeMutableBufferPointer<SourceRows.Line>.allocate(capacity: pixels.bounds.height)
    for number in lines.indices {
      unsafe lines.initializeElement(at: number, to: pixels.line(number))
    }
    unsafe rows = .allocate(capacity: 1)
    unsafe rows.initialize(to: SourceRows(lines: lines))
    unsafe rows.pointee.bounds = pixels.bounds
    unsafe rows.pointee.areLinesShort = true
  }

  deinit {
    unsafe rows.pointee.lines.deallocate()
    unsafe rows.deallocate()
    unsafe gradientColors?.deallocate()
  }

  func show(
    _ level: ImageLevel, _ sampler: ImageSampler, bounds: PixelRect, isOpaque: Bool,
    isInterim: Bool
  ) {
    clear()
    self.level = level
    self.isOpaque = isOpaque
    self.isInterim = isInterim
    unsafe rows.pointee.origin = .image
    unsafe rows.pointee.sampler = sampler
    unsafe rows.pointee.bounds = bounds
  }

  /// - Parameter gradient: Radial, in canvas pixels.
  func show(_ gradient: Gradient, bounds: PixelRect) {
    clear()
    guard case .radial(let center, let from, let to) = gradient.path else { return }
    isOpaque = false
    isInterim = false
    let count = Int(PIXELS_GRADIENT_COLORS)
    let colors = unsafe gradientColors ?? .allocate(capacity: count)
    unsafe gradientColors = colors
    for index in 0..<count {
      let color = gradient.color(at: Double(index) / Double(count - 1))
      unsafe (colors + index).initialize(to: color.premultipliedPixel)
    }
    unsafe rows.pointee.origin = .gradient
    // The centre of a pixel is half a pixel after its coordinates.
    unsafe rows.pointee.gradient = pixels_gradient(
      colors: colors, x: Float(center.x - 0.5), y: Float(center.y - 0.5), start: Float(from),
      scale: from == to ? 1e9 : Float(Double(count - 1) / (to - from)))
    unsafe rows.pointee.bounds = bounds
  }

  /// The ink's alpha fades both.
  func show(_ colors: TextColors, in ink: Color, bounds: PixelRect) {
    clear()
    self.colors = colors
    isOpaque = false
    isInterim = false
    unsafe rows.pointee.origin = .text
    unsafe rows.pointee.text = SourceRows.Text(
      colors: .passUnretained(colors), ink: ink.premultipliedPixel, alpha: UInt32(ink.alpha))
    unsafe rows.pointee.bounds = bounds
  }

  /// Removes the content, and keeps the memory for lines.
  func clear() {
    level = nil
    colors = nil
    canvases.removeAll(keepingCapacity: true)
    unsafe rows.pointee.origin = .lines
    unsafe rows.pointee.blur = nil
    unsafe rows.pointee.sampler = nil
    unsafe rows.pointee.text = nil
    unsafe rows.pointee.gradient = nil
    unsafe rows.pointee.bounds = .empty
  }

  var isMadeByRow: Bool { unsafe [.image, .text, .gradient].contains(rows.pointee.origin) }

  /// Each row is a line, or the mean of `blur.length` lines.
  /// - Parameter left: The column of the canvases' first pixel.
  func show(
    _ bounds: PixelRect, left: Int, blur: VerticalBlur?, canvases: [Canvas],
    lines: [(canvas: Int, line: Int)], isInterim: Bool
  ) {
    precondition(
      lines.count == bounds.height + (blur?.length ?? 1) - 1, "a mean needs all its lines")
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
          && bounds.x1 - left <= canvas.size.width, "a line outside its canvas")
      if let start = unsafe canvas.pixels.baseAddress {
        // In bounds: the line is in the canvas, as checked above, and there is space for all lines.
        unsafe rows.pointee.lines[index] = SourceRows.Line(
          zero: start + line * canvas.size.width - left, bounds.x0..<bounds.x1)
      }
    }
    isOpaque = true
    self.isInterim = isInterim
    unsafe rows.pointee.bounds = bounds
    unsafe rows.pointee.origin = blur == nil ? .lines : .blur
    unsafe rows.pointee.blur = blur
  }
}

/// The next frame reuses the memory.
// Unsafe to hold on to: its owner frees it with `deallocate`.
@unsafe struct RowMemory {
  fileprivate private(set) var row = unsafe UnsafeMutableBufferPointer<UInt32>(start: nil, count: 0)
  fileprivate private(set) var sums = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)

  mutating func reserve(for rows: SourceRows) {
    let width = unsafe rows.bounds.width
    if unsafe width > row.count {
      unsafe row.deallocate()
      unsafe row = .allocate(capacity: width)
    }
    let sumBytes = unsafe rows.blur == nil ? 0 : VerticalBlur.sumBytes(width)
    if unsafe sumBytes > sums.count {
      unsafe sums.deallocate()
      unsafe sums = .allocate(byteCount: sumBytes, alignment: 64)
    }
  }

  func deallocate() {
    unsafe row.deallocate()
    unsafe sums.deallocate()
  }
}

// Unsafe to hold on to: the source owns the lines, and the creator of the copy owns the memory for
// rows.
@unsafe struct SourceRows {
  // Unsafe to hold on to: the memory is owned by the source or by objects it keeps.
  @unsafe struct Line: BitwiseCopyable {
    /// Pixel 0 of the canvas's row. It may be outside the memory.
    let zero: UnsafePointer<UInt32>
    let x0: Int32
    let x1: Int32

    init(zero: UnsafePointer<UInt32>, _ columns: Range<Int>) {
      unsafe self.zero = zero
      unsafe x0 = Int32(columns.lowerBound)
      unsafe x1 = Int32(columns.upperBound)
    }
  }

  enum Origin: BitwiseCopyable {
    case lines, blur, image, text, gradient
  }

  // Safe: the source keeps the colours while this exists.
  @safe fileprivate struct Text {
    var colors: Unmanaged<TextColors>
    /// Premultiplied.
    var ink: UInt32
    var alpha: UInt32
  }

  fileprivate(set) var bounds = PixelRect.empty
  /// A line for each row of the bounds and, for a blur, for each line that contributes to a mean.
  fileprivate var lines: UnsafeMutableBufferPointer<Line>
  fileprivate var areLinesShort = false
  fileprivate(set) var origin = Origin.lines
  fileprivate var blur: VerticalBlur?
  fileprivate var sampler: ImageSampler?
  fileprivate var text: Text?
  fileprivate var gradient: pixels_gradient?
  /// Blurred rows run from top to bottom, each derived from the previous one in the nearest cache.
  private var made = unsafe UnsafeMutableBufferPointer<UInt32>(start: nil, count: 0)
  private var sums = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var madeRow = Int.min
  private var madeSpan = 0..<0

  fileprivate init(lines: UnsafeMutableBufferPointer<Line>) {
    unsafe self.lines = lines
  }

  var areMade: Bool { unsafe origin != .lines }

  /// Generates the rows in `memory`, which must be large enough.
  mutating func use(_ memory: RowMemory) {
    unsafe made = memory.row
    unsafe sums = memory.sums
    unsafe madeRow = .min
  }

  /// Returns the existing pixels, or an empty range.
  @inline(__always)
  func shown(_ y: Int, _ x0: Int, _ x1: Int) -> (Int, Int) {
    guard unsafe areLinesShort else { return unsafe (max(x0, bounds.x0), min(x1, bounds.x1)) }
    let line = unsafe line(y &- bounds.y0)
    return unsafe (max(x0, Int(line.x0)), min(x1, Int(line.x1)))
  }

  @inline(__always)
  private func line(_ number: Int) -> Line {
    unsafe precondition(
      UInt(bitPattern: number) < UInt(bitPattern: lines.count), "no such line of the source")
    return unsafe lines[number]
  }

  /// Pixel 0 of row `y`, inside the bounds. The pixels from `x0` to `x1` must exist, and are valid
  /// until the next row is requested.
  @inline(__always)
  mutating func row(_ y: Int, _ x0: Int, _ x1: Int) -> UnsafePointer<UInt32> {
    guard unsafe origin == .lines else { return unsafe make(y, x0, x1) }
    unsafe precondition(y < bounds.y1, "no such row of the source")
    let line = unsafe line(y &- bounds.y0)
    unsafe precondition(x0 >= line.x0 && x0 <= x1 && x1 <= line.x1, "no such pixels of the source")
    return unsafe line.zero
  }

  /// Returns nil if the pixels would have to be generated first.
  @inline(__always)
  func four(_ y: Int, _ x: Int) -> SIMD4<UInt32>? {
    let row: UnsafePointer<UInt32>
    if unsafe origin == .lines {
      guard unsafe y >= bounds.y0, unsafe y < bounds.y1 else { return nil }
      let line = unsafe line(y &- bounds.y0)
      guard unsafe x >= line.x0, unsafe x + 4 <= line.x1 else { return nil }
      unsafe row = line.zero
    } else {
      guard unsafe isMade(y, x, x + 4) else { return nil }
      unsafe row = UnsafePointer(madeZero)
    }
    // All four are pixels of the line, or of the last generated row.
    return unsafe UnsafeRawPointer(row + x).loadUnaligned(as: SIMD4<UInt32>.self)
  }

  @inline(never)
  private mutating func make(_ y: Int, _ x0: Int, _ x1: Int) -> UnsafePointer<UInt32> {
    unsafe check(y, x0, x1)
    switch unsafe origin {
    case .blur: return unsafe blurredRow(y)
    case .image: return unsafe sampledRow(y, x0, x1)
    case .text: return unsafe coloredRow(y, x0, x1)
    case .gradient: return unsafe gradientRow(y, x0, x1)
    case .lines: fatalError("the lines already exist")
    }
  }

  /// Writes pixels, which must all exist, to their positions in `row`.
  mutating func write(_ y: Int, _ x0: Int, _ x1: Int, to row: UnsafeMutablePointer<UInt32>) {
    if unsafe origin == .image, let sampler = unsafe sampler, unsafe !isMade(y, x0, x1) {
      unsafe check(y, x0, x1)
      unsafe sampler.sample(y, x0, x1, into: row)
    } else {
      unsafe (row + x0).update(from: self.row(y, x0, x1) + x0, count: x1 - x0)
    }
  }

  /// Generates `span` at once, because starting takes longer than an edge's few pixels.
  @inline(never)
  mutating func prepare(_ y: Int, _ span: Range<Int>) {
    guard unsafe y >= bounds.y0, unsafe y < bounds.y1 else { return }
    let (x0, x1) = unsafe shown(y, span.lowerBound, span.upperBound)
    if x0 < x1 { _ = unsafe row(y, x0, x1) }
  }

  @inline(__always)
  private func check(_ y: Int, _ x0: Int, _ x1: Int) {
    unsafe precondition(
      y >= bounds.y0 && y < bounds.y1 && x0 >= bounds.x0 && x0 <= x1 && x1 <= bounds.x1,
      "no such pixels of the source")
  }

  /// Pixel 0 of the canvas's row, relative to the memory for a generated row.
  private var madeZero: UnsafeMutablePointer<UInt32> {
    guard let start = unsafe made.baseAddress, unsafe made.count >= bounds.width else {
      fatalError("no space for a row of a source")
    }
    return unsafe start - bounds.x0
  }

  private func isMade(_ y: Int, _ x0: Int, _ x1: Int) -> Bool {
    unsafe y == madeRow && x0 >= madeSpan.lowerBound && x1 <= madeSpan.upperBound
  }

  private mutating func sampledRow(_ y: Int, _ x0: Int, _ x1: Int) -> UnsafePointer<UInt32> {
    let row = unsafe madeZero
    if unsafe !isMade(y, x0, x1) {
      unsafe sampler?.sample(y, x0, x1, into: row)
      unsafe madeRow = y
      unsafe madeSpan = x0..<x1
    }
    return unsafe UnsafePointer(row)
  }

  private mutating func coloredRow(_ y: Int, _ x0: Int, _ x1: Int) -> UnsafePointer<UInt32> {
    let row = unsafe madeZero
    if let text = unsafe text, unsafe !isMade(y, x0, x1) {
      unsafe text.colors._withUnsafeGuaranteedRef {
        unsafe $0.write(y, x0, x1, over: text.ink, alpha: text.alpha, to: row)
      }
      unsafe madeRow = y
      unsafe madeSpan = x0..<x1
    }
    return unsafe UnsafePointer(row)
  }

  private mutating func gradientRow(_ y: Int, _ x0: Int, _ x1: Int) -> UnsafePointer<UInt32> {
    let row = unsafe madeZero
    if unsafe !isMade(y, x0, x1), let gradient = unsafe gradient {
      unsafe pixels_radial(gradient, Int32(clamping: x0), Int32(clamping: y), row + x0, x1 - x0)
      unsafe madeRow = y
      unsafe madeSpan = x0..<x1
    }
    return unsafe UnsafePointer(row)
  }

  private mutating func blurredRow(_ y: Int) -> UnsafePointer<UInt32> {
    let row = unsafe madeZero
    guard let blur = unsafe blur, unsafe y != madeRow else { return unsafe UnsafePointer(row) }
    let first = unsafe y - bounds.y0
    let last = first + blur.length - 1
    guard first >= 0, unsafe last < lines.count, let sums = unsafe sums.baseAddress,
      unsafe self.sums.count >= VerticalBlur.sumBytes(bounds.width)
    else { fatalError("no space for the sums of a blur") }
    // Each line has all pixels of the bounds.
    let x0 = unsafe bounds.x0
    if unsafe y != madeRow + 1 {
      unsafe blur.begin(sums, lines[first..<last], x0, bounds.width)
    }
    unsafe blur.slide(
      sums, in: lines[last].zero + x0, out: lines[first].zero + x0, into: row + x0,
      width: bounds.width)
    unsafe madeRow = y
    return unsafe UnsafePointer(row)
  }
}
