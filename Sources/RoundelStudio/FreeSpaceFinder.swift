// SPDX-License-Identifier: MIT

internal import RoundelGeometry

struct FreeSpaceFinder {
  let screen: Rect
  /// The visible circle of a round panel, or nil if the whole area is visible.
  var circle: (center: Point, radius: Double)?
  var taken: [Rect] = []

  /// A position for a control, and the scale of its default size.
  struct Place: Hashable {
    var center: Point
    var scale: Double
  }

  /// The minimum distance to other controls and the edges, in design pixels.
  private static let gap = 8.0
  /// The scales to try, in this order.
  private static let scales = [1, 0.75, 0.5, 0.35]
  /// The number of candidate positions along the shorter side.
  private static let steps = 20.0
  /// The maximum number of candidates on each side of the centre.
  private static let most = 50.0

  func scale(_ size: Size) -> Double {
    // In a circle, the corners must fit.
    let (width, height) =
      circle.map { (2 * $0.radius, 2 * $0.radius) } ?? (screen.width, screen.height)
    let share = circle == nil ? 0.9 : 0.65
    return min(1, share * width / size.width, share * height / size.height)
  }

  /// Moves a control that is dropped at a point into the screen.
  func place(for size: Size, at place: Point) -> Place {
    let scale = scale(size)
    func within(_ value: Double, _ low: Double, _ high: Double, _ side: Double) -> Double {
      min(max(value, low + side * scale / 2), high - side * scale / 2).rounded()
    }
    return Place(
      center: Point(
        within(place.x, screen.x0, screen.x1, size.width),
        within(place.y, screen.y0, screen.y1, size.height)), scale: scale)
  }

  /// Returns the free position nearest to the centre, or the centre itself.
  func place(for size: Size) -> Place {
    let step = max(min(screen.width, screen.height) / Self.steps, 1)
    let (columns, rows) = (
      Int(min(screen.width / 2 / step, Self.most)), Int(min(screen.height / 2 / step, Self.most))
    )
    var places: [Point] = []
    for row in -rows...rows {
      for column in -columns...columns {
        places.append(
          Point(
            (screen.center.x + Double(column) * step).rounded(),
            (screen.center.y + Double(row) * step).rounded()))
      }
    }
    func distance(_ place: Point) -> Double {
      let (x, y) = (place.x - screen.center.x, place.y - screen.center.y)
      return x * x + y * y
    }
    places.sort { distance($0) < distance($1) }
    let largest = scale(size)
    for scale in Self.scales {
      let own = Size(size.width * scale * largest, size.height * scale * largest)
      if let found = places.first(where: { isFree(Rect(center: $0, size: own)) }) {
        return Place(center: found, scale: scale * largest)
      }
    }
    return Place(center: screen.center, scale: largest)
  }

  private func isFree(_ rect: Rect) -> Bool {
    let own = rect.inset(by: -Self.gap)
    guard own.x0 >= screen.x0, own.y0 >= screen.y0, own.x1 <= screen.x1, own.y1 <= screen.y1 else {
      return false
    }
    if let circle {
      let (x, y) = (
        max(abs(rect.x0 - circle.center.x), abs(rect.x1 - circle.center.x)),
        max(abs(rect.y0 - circle.center.y), abs(rect.y1 - circle.center.y))
      )
      guard x * x + y * y <= circle.radius * circle.radius else { return false }
    }
    return taken.allSatisfy { other in
      own.x0 >= other.x1 || own.x1 <= other.x0 || own.y0 >= other.y1 || own.y1 <= other.y0
    }
  }
}
