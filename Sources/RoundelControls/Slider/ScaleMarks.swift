// SPDX-License-Identifier: MIT

public import RoundelDrawing
internal import Glibc
internal import RoundelExpressions
internal import RoundelGeometry

/// A section of a scale with its own colour.
public struct ScaleBand: Hashable, Sendable {
  /// The end of the band. It begins at the end of the previous one, or at the minimum.
  public var end: Double
  /// The colour.
  public var color: ThemeColor

  /// Creates a band up to `end`.
  public init(to end: Double, color: ThemeColor) {
    self.end = end
    self.color = color
  }
}

/// Lines along a scale.
public struct ScaleTicks: Hashable, Sendable {
  /// The distance between two lines, in units of the value.
  public var every: Double
  /// The distance between two labelled lines, or nil for no labels.
  public var labelEvery: Double?

  /// Ignores a distance that isn't above 0, or needs more than `maximumCount` lines.
  public init(every: Double, labelEvery: Double? = nil) {
    self.every = every
    self.labelEvery = labelEvery
  }

  /// The maximum number of lines or labels.
  public static let maximumCount = 1_000

  /// The multiples as factors of the distance, or nil if it is ignored.
  static func multiples(of distance: Double, on scale: Scale) -> ClosedRange<Int>? {
    guard distance > 0, distance.isFinite else { return nil }
    let first = Scale.count(from: 0, by: distance, to: scale.minimum).rounded(.up)
    let last = Scale.count(from: 0, by: distance, to: scale.maximum).rounded(.down)
    guard first <= last, last - first <= Double(maximumCount), max(abs(first), abs(last)) < 0x1p53
    else { return nil }
    return Int(first)...Int(last)
  }

  /// The labels from the minimum to the maximum.
  func labels(on scale: Scale) -> [String] {
    guard let every = labelEvery, let multiples = Self.multiples(of: every, on: scale) else {
      return []
    }
    return multiples.map { Value.number(Scale.value(0, every, Double($0))).display }
  }

  /// Whether the line at `value` is longer because it has a label. True without labels.
  func isLong(at value: Double) -> Bool {
    labelEvery.map { abs(remainder(value, $0)) < every * 1e-3 } ?? true
  }
}

/// The line at the actual value, next to the chosen value.
enum ScaleMarker {
  /// Draws a line across a track, with a gap on both sides.
  static func draw(
    at point: Point, along: Vector, across: Vector, thickness: Double, ink: Color, halo: Color,
    into list: inout DisplayList
  ) {
    let half = min(max(thickness * 0.07, 1.5), 3)
    let reach = across * (thickness * 0.62)
    func add(_ half: Double, _ color: Color) {
      list.addPolygon(color) { corners in
        corners.append(point - reach - along * half)
        corners.append(point - reach + along * half)
        corners.append(point + reach + along * half)
        corners.append(point + reach - along * half)
      }
    }
    add(3 * half, halo)
    add(half, ink)
  }
}
