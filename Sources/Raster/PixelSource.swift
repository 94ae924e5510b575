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
  private var canvases: [Canvas] = []
  private var lineCapacity: Int
  private var widthCapacity = 0

  var bounds: PixelRect { unsafe rows.pointee.bounds }

  /// What canvases show, as `show` says.
  init() {
    isOpaque = true
    unsafe memory = nil
    lineCapacity = 1
    unsafe rows = .allocate(capacity: 1)
    unsafe rows.initialize(to: SourceRows(lines: .allocate(capacity: 1)))
  }

  /// Pixels, `bounds.width` a row, premultiplied `0xAARRGGBB`; there must be as many as the bounds
  /// have.
  init(bounds: PixelRect, isOpaque: Bool, pixels: [UInt32]) {
    precondition(pixels.count == bounds.area, "one value for each pixel")
    self.isOpaque = isOpaque
    let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: max(pixels.count, 1))
    unsafe self.memory = memory
    unsafe memory.initialize(from: pixels, count: pixels.count)
    lineCapacity = max(bounds.height, 1)
    unsafe rows = .allocate(capacity: 1)
    unsafe rows.initialize(to: SourceRows(lines: .allocate(capacity: lineCapacity)))
    unsafe rows.pointee.bounds = bounds
    for line in 0..<max(bounds.height, 0) {
      unsafe rows.pointee.lines[line] = UnsafePointer(memory + line * bounds.width - bounds.x0)
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
  /// `image` stretched over `frame` (canvas pixels) and turned about the frame's middle.
  ///
  /// A pixel of the result is the mean of what it covers of the image where the image is made
  /// smaller, and interpolated between neighbours where it is made larger.
  convenience init?(_ image: Bitmap, frame: Rect, turn: Angle, clip: PixelRect) {
    guard !frame.isEmpty, image.size.width > 0, image.size.height > 0 else { return nil }
    let upright = turn == .zero
    let half = (frame.width * frame.width + frame.height * frame.height).squareRoot() / 2
    let reach =
      upright ? frame : Rect(center: frame.center, size: Size(2 * half, 2 * half))
    let bounds = PixelRect(covering: reach).intersection(clip)
    guard !bounds.isEmpty else { return nil }
    let stepX = Double(image.size.width) / frame.width
    let stepY = Double(image.size.height) / frame.height
    // Enough samples a pixel that none of the image's pixels is passed over, within reason.
    let samples = min(max(Int(max(stepX, stepY).rounded(.up)), upright ? 1 : 2), 16)
    let across = (Angle.degrees(90) - turn).unit
    let down = (Angle.degrees(180) - turn).unit
    var pixels: [UInt32] = []
    pixels.reserveCapacity(bounds.area)
    var isOpaque = true
    for y in bounds.y0..<bounds.y1 {
      for x in bounds.x0..<bounds.x1 {
        var sum = SIMD4<Double>(repeating: 0)
        for sy in 0..<samples {
          for sx in 0..<samples {
            let p =
              Point(
                Double(x) + (Double(sx) + 0.5) / Double(samples),
                Double(y) + (Double(sy) + 0.5) / Double(samples)) - frame.center
            // Turned back by the frame's own turn: across is its x axis, down its y axis.
            let q = upright ? p : across * p.x + down * p.y
            let u = (q.x + frame.width / 2) * stepX
            let v = (q.y + frame.height / 2) * stepY
            sum += image.sample(u, v)
          }
        }
        let mean = (sum / Double(samples * samples)).rounded(.toNearestOrAwayFromZero)
        let alpha = UInt32(mean.w)
        if alpha != 255 { isOpaque = false }
        pixels.append(
          alpha << 24 | min(UInt32(mean.z), alpha) << 16 | min(UInt32(mean.y), alpha) << 8
            | min(UInt32(mean.x), alpha))
      }
    }
    self.init(bounds: bounds, isOpaque: isOpaque, pixels: pixels)
  }
}

extension Bitmap {
  /// The colour at a place in the image's own pixels, between the middles of four of them; clear
  /// outside. Lanes: blue, green, red, alpha, 0 … 255.
  fileprivate func sample(_ u: Double, _ v: Double) -> SIMD4<Double> {
    guard u >= 0, v >= 0, u < Double(size.width), v < Double(size.height) else {
      return SIMD4(repeating: 0)
    }
    let x = u - 0.5
    let y = v - 0.5
    let x0 = Int(x.rounded(.down))
    let y0 = Int(y.rounded(.down))
    let fx = x - Double(x0)
    let fy = y - Double(y0)
    func at(_ x: Int, _ y: Int) -> SIMD4<Double> {
      // Beyond the outermost pixels' middles the image goes on as it ends.
      let p = pixels[
        min(max(y, 0), size.height - 1) * size.width + min(max(x, 0), size.width - 1)]
      return SIMD4(
        Double(p & 0xff), Double(p >> 8 & 0xff), Double(p >> 16 & 0xff), Double(p >> 24))
    }
    let top = at(x0, y0) * (1 - fx) + at(x0 + 1, y0) * fx
    let bottom = at(x0, y0 + 1) * (1 - fx) + at(x0 + 1, y0 + 1) * fx
    return top * (1 - fy) + bottom * fy
  }
}
