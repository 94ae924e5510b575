// SPDX-License-Identifier: MIT

internal import RoundelGeometry

/// The path of a slider's knobs: an arc or a line.
protocol Track {
  /// The length, above 0: radians along an arc, design pixels along a line.
  var length: Double { get }
  /// The length in design pixels.
  var pixels: Double { get }
  /// The distance from a knob's centre where a finger grabs the knob, in design pixels.
  var reach: Double { get }

  /// Returns the coordinate of a finger, or nil if it has none, as near the centre of an arc.
  func coordinate(of point: Point) -> Double?
  /// Returns the movement along the track between two coordinates.
  func movement(from start: Double, to end: Double) -> Double
  /// Removes full turns beyond the track's ends.
  func unwound(_ pull: Double) -> Double
  /// The distance from the track's start to the point nearest to a coordinate.
  func place(of coordinate: Double) -> Double
  /// Returns the point at a fraction of the track, from 0 to 1.
  func point(at fraction: Double) -> Point
}
