// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry
internal import RoundelDeclarations

/// The parts of a shape with an image that fingers hit.
package enum Hit: String, CaseIterable, Sendable {
  case shape
  case alpha

  /// Whether `point` is on a transparent part of an image that fills `frame`. Without `hit`, only
  /// if the image `isAlone`.
  static func isThrough(
    _ point: Point, _ hit: Hit?, image: String, frame: Rect, fit: ImageFit, isAlone: Bool,
    _ masks: [String: ImageMask]
  ) -> Bool {
    guard hit ?? (isAlone ? .alpha : .shape) == .alpha, let mask = masks[image] else {
      return false
    }
    return !mask.contains(point, in: frame, fit)
  }
}

extension Hit {
  static let summary =
    "The area that reacts to touches: the shape, or only the parts of the image that aren't transparent. The default is `alpha` if only the image is painted, otherwise `shape`."
}

extension Form where Value == Hit {
  static var hit: Form { .choice(["shape": .shape, "alpha": .alpha]) }
}
