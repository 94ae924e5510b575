// SPDX-License-Identifier: MIT

package import Drawing
package import Geometry
internal import Declarations

/// Where a finger hits something that has an image.
package enum Hit: String, CaseIterable, Sendable {
  /// On its outline.
  case shape
  /// Where its image shows something.
  case alpha

  /// Whether a finger at `point` goes through an image that fills `frame` because it shows nothing there.
  /// Without a `hit` only an image that `isAlone`, with nothing else painted, lets fingers through. The image
  /// at rest counts, so that the hit area does not change under a finger. An image that is not known lets no
  /// finger through.
  package static func isThrough(
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
    "Whether fingers hit its shape, or only where the image is not transparent; `alpha` where nothing but "
    + "the image is painted, else `shape`."
}

extension Form where Value == Hit {
  /// `shape` or `alpha`.
  static var hit: Form { .choice(["shape": .shape, "alpha": .alpha]) }
}
