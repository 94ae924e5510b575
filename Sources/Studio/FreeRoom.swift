// SPDX-License-Identifier: MIT

internal import Geometry

/// Looks for room on a page that no control takes.
struct FreeRoom {
  /// The area in which controls may be placed.
  let screen: Rect
  /// The part of it that a round panel shows; nil for all.
  var circle: (center: Point, radius: Double)?
  /// The areas that are taken.
  var taken: [Rect] = []

  /// A place for a control, and how many times as large it is there as it would be by itself.
  struct Place: Hashable {
    var center: Point
    var scale: Double
  }

  /// Between controls, and to the edges, in design pixels.
  private static let gap = 8.0
  /// The smaller ones where there is no room for the larger ones.
  private static let scales = [1, 0.75, 0.5, 0.35]
  /// Places are a twentieth of the shorter side apart.
  private static let steps = 20.0
  /// The most places to each side of the middle.
  private static let most = 50.0

  /// How many times as large as by itself a control of a size may be for the screen to have room for it.
  func scale(_ size: Size) -> Double {
    // In a circle the corners count.
    let (width, height) =
      circle.map { (2 * $0.radius, 2 * $0.radius) } ?? (screen.width, screen.height)
    let share = circle == nil ? 0.9 : 0.65
    return min(1, share * width / size.width, share * height / size.height)
  }

  /// Where a control of a size goes that is put at a place: there, as far as it is within the screen.
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

  /// The free place for a control of a size that is the nearest to the middle; the middle where all is taken.
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
