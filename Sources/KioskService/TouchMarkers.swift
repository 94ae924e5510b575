// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDrawing
internal import RoundelGeometry
internal import LinuxIO
internal import RoundelMotion
internal import RoundelRuntime

/// Rings around injected touches, at the client's request.
final class TouchMarkers {
  /// Seconds that a ring stays, because taps are too short to be seen.
  static let rest = 0.5

  private let context: ServerContext
  /// The current or last positions.
  private var places: [Int: Point] = [:] {
    didSet { context.cycle.overlay = items }
  }
  private var ends: [Int: EventLoop.Token] = [:]

  init(_ context: ServerContext) {
    self.context = context
  }

  func handle(_ touch: Touch) {
    ends[touch.finger] = nil
    switch touch.phase {
    case .down, .move: places[touch.finger] = touch.position
    case .up, .cancel:
      ends[touch.finger] = context.loop.schedule(at: context.clock() + Self.rest) {
        [unowned self] in
        ends[touch.finger] = nil
        places[touch.finger] = nil
      }
    }
  }

  /// A white ring in a dark one, visible on any colour, as wide as a fingertip.
  private var items: [DisplayItem] {
    places.sorted { $0.key < $1.key }.flatMap { _, place in
      [
        DisplayItem(
          .sector(Sector(center: place, innerRadius: 20, outerRadius: 34)),
          .black.faded(to: 0.5)),
        DisplayItem(.sector(Sector(center: place, innerRadius: 24, outerRadius: 30)), .white),
      ]
    }
  }
}
