// SPDX-License-Identifier: MIT

/// An axis of the plane.
public enum Axis: Hashable, Sendable, CaseIterable {
  case horizontal, vertical
}

/// A direction as seen on the panel. Right-to-left languages don't reverse it.
public enum Direction: String, Hashable, Sendable, CaseIterable {
  case left, right, up, down

  package var axis: Axis {
    switch self {
    case .left, .right: .horizontal
    case .up, .down: .vertical
    }
  }

  /// The coordinate's change: 1 (right and down) or -1 (left and up).
  package var sign: Double {
    switch self {
    case .left, .up: -1
    case .right, .down: 1
    }
  }

  /// Returns right or down if `offset` is 0.
  package init(_ offset: Double, along axis: Axis) {
    self =
      switch axis {
      case .horizontal: offset < 0 ? .left : .right
      case .vertical: offset < 0 ? .up : .down
      }
  }
}

extension Vector {
  package func along(_ axis: Axis) -> Double {
    switch axis {
    case .horizontal: x
    case .vertical: y
    }
  }
}

extension Size {
  package func along(_ axis: Axis) -> Double {
    switch axis {
    case .horizontal: width
    case .vertical: height
    }
  }
}
