// SPDX-License-Identifier: MIT

internal import CPixels
internal import Drawing
internal import Geometry

/// A picture in whose place another one comes, and how much of each is to be seen.
///
/// The one that goes is painted once; the one that comes is composed in each frame. The memory of the
/// first is free when nothing is left of it.
struct Splice {
  /// The list that `before` shows.
  let from: DisplayList
  let before: Canvas
  /// The state of the images with which `before` was painted, where it lacks one; nil where it is whole.
  let lacking: Int?
  /// The columns of the result that show the new picture.
  let columns: Range<Int>
  /// The way from a column of the new picture to its column in the result.
  let shift: Int
  /// 256ths of the new picture where it is mixed with the old one; nil where they lie side by side.
  private let weight: UInt16?

  /// - Parameter before: a picture of `transition.from`.
  init(_ transition: DisplayList.Transition, before: Canvas, lacking: Int?) {
    from = transition.from
    self.before = before
    self.lacking = lacking
    let width = before.size.width
    /// A share in whole steps; a progress that is none counts as done.
    func share(_ progress: Double, of whole: Int) -> Int {
      progress >= 0 && progress < 1 ? Int((progress * Double(whole)).rounded()) : whole
    }
    switch transition {
    case .fade(_, let progress):
      weight = UInt16(share(progress, of: 256))
      columns = 0..<width
      shift = 0
    case .slide(_, let isForward, let progress):
      weight = nil
      let come = share(progress, of: width)
      columns = isForward ? width - come..<width : 0..<come
      shift = isForward ? width - come : come - width
    }
  }

  /// The pixels of the new picture that are needed for some of the result.
  func part(of rect: PixelRect) -> PixelRect {
    let shown = columns.clamped(to: rect.x0..<max(rect.x0, rect.x1))
    return PixelRect(
      x0: shown.lowerBound - shift, y0: rect.y0, x1: shown.upperBound - shift, y1: rect.y1)
  }

  /// Adds the old picture to the pixels of its row `y`, in which the new picture stands.
  func complete(_ pixels: RowPixels, y: Int) {
    let width = before.size.width
    let (x0, x1) = unsafe (pixels.columns.lowerBound, pixels.columns.upperBound)
    precondition(
      y >= 0 && y < before.size.height && x0 >= 0 && x1 <= width, "outside of the old picture")
    let row = unsafe pixels.zero(for: x0, x1)
    unsafe before.withPixels { pixels in
      guard let start = pixels.baseAddress, x0 < x1 else { return }
      let old = unsafe start + y * width
      if let weight {
        unsafe pixels_mix(old + x0, row + x0, weight, x1 - x0)
        return
      }
      // The old picture lies beside the new one, shifted with it.
      let left = x0..<max(x0, min(x1, columns.lowerBound))
      let right = min(x1, max(x0, columns.upperBound))..<x1
      for part in [left, right] where !part.isEmpty {
        let from = part.lowerBound - (shift > 0 ? shift - width : shift + width)
        precondition(from >= 0 && from + part.count <= width, "outside of the old picture's row")
        unsafe (row + part.lowerBound).update(from: old + from, count: part.count)
      }
    }
  }
}
