// SPDX-License-Identifier: MIT

import RoundelDrawing
import RoundelGeometry
import TestSupport
import Testing

@testable import RoundelRaster

/// Coverage by testing 16 × 16 points per pixel: slow, but independent of the painter.
private func sampled(_ size: PixelSize, _ contains: (Point) -> Bool) -> [Int] {
  var result: [Int] = []
  for y in 0..<size.height {
    for x in 0..<size.width {
      var inside = 0
      for sy in 0..<16 {
        for sx in 0..<16 {
          let p = Point(
            Double(x) + (Double(sx) + 0.5) / 16, Double(y) + (Double(sy) + 0.5) / 16)
          if contains(p) { inside += 1 }
        }
      }
      result.append(inside)
    }
  }
  return result
}

private func painted(_ size: PixelSize, _ coverage: Coverage) -> [Int] {
  var result = [Int](repeating: 0, count: size.width * size.height)
  for y in 0..<size.height {
    coverage.forEachPixel(in: y) { x, _, weight in result[y * size.width + x] += weight }
  }
  return result
}

/// An outline that implements only `forEachInterval` for lines.
private struct LineByLine<Whole: Outline>: Outline {
  let whole: Whole
  var bounds: Rect { whole.bounds }

  func forEachInterval(at y: Double, _ body: (_ from: Double, _ to: Double) -> Void) {
    whole.forEachInterval(at: y, body)
  }
}

private func worst(_ a: [Int], _ b: [Int]) -> Int {
  zip(a, b).map { abs($0 - $1) }.max() ?? 0
}

@Suite struct CoverageTests {
  let size = PixelSize(64, 56)
  var clip: PixelRect { PixelRect(size: size) }

  @Test(arguments: [
    // start, end, hole, inset: quarters, slivers, more than half, off the grid, parallel edges
    (0.0, 90.0, 8.0, 0.0), (15, 45, 6, 0), (-15, 15, 0, 0), (80, 100, 5.5, 0), (170, 190, 3, 0),
    (30, 300, 7, 0), (-100, 81, 0, 0), (12.3, 13.1, 2, 0), (45, 135, 6, 1.5), (200, 330, 9, 2.25),
    (0, 180, 4, 0), (90, 270, 4, 1), (0, 360, 10.5, 0), (7, 367, 0, 0),
  ])
  func `a sector's coverage matches sampling`(
    _ start: Double, _ end: Double, _ hole: Double, _ inset: Double
  ) {
    let sector = Sector(
      center: Point(31.3, 27.8), innerRadius: hole, outerRadius: 25.4, start: .degrees(start),
      end: .degrees(end), inset: inset)
    let expected = sampled(size) { sector.contains($0) }
    #expect(worst(painted(size, Coverage(sector, clip: clip)), expected) <= 2)
    #expect(expected.reduce(0, +) > 0)
  }

  @Test func `the coverage of random sectors matches sampling, even beyond the canvas`() {
    var random = SeededGenerator(seed: 7)
    for _ in Cases.of(40) {
      let start = Double.random(in: -400...400, using: &random)
      let outer = Double.random(in: 3...50, using: &random)
      let sector = Sector(
        center: Point(.random(in: -10...70, using: &random), .random(in: -10...70, using: &random)),
        innerRadius: .random(in: 0...outer, using: &random), outerRadius: outer,
        start: .degrees(start), end: .degrees(start + .random(in: 0.5...359, using: &random)),
        inset: .random(in: 0...3, using: &random))
      let coverage = painted(size, Coverage(sector, clip: clip))
      #expect(worst(coverage, sampled(size) { sector.contains($0) }) <= 2, "\(sector)")
    }
  }

  @Test(arguments: [0.0, 3, 7.7, 100])
  func `a rounded rectangle's coverage matches sampling`(_ radius: Double) {
    let rounded = RoundedRect(Rect(x0: 5.3, y0: 4.1, x1: 50.9, y1: 40.45), radius: radius)
    let coverage = painted(size, Coverage(rounded, clip: clip))
    #expect(worst(coverage, sampled(size) { rounded.contains($0) }) <= 2)
  }

  @Test func `rows traced at once have the same coverage as line by line`() {
    var random = SeededGenerator(seed: 28)
    func check(_ outline: some Outline) {
      let (atOnce, lines) = (
        Coverage(outline, clip: clip), Coverage(LineByLine(whole: outline), clip: clip)
      )
      #expect(painted(size, atOnce) == painted(size, lines), "\(outline)")
      #expect(atOnce.rects(of: 0) == lines.rects(of: 0), "\(outline)")
    }
    for number in Cases.of(200) {
      let middle = Point(.random(in: -5...70, using: &random), .random(in: -5...60, using: &random))
      let length = { Double.random(in: 0.2...70, using: &random) }
      // Also on the grid, where lines and points coincide with edges.
      let rect = Rect(
        center: number % 3 == 0 ? Point(32, 28) : middle, size: Size(length(), length()))
      let plate = RoundedRect(
        rect, radius: number % 4 == 0 ? 0 : .random(in: 0...40, using: &random))
      check(plate)
      check(SectorOutline(Sector(center: middle, innerRadius: length() / 4, outerRadius: length())))
      for side in [Rim.Side.upper, .lower] {
        check(RimOutline(Rim(.plate(plate), side, depth: .random(in: 0.5...8, using: &random))))
      }
      // Thin rings, triangles, lines and self-intersecting polygons, some with corners on lines.
      let outer = length()
      check(
        SectorOutline(
          Sector(center: middle, innerRadius: outer * 0.9, outerRadius: outer)))
      var polygon = Polygon()
      let corners = (0..<3 + number % 6).map { _ in
        Point(.random(in: -10...70, using: &random), .random(in: -10...65, using: &random))
      }
      polygon.assign(corners) { number % 3 == 0 ? Point($0.x.rounded(), $0.y.rounded()) : $0 }
      check(polygon)
    }
  }

  @Test(arguments: [Rim.Side.upper, .lower])
  func `the coverage of random rims matches sampling`(_ side: Rim.Side) {
    var random = SeededGenerator(seed: 27)
    for number in Cases.of(60) {
      let middle = Point(.random(in: -5...70, using: &random), .random(in: -5...60, using: &random))
      let (width, height) = (
        Double.random(in: 12...60, using: &random), Double.random(in: 12...60, using: &random)
      )
      let plate = RoundedRect(
        Rect(center: middle, size: Size(width, height)), radius: .random(in: 0...40, using: &random)
      )
      let start = Double.random(in: -400...400, using: &random)
      let sector = Sector(
        center: middle, innerRadius: .random(in: 0...width / 2, using: &random),
        outerRadius: width / 2, start: .degrees(start),
        end: .degrees(start + .random(in: 5...360, using: &random)),
        inset: .random(in: 0...2, using: &random))
      let rim = Rim(
        number % 2 == 0 ? .plate(plate) : .sector(sector), side,
        depth: .random(in: 0.5...8, using: &random))
      let coverage = painted(size, Coverage(RimOutline(rim), clip: clip))
      #expect(worst(coverage, sampled(size) { rim.contains($0) }) <= 2, "\(rim)")
    }
  }

  /// Half a disc of radius r, minus half an ellipse with semi-axes r and r − d: π r d / 2.
  @Test func `the area of a disc's rim is half a disc minus half an ellipse`() {
    let disc = Sector(center: Point(31.5, 28.25), radius: 25)
    for side in [Rim.Side.upper, .lower] {
      let rim = Rim(.sector(disc), side, depth: 3)
      let area = painted(size, Coverage(RimOutline(rim), clip: clip)).reduce(0, +)
      #expect(abs(Double(area) / 256 - .pi * 25 * 3 / 2) < 0.5)
    }
  }

  /// A chart's line with many columns. Each row of sample points crosses it up to dozens of times.
  private static let zigzag: [Point] = {
    let upper = (0...60).map { Point(2 + Double($0), 5 + Double($0 * 7919 % 41)) }
    return upper + upper.reversed().map { Point($0.x, $0.y + 3.3) }
  }()

  @Test(arguments: [
    [Point(10.2, 4.4), Point(55.1, 20.7), Point(30, 50.3), Point(28.8, 25)], zigzag,
    // Mostly above the picture.
    zigzag.map { Point($0.x, $0.y * 3 - 90) },
    // Too high to sort its edges by rows.
    zigzag.map { Point($0.x, $0.y > 40 ? $0.y * 1e5 : $0.y) },
  ])
  func `a polygon's coverage matches the even-odd rule`(_ points: [Point]) {
    func contains(_ p: Point) -> Bool {
      var inside = false
      var previous = points[points.count - 1]
      for point in points {
        if (previous.y <= p.y) != (point.y <= p.y),
          p.x >= previous.x + (p.y - previous.y) * (point.x - previous.x) / (point.y - previous.y)
        {
          inside.toggle()
        }
        previous = point
      }
      return inside
    }
    var polygon = Polygon()
    polygon.assign(points) { $0 }
    let coverage = painted(size, Coverage(polygon, clip: clip))
    #expect(worst(coverage, sampled(size, contains)) <= 2)
  }

  @Test(arguments: [1, 2, 3, 7, 12, 60])
  func `adjacent wedges add up to the whole ring in every pixel`(_ count: Int) {
    let center = Point(31.7, 28.2)
    let edges = (0...count).map { Angle.degrees(11.7 + 360 * (Double($0) - 0.5) / Double(count)) }
    var sum = [Int](repeating: 0, count: size.width * size.height)
    for index in 0..<count {
      let wedge = Sector(
        center: center, innerRadius: 6.5, outerRadius: 26, start: edges[index],
        end: edges[index + 1])
      for (pixel, value) in painted(size, Coverage(wedge, clip: clip)).enumerated() {
        sum[pixel] += value
      }
    }
    let ring = Sector(center: center, innerRadius: 6.5, outerRadius: 26)
    #expect(sum == painted(size, Coverage(ring, clip: clip)))
  }

  @Test func `merged wedges keep the coverage of each wedge`() {
    let wedges = [(0.0, 30.0), (35, 100), (100, 101.5), (101.5, 180), (180, 360)].map {
      Sector(
        center: Point(31.7, 28.2), innerRadius: 0, outerRadius: 26, start: .degrees($0),
        end: .degrees($1))
    }
    let parts = wedges.map { Coverage($0, clip: clip) }
    let merged = Coverage(merging: parts)
    for tile in wedges.indices {
      var own = [Int](repeating: 0, count: size.width * size.height)
      for y in 0..<size.height {
        merged.forEachPixel(in: y) { x, part, weight in
          if part == tile { own[y * size.width + x] += weight }
        }
      }
      #expect(own == painted(size, parts[tile]))
      #expect(merged.rects(of: tile) == parts[tile].rects(of: 0))
    }
  }

  @Test func `overlapping tiles never exceed a whole pixel`() {
    let merged = Coverage(
      merging: [4.0, 11.5, 20].map {
        Coverage(Sector(center: Point(20 + $0, 28), radius: 12.3), clip: clip)
      })
    let sum = painted(size, merged)
    #expect(sum.max() == 256)
    #expect(merged.bounds == PixelRect(x0: 11, y0: 15, x1: 53, y1: 41))
  }

  @Test func `empty, huge and non-finite shapes cover nothing or the canvas`() {
    func covered(_ sector: Sector) -> Int {
      painted(size, Coverage(sector, clip: clip)).reduce(0, +)
    }
    let center = Point(30, 30)
    #expect(covered(Sector(center: center, radius: 0)) == 0)
    #expect(covered(Sector(center: center, radius: -5)) == 0)
    #expect(covered(Sector(center: center, radius: .nan)) == 0)
    #expect(covered(Sector(center: Point(.nan, 3), radius: 5)) == 0)
    #expect(covered(Sector(center: Point(1e300, 3), radius: 5)) == 0)
    #expect(covered(Sector(center: center, radius: 1e12)) == size.width * size.height * 256)
    #expect(covered(Sector(center: center, innerRadius: 9, outerRadius: 3)) == 0)
  }
}
