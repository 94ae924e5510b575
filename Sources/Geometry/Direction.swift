// SPDX-License-Identifier: MIT

/// One of the two axes of the plane.
public enum Axis: Hashable, Sendable, CaseIterable {
  case horizontal, vertical
}

/// One of the four ways along an axis, as a finger sees them: no language reverses it.
public enum Direction: String, Hashable, Sendable, CaseIterable {
  case left, right, up, down

  /// The axis that it goes along.
  package var axis: Axis {
    switch self {
    case .left, .right: .horizontal
    case .up, .down: .vertical
    }
  }

  /// 1 to the right and down, else -1.
  package var sign: Double {
    switch self {
    case .left, .up: -1
    case .right, .down: 1
    }
  }

  /// The direction in which a coordinate changes by `way` along an axis; to the right or down for 0.
  package init(_ way: Double, along axis: Axis) {
    self =
      switch axis {
      case .horizontal: way < 0 ? .left : .right
      case .vertical: way < 0 ? .up : .down
      }
  }
}

extension Vector {
  /// The part along an axis.
  package func along(_ axis: Axis) -> Double {
    switch axis {
    case .horizontal: x
    case .vertical: y
    }
  }
}

extension Size {
  /// The side along an axis.
  package func along(_ axis: Axis) -> Double {
    switch axis {
    case .horizontal: width
    case .vertical: height
    }
  }
}
