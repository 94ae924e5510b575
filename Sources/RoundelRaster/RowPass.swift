// SPDX-License-Identifier: MIT

internal import RoundelGeometry

/// Composes each row of a canvas, layer by layer from the back: first, as runs, the layers up to the topmost
/// mostly solid one, and then the edges and text above them.
// Unsafe to hold on to: borrowed from `ComposingLane`. It contains no references, whose counting
// would cost more than composing many rows.
@unsafe struct RowPass {
  // Safe: it lives only while `RowComposer` holds the scene, which owns the memory.
  @safe struct Layer {
    let bounds: PixelRect
    let firstInk: Int
    /// Whether the layer is mostly solid, and therefore composed as runs.
    let isLaid: Bool
    /// Whether the content is valid for one row only: generated rows, colours of gradients.
    let isRowByRow: Bool
    /// Rows that are generated during painting.
    let made: UnsafeMutablePointer<SourceRows>?
    let turned: UnsafePointer<TurnedMask>?
    let coverage: UnsafePointer<Coverage.View>?

    /// - Parameters:
    ///   - turned: Must outlive the layer.
    ///   - isBlended: Whether the whole layer is blended into written pixels.
    init(
      _ layer: Scene.Layer, _ turned: UnsafePointer<TurnedMask>?, firstInk: Int, _ ink: Ink?,
      isRowByRow: Bool, isBlended: Bool = false
    ) {
      self.isRowByRow = isRowByRow
      bounds = layer.bounds
      self.firstInk = firstInk
      unsafe coverage = layer.coverage?.view
      unsafe self.turned = turned
      isLaid = !isBlended && layer.coverage?.isMostlySolid == true
      unsafe made = layer.isMadeByRow ? ink?.rows : nil
    }

    @inline(__always)
    func prepare(_ y: Int, _ edges: Range<Int>, _ x0: Int, _ x1: Int) {
      guard let made = unsafe made else { return }
      let span = edges.clamped(to: x0..<x1)
      if !span.isEmpty { unsafe made.pointee.prepare(y, span) }
    }
  }

  private let layers: UnsafeBufferPointer<Layer>
  /// Layers in the current rows, back to front.
  private let near: UnsafeMutableBufferPointer<UnsafePointer<Layer>>
  private var nearCount = 0
  /// −1 if there isn't a mostly solid layer.
  private var lastLaid = -1
  /// Whether each row must be complete before the next.
  private(set) var isRowByRow = false

  /// - Parameter near: Space for as many pointers as there are layers.
  init(
    layers: UnsafeBufferPointer<Layer>,
    near: UnsafeMutableBufferPointer<UnsafePointer<Layer>>
  ) {
    precondition(near.count >= layers.count, "no space for the layers")
    unsafe self.layers = layers
    unsafe self.near = near
  }

  /// Must be called before any part of `rect` is composed. O(n) in the layers.
  mutating func look(at rect: PixelRect) {
    unsafe nearCount = 0
    unsafe lastLaid = -1
    unsafe isRowByRow = false
    guard let layers = unsafe layers.baseAddress else { return }
    for index in unsafe 0..<self.layers.count where unsafe layers[index].bounds.overlaps(rect) {
      unsafe near.initializeElement(at: nearCount, to: layers + index)
      if unsafe layers[index].isLaid { unsafe lastLaid = nearCount }
      if unsafe layers[index].isRowByRow { unsafe isRowByRow = true }
      unsafe nearCount += 1
    }
  }

  /// Pixels of the foremost layer's opaque source, such as a photo at rest. Nil if they must be
  /// composed. O(n) in the visible layers.
  func source(of y: Int, _ x0: Int, _ x1: Int, _ inks: Inks) -> UnsafePointer<UInt32>? {
    var index = unsafe nearCount
    while index > 0 {
      index &-= 1
      let layer = unsafe near[index]
      let bounds = unsafe layer.pointee.bounds
      guard y >= bounds.y0, y < bounds.y1, x0 < bounds.x1, x1 > bounds.x0 else { continue }
      // If one tile covers all of them, nothing behind it is visible.
      guard let coverage = unsafe layer.pointee.coverage, x0 >= bounds.x0, x1 <= bounds.x1
      else { return nil }
      let solids = unsafe coverage.pointee.solids(coverage.pointee.row(y))
      guard solids.count == 1, unsafe Int(solids[0].x0) <= x0, unsafe x1 <= Int(solids[0].x1)
      else { return nil }
      let ink = unsafe inks.at(layer.pointee.firstInk &+ Int(solids[0].tile))
      guard unsafe ink.pointee.isOpaque, unsafe ink.pointee.rows?.pointee.areMade == false,
        unsafe ink.pointee.shown(y, x0, x1) == (x0, x1)
      else { return nil }
      return unsafe ink.pointee.row(y, x0, x1).map { unsafe $0 + x0 }
    }
    return nil
  }

  /// Composes each row's runs, then the blended layers in order. If `isRowByRow` is true, there
  /// must be only one row.
  ///
  /// - Parameter memory: For the runs of a row.
  func compose(
    _ rows: PixelRows, _ x0: Int, _ x1: Int, memory: UnsafeMutableBufferPointer<RowRuns.Run>
  ) {
    unsafe precondition(rows.count == 1 || !isRowByRow, "more than one row at once")
    for number in unsafe 0..<rows.count {
      var runs = unsafe RowRuns(rows[number], memory: memory)
      unsafe lay(&runs, x0, x1)
    }
    unsafe blend(rows, x0, x1)
  }

  /// Writes the layers up to the last mostly solid one, without its edges, which `blend` adds. O(n)
  /// in the visible layers.
  private func lay(_ runs: inout RowRuns, _ x0: Int, _ x1: Int) {
    let row = unsafe runs.row
    let y = unsafe row.y
    var index = 0
    while unsafe index <= lastLaid {
      defer { index &+= 1 }
      let layer = unsafe near[index]
      guard unsafe y >= layer.pointee.bounds.y0, unsafe y < layer.pointee.bounds.y1 else {
        continue
      }
      let from = unsafe max(x0, layer.pointee.bounds.x0)
      let to = unsafe min(x1, layer.pointee.bounds.x1)
      let isLast = unsafe index == lastLaid
      if let coverage = unsafe layer.pointee.coverage {
        // The layer's bounds are inside its coverage's.
        let own = unsafe coverage.pointee.row(y)
        let edges = unsafe coverage.pointee.edges(own)
        unsafe layer.pointee.prepare(y, edges, from, to)
        if own.hasSolids {
          unsafe runs.lay(
            coverage.pointee.solids(own), layer.pointee.firstInk, from, to, edges: edges,
            isLast: isLast)
        } else {
          unsafe runs.write(under: edges)
        }
        if !isLast { unsafe row.blend(own, of: coverage, layer.pointee.firstInk, from, to) }
      } else if let turned = unsafe layer.pointee.turned,
        let stretch = unsafe turned.pointee.stretch(of: y, from, to)
      {
        unsafe runs.write(under: stretch.first..<stretch.last + 1)
        unsafe TurnedMask.blend(
          turned, row.inks.at(layer.pointee.firstInk), stretch, into: row.pixels)
      }
    }
    unsafe runs.write()
  }

  /// Blends the edges and the layers above into written rows. O(n) in the visible layers and the
  /// rows.
  func blend(_ rows: PixelRows, _ x0: Int, _ x1: Int) {
    let (y0, y1) = unsafe (rows.y0, rows.y0 &+ rows.count)
    var index = unsafe max(lastLaid, 0)
    while unsafe index < nearCount {
      defer { index &+= 1 }
      let layer = unsafe near[index]
      guard unsafe y1 > layer.pointee.bounds.y0, unsafe y0 < layer.pointee.bounds.y1 else {
        continue
      }
      let first = unsafe max(y0, layer.pointee.bounds.y0)
      let end = unsafe min(y1, layer.pointee.bounds.y1)
      let from = unsafe max(x0, layer.pointee.bounds.x0)
      let to = unsafe min(x1, layer.pointee.bounds.x1)
      let firstInk = unsafe layer.pointee.firstInk
      if let coverage = unsafe layer.pointee.coverage {
        let isAbove = unsafe index > lastLaid
        for y in first..<end {
          // The layer's bounds are inside its coverage's.
          let own = unsafe coverage.pointee.row(y)
          guard own.hasEdges || isAbove && own.hasSolids else { continue }
          let row = unsafe rows[y &- y0]
          unsafe layer.pointee.prepare(y, coverage.pointee.edges(own), from, to)
          if isAbove, own.hasSolids {
            unsafe row.blend(coverage.pointee.solids(own), firstInk, from, to)
          }
          unsafe row.blend(own, of: coverage, firstInk, from, to)
        }
      } else if let turned = unsafe layer.pointee.turned {
        let ink = unsafe rows.inks.at(firstInk)
        for y in first..<end {
          guard let stretch = unsafe turned.pointee.stretch(of: y, from, to) else { continue }
          unsafe TurnedMask.blend(turned, ink, stretch, into: rows[y &- y0].pixels)
        }
      }
    }
  }
}
