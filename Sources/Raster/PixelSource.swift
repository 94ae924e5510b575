// SPDX-License-Identifier: MIT

internal import Geometry
internal import Glibc

/// Pixels that a shape is filled with, placed on the canvas: an image at the size at which it is
/// shown, or the rows of a strip. Outside of its bounds it is clear.
// Safe: the memory is this object's own or of canvases that it keeps, and is written only by `init`,
// `show` and, line by line, `SourceRows`.
@safe final class PixelSource {
  /// For inks, which do not keep it.
  let rows: UnsafeMutablePointer<SourceRows>
  /// Whether every pixel inside the bounds is opaque.
  let isOpaque: Bool
  private let memory: UnsafeMutablePointer<UInt32>?
  private let share: ImageMemory.Share?
  private var canvases: [Canvas] = []
  private var lineCapacity: Int
  private var widthCapacity = 0

  var bounds: PixelRect { unsafe rows.pointee.bounds }

  /// What canvases show, as `show` says.
  init() {
    isOpaque = true
    unsafe memory = nil
    share = nil
    lineCapacity = 1
    unsafe rows = .allocate(capacity: 1)
    unsafe rows.initialize(to: SourceRows(lines: .allocate(capacity: 1)))
  }

  /// Pixels, `bounds.width` a row, premultiplied `0xAARRGGBB`, each row for `rowLines` lines. `fill`
  /// writes all of them, and says whether each is opaque.
  init(
    bounds: PixelRect, rowLines: Int, share: ImageMemory.Share,
    fill: (UnsafeMutablePointer<UInt32>) -> Bool
  ) {
    let count = bounds.width * ((bounds.height + rowLines - 1) / rowLines)
    let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: max(count, 1))
    unsafe memory.initialize(repeating: 0, count: count)
    unsafe self.memory = memory
    self.share = share
    isOpaque = unsafe fill(memory)
    lineCapacity = max(bounds.height, 1)
    unsafe rows = .allocate(capacity: 1)
    unsafe rows.initialize(to: SourceRows(lines: .allocate(capacity: lineCapacity)))
    unsafe rows.pointee.bounds = bounds
    for line in 0..<max(bounds.height, 0) {
      unsafe rows.pointee.lines[line] = UnsafePointer(
        memory + line / rowLines * bounds.width - bounds.x0)
    }
  }

  deinit {
    unsafe rows.pointee.lines.deallocate()
    unsafe rows.pointee.mean?.deallocate()
    unsafe rows.pointee.sums?.deallocate()
    unsafe rows.deallocate()
    unsafe memory?.deallocate()
  }

  /// Shows lines of canvases, `left` at pixel 0 of the canvas's row, each the mean of as many as `blur`
  /// says: `lines` says for each of them which canvas and which of its lines.
  func show(
    _ bounds: PixelRect, left: Int, blur: VerticalBlur?, canvases: [Canvas],
    lines: [(canvas: Int, line: Int)]
  ) {
    precondition(
      lines.count == bounds.height + (blur?.length ?? 1) - 1, "a mean needs all of its lines")
    self.canvases.removeAll(keepingCapacity: true)
    self.canvases.append(contentsOf: canvases)
    if lines.count > lineCapacity {
      lineCapacity = lines.count * 2
      unsafe rows.pointee.lines.deallocate()
      unsafe rows.pointee.lines = .allocate(capacity: lineCapacity)
    }
    for index in lines.indices {
      let canvas = canvases[lines[index].canvas]
      // A canvas has pixels, and the line lies in it.
      if let start = unsafe canvas.pixels.baseAddress {
        unsafe rows.pointee.lines[index] = UnsafePointer(
          start + lines[index].line * canvas.size.width - left)
      }
    }
    if blur != nil, bounds.width > widthCapacity {
      widthCapacity = bounds.width
      unsafe rows.pointee.mean?.deallocate()
      unsafe rows.pointee.sums?.deallocate()
      unsafe rows.pointee.mean = .allocate(capacity: widthCapacity)
      unsafe rows.pointee.sums = .allocate(
        byteCount: widthCapacity * VerticalBlur.sumBytes, alignment: 64)
    }
    unsafe rows.pointee.bounds = bounds
    unsafe rows.pointee.blur = blur
    unsafe rows.pointee.meanRow = .min
  }
}

/// The rows of a source.
// Unsafe to hold on to: the source owns the memory.
@unsafe struct SourceRows {
  fileprivate(set) var bounds = PixelRect.empty
  /// Where pixel 0 of the canvas's row stands, or would, for each row of the bounds; for a blur, for
  /// each line that the means of the rows take in.
  fileprivate var lines: UnsafeMutablePointer<UnsafePointer<UInt32>>
  fileprivate var blur: VerticalBlur?
  /// The blurred row that was asked for last. They are asked for from top to bottom, so each is made
  /// of the one before it, and stands in the nearest cache when it is used.
  fileprivate var mean: UnsafeMutablePointer<UInt32>?
  fileprivate var sums: UnsafeMutableRawPointer?
  fileprivate var meanRow = Int.min

  fileprivate init(lines: UnsafeMutablePointer<UnsafePointer<UInt32>>) {
    unsafe self.lines = lines
  }

  /// Where pixel 0 of the canvas's row `y`, one of the bounds, would stand.
  @inline(__always)
  mutating func row(_ y: Int) -> UnsafePointer<UInt32> {
    unsafe blur == nil ? lines[y &- bounds.y0] : blurredRow(y)
  }

  @inline(never)
  private mutating func blurredRow(_ y: Int) -> UnsafePointer<UInt32> {
    let first = unsafe lines + (y - bounds.y0)
    guard let blur = unsafe blur, let mean = unsafe mean, let sums = unsafe sums else {
      return unsafe first.pointee
    }
    let row = unsafe UnsafePointer(mean) - bounds.x0
    guard unsafe y != meanRow else { return unsafe row }
    if unsafe y != meanRow + 1 { unsafe blur.begin(sums, first, bounds.x0, bounds.width) }
    unsafe blur.slide(
      sums, in: first[blur.length - 1] + bounds.x0, out: first[0] + bounds.x0, into: mean,
      width: bounds.width)
    unsafe meanRow = y
    return unsafe row
  }
}

extension PixelSource {
  /// An image stretched over `frame` (canvas pixels) and turned about the frame's middle. Nil where
  /// nothing of it is to be seen.
  ///
  /// Where there is little memory left it has fewer rows, each shown several times, and where there is
  /// none it is not shown.
  convenience init?(
    _ name: String, of images: ImageLevels, frame: Rect, turn: Angle, clip: PixelRect
  ) {
    guard !frame.isEmpty, frame.width.isFinite, frame.height.isFinite else { return nil }
    let upright = turn == .zero
    let half = (frame.width * frame.width + frame.height * frame.height).squareRoot() / 2
    let reach =
      upright ? frame : Rect(center: frame.center, size: Size(2 * half, 2 * half))
    let bounds = PixelRect(covering: reach).intersection(clip)
    guard !bounds.isEmpty else { return nil }
    for rowLines in [1, 2, 4, 8] {
      let rows = (bounds.height + rowLines - 1) / rowLines
      guard let share = images.memory.take(bounds.width * rows * 4) else { continue }
      // Squeezed together to as many rows as there are.
      let place = PixelRect(
        x0: bounds.x0, y0: bounds.y0, x1: bounds.x1, y1: bounds.y0 + rows)
      if upright {
        guard let image = images.level(of: name, for: frame.width, frame.height) else { return nil }
        let y0 = Double(bounds.y0)
        let squeezed = Rect(
          x0: frame.x0, y0: y0 + (frame.y0 - y0) / Double(rowLines), x1: frame.x1,
          y1: y0 + (frame.y1 - y0) / Double(rowLines))
        let pixels = image.stretched(over: squeezed, in: place)
        // As many as the place has.
        unsafe self.init(bounds: bounds, rowLines: rowLines, share: share) { target in
          unsafe target.update(from: pixels, count: pixels.count)
          return pixels.allSatisfy { $0 >= 0xff00_0000 }
        }
      } else {
        guard let image = images.copy(of: name, for: frame.width, frame.height) else { return nil }
        unsafe self.init(bounds: bounds, rowLines: rowLines, share: share) { target in
          unsafe image.turned(
            over: frame, by: turn, in: place, rowLines: rowLines, into: target)
        }
      }
      return
    }
    return nil
  }
}
