// SPDX-License-Identifier: MIT

internal import Geometry

/// A shape that can say, along any horizontal line, between which x it lies.
protocol Outline {
  var bounds: Rect { get }

  /// Calls `body` with the intervals `from ..< to` in which the line at `y` lies inside, in any order,
  /// none overlapping another.
  func forEachInterval(at y: Double, _ body: (_ from: Double, _ to: Double) -> Void)

  /// Where each of a row's sixteen lines has just one interval, writes into `from` and `to` what
  /// `forEachInterval` would say, to the last bit; false where that is not so, or not known.
  func intervals(
    of row: Int, _ from: UnsafeMutablePointer<Double>, _ to: UnsafeMutablePointer<Double>
  ) -> Bool
}

extension Outline {
  func intervals(
    of row: Int, _ from: UnsafeMutablePointer<Double>, _ to: UnsafeMutablePointer<Double>
  ) -> Bool { false }

  /// The height of a line of points.
  @inline(__always)
  static func line(_ number: Int, of row: Int) -> Double {
    Double(row) + (Double(number) + 0.5) / 16
  }
}

/// A sector whose edges' directions are known: a picture has up to thousands of lines of points.
struct SectorOutline: Outline {
  private let sector: Sector
  /// The directions of the edges.
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

    /// Gives what is left of an interval relative to the centre, once cut to the ring.
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
    // Each edge leaves a ray of the line: all x from a bound on, or all before it. Neighbours compute
    // the bound of their common edge from the same numbers, so that it is the same to the last bit.
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

  func intervals(
    of row: Int, _ from: UnsafeMutablePointer<Double>, _ to: UnsafeMutablePointer<Double>
  ) -> Bool {
    let (first, last) = (Self.line(0, of: row) - center.y, Self.line(15, of: row) - center.y)
    let nearest = first * last < 0 ? 0 : min(abs(first), abs(last))
    let farthest = max(abs(first), abs(last))
    // All the way round, no line beyond the disc, and none in the hole.
    guard isClosed, outerRadius * outerRadius - farthest * farthest > 0,
      innerRadius * innerRadius - nearest * nearest <= 0
    else { return false }
    for number in 0..<16 {
      let dy = Self.line(number, of: row) - center.y
      let reach = (outerRadius * outerRadius - dy * dy).squareRoot()
      unsafe from[number] = center.x - reach
      unsafe to[number] = center.x + reach
    }
    return true
  }

  /// The x, relative to the centre, that lie clockwise of the edge in `direction` by at least `inset`
  /// (`isStart`), or counterclockwise of it by more than `inset`.
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
    guard y >= rect.y0, y < rect.y1, rect.x0 < rect.x1 else { return }
    let beyond = max(rect.y0 + radius - y, y - (rect.y1 - radius), 0)
    let cut = radius - max(radius * radius - beyond * beyond, 0).squareRoot()
    body(rect.x0 + (beyond > 0 ? cut : 0), rect.x1 - (beyond > 0 ? cut : 0))
  }
}

/// A closed polygon by the even-odd rule.
struct Polygon: Outline {
  private(set) var bounds = Rect(x0: 0, y0: 0, x1: 0, y1: 0)
  /// From each corner to the next; a level edge crosses nothing.
  private var edges: [Edge] = []

  private struct Edge {
    var y0: Double
    var y1: Double
    var start: Point
    var way: Vector

    @inline(__always)
    func x(at y: Double) -> Double { start.x + (y - start.y) * way.x / way.y }
  }

  init() {}

  init(points: [Point]) {
    self.init()
    become(points) { $0 }
  }

  /// Takes other corners, in the memory of those that it has.
  mutating func become(_ points: [Point], _ place: (Point) -> Point) {
    var box = Rect(x0: .infinity, y0: .infinity, x1: -.infinity, y1: -.infinity)
    edges.removeAll(keepingCapacity: true)
    var previous = place(points.last ?? .zero)
    for point in points {
      let p = place(point)
      box = Rect(
        x0: min(box.x0, p.x), y0: min(box.y0, p.y), x1: max(box.x1, p.x), y1: max(box.y1, p.y))
      edges.append(
        Edge(
          y0: min(previous.y, p.y), y1: max(previous.y, p.y), start: previous, way: p - previous))
      previous = p
    }
    bounds = points.isEmpty ? Rect(x0: 0, y0: 0, x1: 0, y1: 0) : box
  }

  @inline(__always)
  func forEachInterval(at y: Double, _ body: (_ from: Double, _ to: Double) -> Void) {
    var count = 0
    var two = (0.0, 0.0)
    // Half open in y, so that a line through a corner counts it once.
    for edge in edges where edge.y0 <= y && y < edge.y1 {
      two = (two.1, edge.x(at: y))
      count += 1
    }
    // Hardly any polygon is crossed more than twice.
    if count == 2 {
      if two.0 != two.1 { body(min(two.0, two.1), max(two.0, two.1)) }
    } else if count > 2 {
      forEachOfMany(at: y, body)
    }
  }

  func intervals(
    of row: Int, _ from: UnsafeMutablePointer<Double>, _ to: UnsafeMutablePointer<Double>
  ) -> Bool {
    let (first, last) = (Self.line(0, of: row), Self.line(15, of: row))
    var count = 0
    var (one, other) = (0, 0)
    for index in edges.indices where edges[index].y0 <= last && first < edges[index].y1 {
      guard edges[index].y0 <= first, last < edges[index].y1 else { return false }
      (one, other) = (other, index)
      count += 1
    }
    guard count == 2 else { return false }
    let (a, b) = (edges[one], edges[other])
    for number in 0..<16 {
      let y = Self.line(number, of: row)
      let (x0, x1) = (a.x(at: y), b.x(at: y))
      unsafe from[number] = min(x0, x1)
      unsafe to[number] = max(x0, x1)
    }
    return true
  }

  @inline(never)
  private func forEachOfMany(at y: Double, _ body: (_ from: Double, _ to: Double) -> Void) {
    let crossings = edges.lazy.filter { $0.y0 <= y && y < $0.y1 }.map { $0.x(at: y) }.sorted()
    for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
      if crossings[pair] < crossings[pair + 1] { body(crossings[pair], crossings[pair + 1]) }
    }
  }
}
