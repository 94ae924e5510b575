// SPDX-License-Identifier: MIT

internal import RoundelGeometry

/// An image stretched over a frame, limited to a shape. If memory is short, one row represents
/// several lines.
// Safe: this object owns the memory, and only reads it after `init`.
@safe final class ImagePixels: @unchecked Sendable {
  struct Layout: Sendable {
    var bounds: PixelRect
    /// The lines of the canvas per row.
    var rowLines: Int
    /// In canvas coordinates.
    var spans: [Range<Int>]

    var cost: Int { spans.reduce(0) { $0 + $1.count * 4 } }

    /// Returns nil if nothing is visible.
    init?(of frame: Rect, under shape: Coverage?, clip: PixelRect) {
      bounds = PixelRect(covering: frame).intersection(shape?.bounds ?? clip).intersection(clip)
      guard !bounds.isEmpty else { return nil }
      rowLines = 1
      let whole = bounds.x0..<bounds.x1
      spans = (bounds.y0..<bounds.y1).map { y in
        shape.map { $0.extent(ofRow: y).clamped(to: whole) } ?? whole
      }
    }

    mutating func halve() {
      rowLines *= 2
      spans = stride(from: 0, to: spans.count, by: 2).map { first in
        let (a, b) = (spans[first], spans[min(first + 1, spans.count - 1)])
        if a.isEmpty { return b }
        if b.isEmpty { return a }
        return min(a.lowerBound, b.lowerBound)..<max(a.upperBound, b.upperBound)
      }
    }
  }

  let bounds: PixelRect
  let isOpaque: Bool
  var cost: Int { layout.cost }
  private let layout: Layout
  private let starts: [Int]
  private let memory: UnsafeMutablePointer<UInt32>

  init(_ image: Bitmap, over frame: Rect, in layout: Layout) {
    self.layout = layout
    bounds = layout.bounds
    var starts: [Int] = []
    var count = 0
    for span in layout.spans {
      starts.append(count)
      count += span.count
    }
    self.starts = starts
    let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: max(count, 1))
    unsafe memory.initialize(repeating: 0, count: max(count, 1))
    unsafe self.memory = memory
    // Compressed vertically to the number of rows.
    let lines = Double(layout.rowLines)
    let y0 = Double(bounds.y0)
    let squeezed = Rect(
      x0: frame.x0, y0: y0 + (frame.y0 - y0) / lines, x1: frame.x1, y1: y0 + (frame.y1 - y0) / lines
    )
    let rows = PixelRect(
      x0: bounds.x0, y0: bounds.y0, x1: bounds.x1, y1: bounds.y0 + layout.spans.count)
    var isOpaque = true
    image.stretch(over: squeezed, in: rows) { line, pixels in
      let span = layout.spans[line]
      for x in span {
        let pixel = pixels[x - layout.bounds.x0]
        if pixel < 0xff00_0000 { isOpaque = false }
        // Each row has as many pixels as its span.
        unsafe memory[starts[line] + x - span.lowerBound] = pixel
      }
    }
    self.isOpaque = isOpaque
  }

  deinit {
    unsafe memory.deallocate()
  }

  func line(_ number: Int) -> SourceRows.Line {
    let row = number / layout.rowLines
    let span = layout.spans[row]
    return unsafe SourceRows.Line(zero: memory + starts[row] - span.lowerBound, span)
  }
}

extension Coverage {
  fileprivate func extent(ofRow y: Int) -> Range<Int> {
    guard y >= bounds.y0, y < bounds.y1 else { return 0..<0 }
    // The object outlives the call.
    let view = unsafe self.view.pointee
    let row = unsafe view.row(y)
    let solids = unsafe view.solids(row)
    var extent = unsafe view.edges(row)
    if let first = unsafe solids.first, let last = unsafe solids.last {
      let own = Int(first.x0)..<Int(last.x1)
      extent =
        extent.isEmpty
        ? own
        : min(extent.lowerBound, own.lowerBound)..<max(extent.upperBound, own.upperBound)
    }
    return extent
  }
}
