// SPDX-License-Identifier: MIT

package import RoundelControls
package import RoundelGeometry
internal import RoundelSession

package struct Fingers {
  private var down: [Int: Point] = [:]

  package init() {}

  var isAnyDown: Bool { !down.isEmpty }
  func isDown(_ finger: Int) -> Bool { down[finger] != nil }

  /// Follows a touch from elsewhere, so that strokes use other fingers.
  package mutating func record(_ touch: Touch) {
    switch touch.phase {
    case .down, .move: down[touch.finger] = touch.position
    case .up, .cancel: down[touch.finger] = nil
    }
  }

  mutating func press(_ finger: Int, at point: Point) -> [TimedTouch] {
    down[finger] = point
    return [TimedTouch(after: 0, Touch(finger: finger, phase: .down, position: point))]
  }

  mutating func move<Failure>(
    _ finger: Int, _ path: DragPath, during: Double, _ point: (TouchPoint) throws(Failure) -> Point
  ) throws(Failure) -> [TimedTouch] {
    guard let start = down[finger] else { return [] }
    let moves = Self.moves(finger, try Path(start, path, point), after: 0, during: during)
    down[finger] = moves.last?.touch.position ?? start
    return moves
  }

  /// Lifts all fingers if `finger` is nil.
  mutating func release(_ finger: Int?) -> [TimedTouch] {
    let fingers = finger.map { [$0] } ?? down.keys.sorted()
    return fingers.compactMap { finger in
      down.removeValue(forKey: finger).map {
        TimedTouch(after: 0, Touch(finger: finger, phase: .up, position: $0))
      }
    }
  }

  /// Returns touches in order of time, by fingers that aren't down.
  package func touches<Failure>(
    _ strokes: [Stroke], _ point: (TouchPoint) throws(Failure) -> Point
  ) throws(Failure) -> [TimedTouch] {
    var touches: [TimedTouch] = []
    let free = (0...).lazy.filter { !isDown($0) }
    for (finger, stroke) in zip(free, strokes) {
      let start = try point(stroke.start)
      let path = try Path(start, stroke.path, point)
      let moves =
        stroke.path == .none
        ? [] : Self.moves(finger, path, after: stroke.after, during: stroke.during)
      touches.append(
        TimedTouch(
          after: stroke.after, Touch(finger: finger, phase: .down, position: start)))
      touches += moves
      touches.append(
        TimedTouch(
          after: stroke.after + stroke.during + stroke.hold,
          Touch(finger: finger, phase: .up, position: moves.last?.touch.position ?? start)))
    }
    // Simultaneous touches stay in the order of the fingers.
    return touches.enumerated().sorted {
      ($0.element.after, $0.offset) < ($1.element.after, $1.offset)
    }
    .map(\.element)
  }

  static func moveCount(during: Double) -> Int {
    max(1, Int((during * Touch.reportsPerSecond).rounded()))
  }

  private static func moves(
    _ finger: Int, _ path: Path, after: Double, during: Double
  ) -> [TimedTouch] {
    let count = moveCount(during: during)
    return (1...count).map { step in
      let part = Double(step) / Double(count)
      return TimedTouch(
        after: after + during * part,
        Touch(finger: finger, phase: .move, position: path.point(part)))
    }
  }
}

extension StepAction {
  var touchCount: Int {
    switch self {
    case .touch(let strokes):
      strokes.reduce(0) {
        $0 + 2 + ($1.path == .none ? 0 : Fingers.moveCount(during: $1.during))
      }
    case .move(_, _, let during): Fingers.moveCount(during: during)
    case .press, .release: 1
    case .type(let text, _): 2 * text.count
    default: 0
    }
  }
}

/// A path with resolved positions.
private enum Path {
  case line(Point, Point)
  case arc(center: Point, distance: Double, from: Angle, turn: Angle)

  init<Failure>(
    _ start: Point, _ path: DragPath, _ point: (TouchPoint) throws(Failure) -> Point
  ) throws(Failure) {
    switch path {
    case .none: self = .line(start, start)
    case .to(let place): self = .line(start, try point(place))
    case .by(let vector): self = .line(start, start + vector)
    case .around(let place, let degrees):
      let center = try point(place)
      self = .arc(
        center: center, distance: start.distance(to: center), from: Angle(of: start - center),
        turn: .degrees(degrees))
    }
  }

  /// The fraction is 0 … 1.
  func point(_ part: Double) -> Point {
    switch self {
    case .line(let start, let end): start + (end - start) * part
    case .arc(let center, let distance, let from, let turn):
      center + (from + turn * part).unit * distance
    }
  }
}
