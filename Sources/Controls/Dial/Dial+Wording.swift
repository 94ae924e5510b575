// SPDX-License-Identifier: MIT

public import Geometry
public import Motion

extension Dial {
  /// The label under the pointer with its unit; of an endless one nothing.
  public func wording(of item: String?, at now: Instant) -> Wording {
    guard !isEndless else { return Wording() }
    return Wording(
      value: labels[face.index] + unit,
      position: scale == nil ? .init(face.index, of: labels.count) : nil)
  }

  /// Nil: a finger hears the face as a whole.
  public func item(under point: Point, at now: Instant) -> String? { nil }
}
