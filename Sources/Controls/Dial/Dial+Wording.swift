// SPDX-License-Identifier: MIT

public import Geometry
public import Motion

extension Dial {
  /// The selected label with its unit.
  public func wording(of item: String?, at now: Instant) -> Wording {
    guard !isEndless else { return Wording() }
    return Wording(
      value: labels[face.index] + unit,
      position: scale == nil ? .init(face.index, of: labels.count) : nil)
  }

  /// Always nil, because touch exploration reads the face as a whole.
  public func item(under point: Point, at now: Instant) -> String? { nil }
}
