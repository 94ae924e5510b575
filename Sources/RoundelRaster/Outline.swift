// SPDX-License-Identifier: MIT

internal import CRoundelPixels
internal import RoundelGeometry

/// A shape that returns its intervals along any horizontal line.
protocol Outline {
  var bounds: Rect { get }

  /// Calls `body` with the intervals `from ..< to` at `y`, in any order and without overlap.
  func forEachInterval(at y: Double, _ body: (_ from: Double, _ to: Double) -> Void)

  /// Writes sixteen sample rows, bit-identical to `forEachInterval`. Sample rows with fewer
  /// intervals than others get empty ones. Returns the number per sample row, 0 … 2, or nil if they
  /// must be found separately.
  func intervals(of row: Int, _ lines: inout RowIntervals) -> Int?

  /// Whether all sample rows are known to have the same intervals as the previous row's.
  func repeats(_ row: Int) -> Bool
}

struct RowIntervals {
  var first = LineIntervals()
  var second = LineIntervals()
}

struct LineIntervals {
  var ends = pixels_intervals()

  static let count = Int(PIXELS_LINES)

  @inline(__always)
  mutating func set(_ line: Int, _ from: Double, _ to: Double) {
    precondition(UInt(bitPattern: line) < UInt(Self.count), "no such line of points")
    // All starts, then all ends.
    unsafe withUnsafeMutableBytes(of: &ends) { bytes in
      unsafe bytes.storeBytes(of: from, toByteOffset: line &* 8, as: Double.self)
      unsafe bytes.storeBytes(of: to, toByteOffset: (Self.count &+ line) &* 8, as: Double.self)
    }
  }
}

extension Outline {
  func intervals(of row: Int, _ lines: inout RowIntervals) -> Int? { nil }

  func repeats(_ row: Int) -> Bool { false }

  @inline(__always)
  static func line(_ number: Int, of row: Int) -> Double {
    Double(row) + (Double(number) + 0.5) / 16
  }
}

/// A sector with precomputed edge directions, because a frame has thousands of sample rows.
struct SectorOutline: Outline {
  private let sector: Sector
  private let first: Vector
  private let second: Vector
  private let isClosed: Bool
  private let isConvex: Bool

  init(_ sector: Sector) {
    self.sector = sector
    first = sector.start.unit
    second = sector.end.unit
    isClosed = sector.isClosed
    isConvex = sector.sweep.radians <= .pi
  }

  var bounds: Rect { sector.bounds }

  private var center: Point { sector.center }
  private var innerRadius: Double { sector.innerRadius }
  private var outerRadius: Double { sector.outerRadius }

  @inline(__always)
  func forEachInterval(at y: Double, _ body: (_ from: Double, _ to: Double) -> Void) {
    let dy = y - center.y
    let outer = outerRadius * outerRadius - dy * dy
    guard outer > 0 else { return }
    let reach = outer.squareRoot()
    let inner = innerRadius * innerRadius - dy * dy
    let hole = inner > 0 ? inner.squareRoot() : 0

    /// Passes on the parts of an interval, relative to the centre, inside the ring.
    func ring(_ from: Double, _ to: Double) {
      let a = max(from, -reach)
      let b = min(to, reach)
      if hole == 0 {
        if a < b { body(center.x + a, center.x + b) }
        return
      }
      if a < min(b, -hole) { body(center.x + a, center.x + min(b, -hole)) }
      if max(a, hole) < b { body(center.x + max(a, hole), center.x + b) }
    }

    if isClosed {
      ring(-reach, reach)
      return
    }
    // Each edge leaves a ray: all x from a bound, or before it. Neighbours compute a common edge's
    // bound from the same numbers, bit-identically.
    let (a0, a1) = Self.ray(first, dy, sector.inset, isStart: true)
    let (b0, b1) = Self.ray(second, dy, sector.inset, isStart: false)
    if isConvex {
      ring(max(a0, b0), min(a1, b1))
    } else if a0 < b1 && b0 < a1 {
      ring(min(a0, b0), max(a1, b1))
    } else {
      ring(a0, a1)
      ring(b0, b1)
    }
  }

  func intervals(of row: Int, _ lines: inout RowIntervals) -> Int? {
    let (first, last) = (Self.line(0, of: row) - center.y, Self.line(15, of: row) - center.y)
    let nearest = first * last < 0 ? 0 : min(abs(first), abs(last))
    let farthest = max(abs(first), abs(last))
    func meets(_ radius: Double, _ dy: Double) -> Bool { radius * radius - dy * dy > 0 }
    // A full turn, and every sample row intersects the disc.
    guard isClosed, meets(outerRadius, farthest) else { return nil }
    let number = Int32(clamping: row)
    if meets(innerRadius, farthest) {
      unsafe pixels_cross_ring(
        center.x, center.y, outerRadius, innerRadius, number, &lines.first.ends, &lines.second.ends)
      return 2
    }
    // No sample row intersects the hole.
    guard !meets(innerRadius, nearest) else { return nil }
    unsafe pixels_cross_disc(center.x, center.y, outerRadius, number, &lines.first.ends)
    return 1
  }

  /// The x, relative to the centre, at least `inset` clockwise of the edge (`isStart`), or more
  /// than `inset` counterclockwise.
  @inline(__always)
  private static func ray(
    _ direction: Vector, _ dy: Double, _ inset: Double, isStart: Bool
  ) -> (Double, Double) {
    let all = (-Double.infinity, Double.infinity)
    let none = (Double.infinity, -Double.infinity)
    let limit = isStart ? inset : -inset
    // cross(direction, p) = direction.x·dy − direction.y·x, compared with the limit.
    guard direction.y != 0 else {
      return (direction.x * dy >= limit) == isStart ? all : none
    }
    let bound = (direction.x * dy - limit) / direction.y
    return (direction.y < 0) == isStart ? (bound, .infinity) : (-.infinity, bound)
  }
}

extension RoundedRect: Outline {
  var bounds: Rect { rect }

  @inline(__always)
  func forEachInterval(at y: Double, _ body: (_ from: Double, _ to: Double) -> Void) {
    if let (from, to) = interval(at: y) { body(from, to) }
  }

  @inline(__always)
  fileprivate func interval(at y: Double) -> (from: Double, to: Double)? {
    guard y >= rect.y0, y < rect.y1, rect.x0 < rect.x1 else { return nil }
    let cut = cut(at: y)
    return (rect.x0 + cut, rect.x1 - cut)
  }

  @inline(__always)
  private func cut(at y: Double) -> Double {
    let beyond = max(rect.y0 + radius - y, y - (rect.y1 - radius), 0)
    let cut = radius - max(radius * radius - beyond * beyond, 0).squareRoot()
    return beyond > 0 ? cut : 0
  }

  func intervals(of row: Int, _ lines: inout RowIntervals) -> Int? {
    guard Self.line(0, of: row) >= rect.y0, Self.line(15, of: row) < rect.y1, rect.x0 < rect.x1
    else { return nil }
    for number in 0..<16 {
      let cut = cut(at: Self.line(number, of: row))
      lines.first.set(number, rect.x0 + cut, rect.x1 - cut)
    }
    return 1
  }

  /// True between the round corners.
  func repeats(_ row: Int) -> Bool {
    Self.line(0, of: row - 1) >= rect.y0 + radius && Self.line(15, of: row) < rect.y1 - radius
  }
}

/// A body minus its compressed copy. See `Rim`.
struct RimOutline: Outline {
  private let rim: Rim
  private let plate: RoundedRect
  private let sector: SectorOutline?
  let bounds: Rect

  init(_ rim: Rim) {
    self.rim = rim
    plate = rim.plate
    if case .sector(let sector) = rim.body {
      self.sector = SectorOutline(sector)
    } else {
      sector = nil
    }
    bounds = rim.bounds
  }

  @inline(__always)
  func forEachInterval(at y: Double, _ body: (_ from: Double, _ to: Double) -> Void) {
    guard y >= bounds.y0, y < bounds.y1 else { return }
    let inner = rim.pressed(y, of: plate).flatMap { plate.interval(at: $0) }
    func cut(_ from: Double, _ to: Double) {
      guard let inner else { return body(from, to) }
      if from < min(to, inner.from) { body(from, min(to, inner.from)) }
      if max(from, inner.to) < to { body(max(from, inner.to), to) }
    }
    if let sector {
      sector.forEachInterval(at: y, cut)
    } else {
      plate.forEachInterval(at: y, cut)
    }
  }

  func intervals(of row: Int, _ lines: inout RowIntervals) -> Int? {
    let (first, last) = (Self.line(0, of: row), Self.line(15, of: row))
    let (rect, radius, depth) = (plate.rect, plate.radius, rim.depth)
    // All sample rows cross the round corners of a whole body and of its compressed copy.
    guard sector == nil, radius > depth, first >= bounds.y0, last < bounds.y1,
      isRound(first), isRound(last)
    else { return nil }
    let isUpper = rim.side == .upper
    let middle = isUpper ? rect.y0 + radius : rect.y1 - radius
    for number in 0..<16 {
      let y = Self.line(number, of: row)
      let outer = cut(isUpper ? middle - y : y - middle)
      let pressed = middle + (y - middle) * radius / (radius - depth)
      let inner = cut(isUpper ? middle - pressed : pressed - middle)
      lines.first.set(number, rect.x0 + outer, rect.x0 + inner)
      lines.second.set(number, rect.x1 - inner, rect.x1 - outer)
    }
    return 2
  }

  private func isRound(_ y: Double) -> Bool {
    guard let pressed = rim.pressed(y, of: plate) else { return false }
    let (top, foot) = (plate.rect.y0 + plate.radius, plate.rect.y1 - plate.radius)
    return rim.side == .upper
      ? y < top && pressed < top && pressed >= plate.rect.y0
      : y > foot && pressed > foot && pressed < plate.rect.y1
  }

  /// - Parameter beyond: The distance from the corner's centre.
  @inline(__always)
  private func cut(_ beyond: Double) -> Double {
    let square = plate.radius * plate.radius - beyond * beyond
    return plate.radius - (square > 0 ? square : 0).squareRoot()
  }
}

/// A closed polygon, filled by the even-odd rule.
struct Polygon: Outline {
  private(set) var bounds = Rect(x0: 0, y0: 0, x1: 0, y1: 0)
  /// The edges except horizontal ones, which cross no sample row.
  private var edges: [pixels_edge] = []

  /// The edges that meet each row of pixels, so that a sample row checks fewer. Empty if there are
  /// few.
  private var rowEdges: [Int32] = []
  private var rowStarts: [Int] = []
  private var firstRow = 0
  private let crossings = Crossings()

  private final class Crossings {
    var places: [Double] = []
  }

  init() {}

  /// O(n) in the corners and, if they are many, in the rows crossed by each edge.
  mutating func assign(_ points: [Point], _ place: (Point) -> Point) {
    var box = Rect(x0: .infinity, y0: .infinity, x1: -.infinity, y1: -.infinity)
    edges.removeAll(keepingCapacity: true)
    var previous = place(points.last ?? .zero)
    for point in points {
      let p = place(point)
      box = Rect(
        x0: min(box.x0, p.x), y0: min(box.y0, p.y), x1: max(box.x1, p.x), y1: max(box.y1, p.y))
      let (top, bottom) = (min(previous.y, p.y), max(previous.y, p.y))
      if top < bottom {
        edges.append(
          pixels_edge(
            top: top, bottom: bottom, x: previous.x, y: previous.y, dx: p.x - previous.x,
            dy: p.y - previous.y))
      }
      previous = p
    }
    bounds = points.isEmpty ? Rect(x0: 0, y0: 0, x1: 0, y1: 0) : box
    sortByRows()
  }

  /// Fewer edges are not worth sorting.
  private static let many = 48
  /// With more rows, all edges are checked.
  private static let mostRows = 1 << 14
  private static let mostRowEdges = 1 << 21

  private mutating func sortByRows() {
    rowStarts.removeAll(keepingCapacity: true)
    rowEdges.removeAll(keepingCapacity: true)
    guard edges.count >= Self.many, bounds.y0 > -1e6, bounds.y1 < 1e6,
      bounds.y1 - bounds.y0 < Double(Self.mostRows)
    else { return }
    firstRow = Int(bounds.y0.rounded(.down))
    func rows(_ edge: pixels_edge) -> ClosedRange<Int> {
      Int(edge.top.rounded(.down)) - firstRow...Int(edge.bottom.rounded(.down)) - firstRow
    }
    // First the number of the row's edges, then the start of the next row and, after inserting
    // edges from last to first, of the row.
    rowStarts.append(contentsOf: repeatElement(0, count: Int(bounds.y1) - firstRow + 3))
    for edge in edges {
      for row in rows(edge) { rowStarts[row] += 1 }
    }
    var sum = 0
    for row in rowStarts.indices {
      sum += rowStarts[row]
      rowStarts[row] = sum
    }
    guard sum <= Self.mostRowEdges else { return rowStarts.removeAll(keepingCapacity: true) }
    rowEdges.append(contentsOf: repeatElement(0, count: sum))
    for number in edges.indices.reversed() {
      for row in rows(edges[number]) {
        rowStarts[row] -= 1
        rowEdges[rowStarts[row]] = Int32(truncatingIfNeeded: number)
      }
    }
  }

  /// Returns nil if all edges must be checked.
  @inline(__always)
  private func rowRange(at y: Double) -> Range<Int>? {
    guard !rowStarts.isEmpty else { return nil }
    guard y >= bounds.y0, y < bounds.y1 else { return 0..<0 }
    let row = Int(y.rounded(.down)) - firstRow
    return rowStarts[row]..<rowStarts[row + 1]
  }

  @inline(__always)
  func forEachInterval(at y: Double, _ body: (_ from: Double, _ to: Double) -> Void) {
    if let range = rowRange(at: y) { return forEachOfMany(at: y, range, body) }
    var count = 0
    var two = (0.0, 0.0)
    // Half open in y, so that a line through a corner counts it once.
    for edge in edges where edge.crosses(y) {
      two = (two.1, edge.x(at: y))
      count += 1
    }
    // Few polygons are crossed more than twice.
    if count == 2 {
      if two.0 != two.1 { body(min(two.0, two.1), max(two.0, two.1)) }
    } else if count > 2 {
      forEachOfMany(at: y, nil, body)
    }
  }

  func intervals(of row: Int, _ lines: inout RowIntervals) -> Int? {
    guard rowStarts.isEmpty else { return nil }
    let count = unsafe edges.withUnsafeBufferPointer { edges in
      unsafe pixels_cross_edges(
        edges.baseAddress, edges.count, Int32(clamping: row), &lines.first.ends)
    }
    return count < 0 ? nil : Int(count)
  }

  @inline(never)
  private func forEachOfMany(
    at y: Double, _ range: Range<Int>?, _ body: (_ from: Double, _ to: Double) -> Void
  ) {
    // Taken out of the object, because every access to it is checked.
    var places: [Double] = []
    swap(&places, &crossings.places)
    defer { swap(&places, &crossings.places) }
    places.removeAll(keepingCapacity: true)
    if let range {
      for index in range {
        let number = Int(rowEdges[index])
        if edges[number].crosses(y) { places.append(edges[number].x(at: y)) }
      }
    } else {
      for edge in edges where edge.crosses(y) { places.append(edge.x(at: y)) }
    }
    Self.sort(&places)
    for pair in stride(from: 0, to: places.count - 1, by: 2) where places[pair] < places[pair + 1] {
      body(places[pair], places[pair + 1])
    }
  }

  /// The library's sort allocates memory.
  private static func sort(_ places: inout [Double]) {
    guard places.count <= 64 else { return places.sort() }
    unsafe places.withUnsafeMutableBufferPointer { places in
      // All indices are below the count.
      for end in places.indices.dropFirst() {
        let place = unsafe places[end]
        var index = end
        while index > 0, unsafe places[index - 1] > place {
          unsafe places[index] = places[index - 1]
          index -= 1
        }
        unsafe places[index] = place
      }
    }
  }
}

extension pixels_edge {
  @inline(__always)
  fileprivate func crosses(_ y: Double) -> Bool { top <= y && y < bottom }

  @inline(__always)
  fileprivate func x(at height: Double) -> Double { x + (height - y) * dx / dy }
}
