// SPDX-License-Identifier: MIT

internal import CRoundelPixels
internal import RoundelDrawing
internal import RoundelGeometry

/// The outgoing page's picture. It is painted once, and freed at the end of the transition.
struct OutgoingPicture {
  let list: DisplayList
  /// The image revision when the picture was painted, or nil if no image was missing.
  let lacking: Int?
  let composition: TransitionComposition
}

// Small, because each row of a frame uses it.
struct TransitionComposition {
  let before: Canvas
  /// The part with the new picture.
  private let shown: PixelRect
  /// The offset of the new picture, 0 along one axis.
  let shift: (x: Int, y: Int)
  /// The new picture's 256ths if both are mixed, or nil if they are side by side.
  private let weight: UInt16?

  init(_ transition: DisplayList.Transition, before: Canvas) {
    self.before = before
    let (width, height) = (before.size.width, before.size.height)
    /// Outside 0 ..< 1, `progress` counts as complete.
    func share(_ progress: Double, of whole: Int) -> Int {
      progress >= 0 && progress < 1 ? Int((progress * Double(whole)).rounded()) : whole
    }
    switch transition {
    case .fade(_, let progress):
      weight = UInt16(share(progress, of: 256))
      shown = PixelRect(size: before.size)
      shift = (0, 0)
    case .slide(_, let direction, let progress):
      weight = nil
      let rest =
        switch direction.axis {
        case .horizontal: width - share(progress, of: width)
        case .vertical: height - share(progress, of: height)
        }
      switch direction {
      case .left: shift = (rest, 0)
      case .right: shift = (-rest, 0)
      case .up: shift = (0, rest)
      case .down: shift = (0, -rest)
      }
      shown = PixelRect(
        x0: max(shift.x, 0), y0: max(shift.y, 0), x1: width + min(shift.x, 0),
        y1: height + min(shift.y, 0))
    }
  }

  func isSame(as other: TransitionComposition) -> Bool {
    before === other.before && shown == other.shown && shift == other.shift
      && weight == other.weight
  }

  /// Returns the needed pixels of the new picture.
  func part(of rect: PixelRect) -> PixelRect {
    let seen = rect.intersection(shown)
    guard !seen.isEmpty else { return .empty }
    return PixelRect(
      x0: seen.x0 - shift.x, y0: seen.y0 - shift.y, x1: seen.x1 - shift.x, y1: seen.y1 - shift.y)
  }

  /// Adds the old picture to row `y`.
  func complete(_ pixels: RowPixels, y: Int) {
    let (width, height) = (before.size.width, before.size.height)
    let (x0, x1) = unsafe (pixels.columns.lowerBound, pixels.columns.upperBound)
    precondition(
      y >= 0 && y < height && x0 >= 0 && x1 <= width, "outside the old picture")
    let row = unsafe pixels.zero(for: x0, x1)
    unsafe before.withPixels { pixels in
      guard let start = pixels.baseAddress, x0 < x1 else { return }
      // Outside the new picture is the old one, shifted with it.
      let isBeside = y < shown.y0 || y >= shown.y1
      let from = isBeside ? y - (shift.y > 0 ? shift.y - height : shift.y + height) : y
      precondition(from >= 0 && from < height, "outside the old picture's rows")
      let old = unsafe start + from * width
      if isBeside {
        unsafe (row + x0).update(from: old + x0, count: x1 - x0)
        return
      }
      if let weight {
        unsafe pixels_mix(old + x0, row + x0, weight, x1 - x0)
        return
      }
      let left = x0..<max(x0, min(x1, shown.x0))
      let right = min(x1, max(x0, shown.x1))..<x1
      for part in [left, right] where !part.isEmpty {
        let from = part.lowerBound - (shift.x > 0 ? shift.x - width : shift.x + width)
        precondition(from >= 0 && from + part.count <= width, "outside the old picture's row")
        unsafe (row + part.lowerBound).update(from: old + from, count: part.count)
      }
    }
  }
}
