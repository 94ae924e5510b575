// SPDX-License-Identifier: MIT

import RoundelGeometry
import Glibc
import RoundelInput
import TestSupport
import Testing

/// The positions of the crosses of `roundel calibrate`.
private let crosses = [
  Point(0.1, 0.1), Point(0.9, 0.1), Point(0.9, 0.9), Point(0.1, 0.9), Point(0.5, 0.5),
]

@Suite struct TouchMatrixTests {
  @Test func `a skewed touchscreen is calibrated to two pixels`() throws {
    // Rotated by 3°, 4 % too large, moved by a centimetre on a 7-inch panel.
    let size = PixelSize(800, 480)
    let (width, height) = (Double(size.width), Double(size.height))
    func felt(_ place: Point) -> Point {
      let (x, y) = ((place.x - 0.5) * width, (place.y - 0.5) * height)
      let (c, s) = (cos(3 * Double.pi / 180) / 1.04, sin(3 * Double.pi / 180) / 1.04)
      return Point((c * x - s * y) / width + 0.56, (s * x + c * y) / height + 0.47)
    }
    var random = SeededGenerator(seed: 12)
    // A finger hits a cross to within a pixel.
    let taps = crosses.map { cross in
      felt(
        Point(
          cross.x + .random(in: -1...1, using: &random) / width,
          cross.y + .random(in: -1...1, using: &random) / height))
    }
    let matrix = try TouchMatrix(taps: taps, on: crosses)
    for _ in 0..<1000 {
      let place = Point(.random(in: 0...1, using: &random), .random(in: 0...1, using: &random))
      let found = matrix.applied(to: felt(place))
      let (dx, dy) = ((found.x - place.x) * width, (found.y - place.y) * height)
      #expect((dx * dx + dy * dy).squareRoot() <= 2)
    }
  }

  @Test func `taps transformed by a matrix give that matrix`() throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let numbers = (0..<6).map { _ in Double.random(in: -1.5...1.5, using: &random) }
      guard let matrix = try? TouchMatrix(numbers),
        abs(numbers[0] * numbers[4] - numbers[1] * numbers[3]) > 0.1
      else { continue }
      let taps = crosses.map { matrix.inverted(at: $0) }
      let found = try TouchMatrix(taps: taps, on: crosses)
      for (a, b) in zip(found.coefficients, matrix.coefficients) { #expect(abs(a - b) < 1e-9) }
    }
  }

  @Test func `swapped and mirrored axes are an ordinary matrix`() throws {
    let taps = crosses.map { Point(1 - $0.y, $0.x) }
    let matrix = try TouchMatrix(taps: taps, on: crosses)
    #expect(matrix.description == "[0.0, 1.0, 0.0, -1.0, 0.0, 1.0]")
  }

  @Test(arguments: [
    [Point](repeating: Point(0.5, 0.5), count: 5),
    [Point(0.5, 0.5), Point(0.51, 0.5), Point(0.5, 0.51), Point(0.49, 0.5), Point(0.5, 0.49)],
    [Point(0.1, 0.1), Point(0.9, 0.9), Point(0.3, 0.3), Point(0.7, 0.7), Point(0.5, 0.5)],
    [Point](repeating: Point(.nan, 0.5), count: 5),
    [Point](repeating: Point(.infinity, 0.5), count: 5),
  ])
  func `taps at one point or on one line are rejected`(_ taps: [Point]) {
    let refusal = #expect(throws: CalibrationRefusal.self) {
      try TouchMatrix(taps: taps, on: crosses)
    }
    #expect(refusal?.description.contains("on one line") == true)
  }

  @Test func `a tap far from its cross is detected`() {
    var taps = crosses
    taps[2] = Point(0.4, 0.2)
    let refusal = #expect(throws: CalibrationRefusal.self) {
      try TouchMatrix(taps: taps, on: crosses)
    }
    #expect(refusal?.description.contains("a tap missed its cross") == true)
  }

  @Test(arguments: [
    [], [1, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0], [1, 1, 0, 1, 1, 0], [1, 0, 0, 0, 1, .nan],
    [1, 0, 0, 0, 1, .infinity], [1, 0, 0, 0, 1, 1e9], [1e-9, 0, 0, 0, 1, 0],
  ])
  func `a singular or non-finite matrix is rejected`(_ numbers: [Double]) {
    #expect(throws: CalibrationRefusal.self) { try TouchMatrix(numbers) }
  }
}
