// SPDX-License-Identifier: MIT

package import RoundelGeometry
internal import RoundelMotion

/// Maps reported positions to the panel, whose sides count as 1 each: x' = a·x + b·y + c, y' = d·x
/// + e·y + f. libinput calls it a calibration matrix.
package struct TouchMatrix: Hashable, Sendable, CustomStringConvertible {
  /// a, b, c, d, e and f.
  package let coefficients: [Double]

  package static let identity = TouchMatrix(unchecked: [1, 0, 0, 0, 1, 0])

  private init(unchecked coefficients: [Double]) { self.coefficients = coefficients }

  /// Throws unless there are six numbers, none NaN or too large, and the panel isn't mapped to
  /// almost nothing.
  package init(_ coefficients: [Double]) throws(CalibrationRefusal) {
    guard coefficients.count == 6 else {
      throw CalibrationRefusal(
        "a calibration must have six numbers, not \(coefficients.count)")
    }
    guard coefficients.allSatisfy({ abs($0) <= Self.largest }) else {
      throw CalibrationRefusal(
        "a calibration's numbers must be between −\(Int(Self.largest)) and \(Int(Self.largest))")
    }
    let matrix = TouchMatrix(unchecked: coefficients)
    guard abs(matrix.area) >= Self.leastArea else {
      throw CalibrationRefusal(
        "the calibration \(matrix) maps the panel to a line or a point; tap the crosses again")
    }
    self = matrix
  }

  private static let largest = 100.0
  /// The minimum fraction of the panel that the touchscreen must cover.
  private static let leastArea = 1.0 / 64

  /// The fraction of the panel covered by the touchscreen, negative if mirrored.
  private var area: Double {
    coefficients[0] * coefficients[4] - coefficients[1] * coefficients[3]
  }

  package func applied(to place: Point) -> Point {
    Point(
      coefficients[0] * place.x + coefficients[1] * place.y + coefficients[2],
      coefficients[3] * place.x + coefficients[4] * place.y + coefficients[5])
  }

  /// Returns the touchscreen's position that this matrix maps to `place`.
  package func inverted(at place: Point) -> Point {
    let (x, y) = (place.x - coefficients[2], place.y - coefficients[5])
    return Point(
      (coefficients[4] * x - coefficients[1] * y) / area,
      (coefficients[0] * y - coefficients[3] * x) / area)
  }

  /// The numbers with six decimals, in YAML and JSON syntax.
  package var description: String {
    "[" + coefficients.map { "\(($0 * 1e6).rounded() / 1e6 + 0)" }.joined(separator: ", ") + "]"
  }
}

package struct CalibrationRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}

extension TouchMatrix {
  /// Maps taps to at least three crosses by least squares.
  ///
  /// Throws if the taps are close together or on a line, because the rest of the panel is unknown,
  /// or if no matrix maps them near their crosses, because one was elsewhere.
  package init(taps: [Point], on crosses: [Point]) throws(CalibrationRefusal) {
    precondition(taps.count == crosses.count && taps.count >= 3, "a tap for each cross")
    let count = Double(taps.count)
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / count }
    let middle = Point(mean(taps.map(\.x)), mean(taps.map(\.y)))
    let target = Point(mean(crosses.map(\.x)), mean(crosses.map(\.y)))
    // Relative to the centre, which leaves two unknowns for each side.
    let offsets = taps.map { $0 - middle }
    let xx = offsets.reduce(0) { $0 + $1.x * $1.x }
    let yy = offsets.reduce(0) { $0 + $1.y * $1.y }
    let xy = offsets.reduce(0) { $0 + $1.x * $1.y }
    let determinant = xx * yy - xy * xy
    // The smaller spread of the taps, which is 0 if they are on a line.
    let narrow = determinant / max(xx + yy, .leastNormalMagnitude) / count
    guard narrow.isFinite, narrow >= Self.leastSpread * Self.leastSpread else {
      throw CalibrationRefusal(
        "all taps are at one point or on one line; tap each cross at its position")
    }
    func solve(_ side: (Point) -> Double, _ middleOfSide: Double) -> (Double, Double) {
      var (x, y) = (0.0, 0.0)
      for (offset, cross) in zip(offsets, crosses) {
        x += offset.x * (side(cross) - middleOfSide)
        y += offset.y * (side(cross) - middleOfSide)
      }
      return ((x * yy - y * xy) / determinant, (y * xx - x * xy) / determinant)
    }
    let (a, b) = solve(\.x, target.x)
    let (d, e) = solve(\.y, target.y)
    let matrix = try TouchMatrix([
      a, b, target.x - a * middle.x - b * middle.y, d, e, target.y - d * middle.x - e * middle.y,
    ])
    let error = zip(taps, crosses).map { (matrix.applied(to: $0) - $1).length }.max() ?? 0
    guard error <= Self.largestError else {
      throw CalibrationRefusal(
        "a tap missed its cross: the best calibration is off by \(Int((error * 100).rounded())) %"
          + " of the panel's side; tap each cross at its position")
    }
    self = matrix
  }

  /// The minimum mean distance of the taps from a line, in sides of the panel.
  private static let leastSpread = 0.03
  private static let largestError = 0.05
}
