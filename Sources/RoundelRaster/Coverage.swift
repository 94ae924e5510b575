// SPDX-License-Identifier: MIT

internal import RoundelGeometry

/// Each pixel's coverage by an item's tiles, in 256ths: per row, spans inside tiles, and edge
/// pixels in fours with a weight each.
///
/// Coverage doesn't depend on colours, so a wedge that lights up is painted from the same spans.
// Safe: this object owns the memory, only `update` writes it, and each array is as long as the rows
// say.
@safe final class Coverage {
  /// Adjacent pixels fully covered by one tile.
  struct Solid: BitwiseCopyable {
    var x0: Int32
    var x1: Int32
    var tile: Int32
  }

  /// One to four adjacent pixels, each partly covered by one tile.
  struct Quad: BitwiseCopyable {
    var x: Int32
    /// The tile, times four, plus the number of pixels minus one.
    private var place: Int32
    /// 0 beyond the pixels.
    var weights: SIMD4<UInt16>

    init(x: Int32, tile: Int32, weight: UInt16) {
      self.x = x
      place = tile &<< 2
      weights = SIMD4(weight, 0, 0, 0)
    }

    /// One to four pixels of tile 0. The first is in the lowest 16 bits of `coverages`. The rest is
    /// 0.
    @inline(__always)
    init(x: Int32, count: Int, coverages: UInt64) {
      self.x = x
      place = Int32(truncatingIfNeeded: count &- 1)
      weights = SIMD4(
        UInt16(truncatingIfNeeded: coverages), UInt16(truncatingIfNeeded: coverages &>> 16),
        UInt16(truncatingIfNeeded: coverages &>> 32), UInt16(truncatingIfNeeded: coverages &>> 48))
    }

    var tile: Int32 {
      @inline(__always) get { place &>> 2 }
      set { place = newValue &<< 2 | place & 3 }
    }
    var x1: Int32 { @inline(__always) get { x &+ place & 3 &+ 1 } }
    var isFull: Bool { place & 3 == 3 }

    mutating func append(_ weight: UInt16) {
      place &+= 1
      weights[Int(place & 3)] = weight
    }
  }

  /// Adjacent pixels partly covered by several tiles, with the same weights for each pixel.
  struct Shared: BitwiseCopyable {
    var x0: Int32
    var x1: Int32
    /// The index in `groups`: the number of tiles, followed by the tiles.
    var group: Int32
    var weights: Int32
  }

  /// The start indices of a row's parts.
  struct Row: BitwiseCopyable {
    var solids: Int32 = 0
    var quads: Int32 = 0
    var shared: Int32 = 0
  }

  /// Only a view creates these.
  struct RowParts: BitwiseCopyable {
    fileprivate let start: Row
    fileprivate let end: Row

    var hasSolids: Bool { @inline(__always) get { start.solids < end.solids } }
    var hasQuads: Bool { @inline(__always) get { start.quads < end.quads } }
    var hasShared: Bool { @inline(__always) get { start.shared < end.shared } }
    var hasEdges: Bool { @inline(__always) get { hasQuads || hasShared } }
    var solidCount: Int { Int(end.solids - start.solids) }
    var quadCount: Int { Int(end.quads - start.quads) }
  }

  /// The rows without their object, so that painting needs no reference counting or exclusivity
  /// checks.
  @unsafe struct View {
    let bounds: PixelRect
    fileprivate let rows: UnsafePointer<Row>
    fileprivate let solids: UnsafePointer<Solid>
    fileprivate let quads: UnsafePointer<Quad>
    fileprivate let shared: UnsafePointer<Shared>
    fileprivate let groups: UnsafeBufferPointer<Int32>
    fileprivate let weights: UnsafeBufferPointer<UInt16>

    fileprivate init(
      _ bounds: PixelRect, _ rows: Block<Row>, _ solids: Block<Solid>, _ quads: Block<Quad>,
      _ shared: Block<Shared>, _ groups: Block<Int32>, _ weights: Block<UInt16>
    ) {
      unsafe self.bounds = bounds
      unsafe self.rows = UnsafePointer(rows.start)
      unsafe self.solids = UnsafePointer(solids.start)
      unsafe self.quads = UnsafePointer(quads.start)
      unsafe self.shared = UnsafePointer(shared.start)
      unsafe self.groups = .init(start: groups.start, count: groups.count)
      unsafe self.weights = .init(start: weights.start, count: weights.count)
    }

    @inline(__always)
    func row(_ y: Int) -> RowParts {
      // There is one more row start than rows, and `update` checked that all are inside the arrays.
      unsafe precondition(y >= bounds.y0 && y < bounds.y1, "no such row of the coverage")
      return unsafe RowParts(start: rows[y &- bounds.y0], end: rows[y &- bounds.y0 &+ 1])
    }

    /// The solids, quads and shared spans of a row are sorted from left to right.
    @inline(__always)
    func solids(_ row: RowParts) -> UnsafeBufferPointer<Solid> {
      unsafe .init(
        start: solids + Int(row.start.solids), count: Int(row.end.solids &- row.start.solids))
    }

    @inline(__always)
    func quads(_ row: RowParts) -> UnsafeBufferPointer<Quad> {
      unsafe .init(
        start: quads + Int(row.start.quads), count: Int(row.end.quads &- row.start.quads))
    }

    @inline(__always)
    func shared(_ row: RowParts) -> UnsafeBufferPointer<Shared> {
      unsafe .init(
        start: shared + Int(row.start.shared), count: Int(row.end.shared &- row.start.shared))
    }

    @inline(__always)
    func edges(_ row: RowParts) -> Range<Int> {
      var first = Int.max
      var end = Int.min
      if row.hasQuads {
        first = unsafe Int(quads[Int(row.start.quads)].x)
        end = unsafe Int(quads[Int(row.end.quads) &- 1].x1)
      }
      if row.hasShared {
        first = unsafe min(first, Int(shared[Int(row.start.shared)].x0))
        end = unsafe max(end, Int(shared[Int(row.end.shared) &- 1].x1))
      }
      return first < end ? first..<end : 0..<0
    }

    @inline(__always)
    func tiles(_ span: Shared) -> UnsafeBufferPointer<Int32> {
      let place = Int(span.group)
      unsafe precondition(place >= 0 && place < groups.count, "no such group")
      let count = unsafe Int(groups[place])
      unsafe precondition(count >= 0 && place + count < groups.count, "a group without tiles")
      return unsafe .init(rebasing: groups[(place + 1)...].prefix(count))
    }

    @inline(__always)
    func weights(_ span: Shared, count: Int) -> UnsafeBufferPointer<UInt16> {
      let place = Int(span.weights)
      unsafe precondition(place >= 0 && place + count <= weights.count, "tiles without weights")
      return unsafe .init(rebasing: weights[place..<place + count])
    }
  }

  private(set) var bounds = PixelRect.empty
  /// The colours of text with colour glyphs.
  let colors: TextColors?
  /// Whether at least a quarter of the bounds is fully covered. Rare for text.
  private(set) var isMostlySolid = false
  private var rects: [PixelRect] = []
  private var rectEnds: [Int] = []
  /// The rows, valid until the next update.
  let view: UnsafePointer<View>
  private var rows = Block<Row>()
  private var solids = Block<Solid>()
  private var quads = Block<Quad>()
  private var shared = Block<Shared>()
  private var groups = Block<Int32>()
  private var weights = Block<UInt16>()

  static let shortestSolid = 16

  init(_ parts: borrowing CoverageBuilder, colors: TextColors? = nil) {
    self.colors = colors
    let memory = UnsafeMutablePointer<View>.allocate(capacity: 1)
    unsafe memory.initialize(to: View(.empty, rows, solids, quads, shared, groups, weights))
    unsafe view = UnsafePointer(memory)
    update(parts)
  }

  deinit {
    unsafe view.deallocate()
    rows.free()
    solids.free()
    quads.free()
    shared.free()
    groups.free()
    weights.free()
  }

  /// O(n) in the builder's spans.
  func update(_ parts: borrowing CoverageBuilder) {
    let isEmpty = parts.solids.isEmpty && parts.quads.isEmpty && parts.shared.isEmpty
    bounds = isEmpty ? .empty : parts.bounds
    Self.check(parts, isEmpty ? 0 : bounds.height)
    let solidArea = parts.solids.reduce(0) { $0 + Int($1.x1 - $1.x0) }
    isMostlySolid = solidArea * 4 >= bounds.area && !isEmpty
    rects.removeAll(keepingCapacity: true)
    rects.append(contentsOf: parts.rects)
    rectEnds.removeAll(keepingCapacity: true)
    rectEnds.append(contentsOf: parts.rectEnds)
    rows.copy(parts.rows)
    solids.copy(parts.solids)
    quads.copy(parts.quads)
    shared.copy(parts.shared)
    groups.copy(parts.groups)
    weights.copy(parts.weights)
    unsafe UnsafeMutablePointer(mutating: view).pointee = unsafe View(
      bounds, rows, solids, quads, shared, groups, weights)
  }

  /// Checks that rows are inside the arrays. Painting relies on this.
  private static func check(_ parts: borrowing CoverageBuilder, _ height: Int) {
    var last = Row()
    for row in parts.rows {
      precondition(
        last.solids <= row.solids && last.quads <= row.quads && last.shared <= row.shared,
        "the row ends before its start")
      last = row
    }
    precondition(
      parts.rows.count > height && Int(last.solids) <= parts.solids.count
        && Int(last.quads) <= parts.quads.count && Int(last.shared) <= parts.shared.count,
      "no such row of the coverage")
  }

  /// In bytes.
  var cost: Int {
    256 + (colors?.cost ?? 0) + rows.size + solids.size + quads.size + shared.size + groups.size
      + weights.size
  }

  /// One, or several from top to bottom if one would contain large areas outside the tile.
  func rects(of tile: Int) -> ArraySlice<PixelRect> {
    rects[(tile == 0 ? 0 : rectEnds[tile - 1])..<rectEnds[tile]]
  }
}

// Safe: `copy` allocates the memory it writes, and the owner calls `free` once.
@safe private struct Block<Value: BitwiseCopyable> {
  private(set) var start: UnsafeMutablePointer<Value>
  private(set) var count = 0
  private var capacity = 1

  init() { unsafe start = .allocate(capacity: 1) }

  var size: Int { capacity * MemoryLayout<Value>.stride }

  mutating func copy(_ values: [Value]) {
    if values.count > capacity {
      unsafe start.deallocate()
      // Room for the small changes of a moving shape.
      capacity = values.count + values.count / 8 + 8
      unsafe start = .allocate(capacity: capacity)
    }
    count = values.count
    unsafe values.withUnsafeBufferPointer {
      if let source = $0.baseAddress { unsafe start.update(from: source, count: count) }
    }
  }

  func free() { unsafe start.deallocate() }
}
