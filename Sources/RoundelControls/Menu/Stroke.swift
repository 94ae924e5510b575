// SPDX-License-Identifier: MIT

package import RoundelGeometry
internal import RoundelMotion

/// The path of a finger through nested rings: a straight part for each ring, and a bend before the
/// next.
package struct Stroke: Hashable, Sendable {
  package struct Part: Hashable, Sendable {
    package var direction: Angle
    package var length: Double
  }

  /// The points, at least `spacing` apart except for the last.
  private var points: [Point]
  /// The distance in design pixels.
  private static let spacing = 3.0
  /// The length on both sides of a bend, in design pixels.
  private static let shortest = 18.0
  /// The minimum angle of a bend.
  private static let wobble = Angle.degrees(18)
  private static let maximumCount = 1_000

  package init(at point: Point) { points = [point, point] }

  /// Returns false if there are too many points for a stroke.
  package mutating func add(_ point: Point) -> Bool {
    points[points.count - 1] = point
    guard point.distance(to: points[points.count - 2]) >= Self.spacing else { return true }
    guard points.count < Self.maximumCount else { return false }
    points.append(point)
    return true
  }

  /// The straight parts, at least one. O(n) in the points, for each bend.
  package var parts: [Part] {
    var ends = [0]
    addBends(from: 0, to: points.count - 1, to: &ends)
    ends.append(points.count - 1)
    return zip(ends, ends.dropFirst()).enumerated().map { index, ends in
      part(from: ends.0, to: ends.1, isFirst: index == 0)
    }
  }

  private func addBends(from start: Int, to end: Int, to bends: inout [Int]) {
    guard let bend = bend(from: start, to: end) else { return }
    addBends(from: start, to: bend, to: &bends)
    bends.append(bend)
    addBends(from: bend, to: end, to: &bends)
  }

  /// The point farthest from the line, if the stroke bends there.
  private func bend(from start: Int, to end: Int) -> Int? {
    guard end - start >= 2 else { return nil }
    let (first, last) = (points[start], points[end])
    let chord = last - first
    let length = chord.length
    var (farthest, bend) = (0.0, start)
    for index in start + 1..<end {
      let offset = points[index] - first
      let along = length > 0 ? (offset.x * chord.x + offset.y * chord.y) / (length * length) : 0
      let distance = (offset - chord * min(max(along, 0), 1)).length
      if distance > farthest { (farthest, bend) = (distance, index) }
    }
    let (before, after) = (points[bend] - first, last - points[bend])
    guard bend > start, before.length >= Self.shortest, after.length >= Self.shortest else {
      return nil
    }
    let turn = Angle(of: after).turn(from: Angle(of: before))
    return abs(turn.radians) >= Self.wobble.radians ? bend : nil
  }

  /// The direction ignores the rounded ends next to bends.
  private func part(from start: Int, to end: Int, isFirst: Bool) -> Part {
    let isLast = end == points.count - 1
    let length = (points[end] - points[start]).length
    func place(after distance: Double, from start: Int, by step: Int, to end: Int) -> Int {
      var index = start
      while index != end, points[index].distance(to: points[start]) < distance { index += step }
      return index
    }
    let margin = min(length * 0.35, 24)
    let from = isFirst ? start : place(after: margin, from: start, by: 1, to: end)
    let to = isLast ? end : place(after: margin, from: end, by: -1, to: from)
    let offset = points[to] - points[from]
    let direction = offset.length > 0 ? offset : points[end] - points[start]
    return Part(direction: Angle(of: direction), length: length)
  }
}
