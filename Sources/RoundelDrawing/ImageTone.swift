// SPDX-License-Identifier: MIT

package import RoundelGeometry

/// The colours of an image in 16 × 16 parts, used to find readable text colours.
public struct ImageTone: Hashable, Sendable {
  /// The number of parts along each side.
  package static let side = 16

  /// Row by row, from the top left.
  private let colors: [Color]

  /// - Parameter colors: `side`² colours, row by row.
  package init(_ colors: [Color]) {
    precondition(colors.count == Self.side * Self.side, "a tone needs one colour per part")
    self.colors = colors
  }

  /// The mean of `count` points of the image in `frame`. Outside of it, the nearest part counts.
  ///
  /// - Parameter behind: The colour behind transparent parts.
  package func mean(
    in frame: Rect, over behind: Color, at count: Int, _ place: (_ index: Int) -> Point
  ) -> Color {
    guard count > 0, frame.width > 0, frame.height > 0 else { return behind }
    var (red, green, blue) = (0, 0, 0)
    for index in 0..<count {
      let point = place(index)
      let color = color(
        (point.x - frame.x0) / frame.width, (point.y - frame.y0) / frame.height
      ).over(behind)
      red += Int(color.red)
      green += Int(color.green)
      blue += Int(color.blue)
    }
    func mean(_ sum: Int) -> UInt8 { UInt8((sum + count / 2) / count) }
    return Color(red: mean(red), green: mean(green), blue: mean(blue))
  }

  /// The mean of the image in `frame` inside `part`.
  package func mean(of part: Rect, in frame: Rect, over behind: Color) -> Color {
    let steps = 6
    return mean(in: frame, over: behind, at: steps * steps) { index in
      Point(
        part.x0 + part.width * (Double(index % steps) + 0.5) / Double(steps),
        part.y0 + part.height * (Double(index / steps) + 0.5) / Double(steps))
    }
  }

  /// Arguments are fractions of the width and of the height.
  private func color(_ across: Double, _ down: Double) -> Color {
    func part(_ share: Double) -> Int {
      let place = share * Double(Self.side)
      // Includes NaN.
      guard place > 0 else { return 0 }
      return place < Double(Self.side) ? Int(place) : Self.side - 1
    }
    return colors[part(down) * Self.side + part(across)]
  }
}
