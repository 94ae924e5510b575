// SPDX-License-Identifier: MIT

internal import Controls
internal import Drawing
internal import Geometry
internal import LinuxIO
internal import Motion
internal import Runtime

/// Rings around the fingers of clients who want to be seen, on top of everything else.
final class TouchMarkers {
  /// Seconds that a ring stays after its finger: taps are shorter than what an eye catches.
  static let rest = 0.5

  private let house: House
  /// Where each finger is, or was last.
  private var places: [Int: Point] = [:] {
    didSet { house.cycle.overlay = items }
  }
  /// The ends of the rings whose fingers are gone.
  private var ends: [Int: EventLoop.Token] = [:]

  init(_ house: House) {
    self.house = house
  }

  func handle(_ touch: Touch) {
    ends[touch.finger] = nil
    switch touch.phase {
    case .down, .move: places[touch.finger] = touch.position
    case .up, .cancel:
      ends[touch.finger] = house.loop.schedule(at: house.clock() + Self.rest) { [unowned self] in
        ends[touch.finger] = nil
        places[touch.finger] = nil
      }
    }
  }

  /// A white ring within a dark one, to be seen on any colour, as wide as a fingertip.
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
