// SPDX-License-Identifier: MIT

package import Controls
package import Geometry

/// An event of a touch panel or pointer.
///
/// Devices are numbered by the caller. Places are on the panel as it is mounted, 0 … 1 along each
/// side.
package enum InputEvent: Hashable, Sendable {
  /// A finger was put down in one of a touch panel's slots.
  case down(device: Int, slot: Int, at: Point)
  case move(device: Int, slot: Int, to: Point)
  case up(device: Int, slot: Int)
  /// The device regards the finger as something else, such as a palm.
  case cancel(device: Int, slot: Int)
  /// A pointer that reports places, such as a tablet.
  case point(device: Int, at: Point)
  /// A pointer that only reports movements, such as a mouse: in pixels of the upright picture.
  case push(device: Int, by: Vector)
  /// A pointer's first button.
  case button(device: Int, isDown: Bool)
  /// The device was unplugged, or is no longer listened to.
  case removed(device: Int)
}

/// A touch of one finger. The receiver maps the place to the design.
package struct CanvasTouch: Hashable, Sendable {
  package var finger: Int
  package var phase: Touch.Phase
  /// In pixels of the upright canvas; a finger beside the picture may be outside of it. For `up` and
  /// `cancel` it is the last place.
  package var position: Point

  package init(finger: Int, phase: Touch.Phase, position: Point) {
    self.finger = finger
    self.phase = phase
    self.position = position
  }
}

/// Numbers the fingers of all devices, with all pointers together as one further finger.
///
/// A finger gets the lowest number that is free when it comes down; numbers are reused. Each down has
/// an end: a finger that disappears without lifting, with its device or because its slot is reused, is
/// cancelled. Events of a finger that is not down are ignored.
package struct FingerTracker: Sendable {
  private enum Key: Hashable {
    case slot(device: Int, slot: Int)
    case pointer
  }

  private struct Finger {
    let number: Int
    var position: Point
  }

  /// The minimum distance between two fingers, as a share of the panel's longer side: 5 mm on one of 7 inches.
  private static let fingerWidth = 0.03

  package var mapping: PanelMapping
  private var down: [Key: Finger] = [:]
  /// Where the pointer is, in canvas pixels; in the middle before it is known.
  package private(set) var pointer: Point?
  /// The pointers whose button is held. The finger is down as long as there are any.
  private var pressing: Set<Int> = []

  package init(mapping: PanelMapping) {
    self.mapping = mapping
  }

  /// The touches of an event, in order. O(n) in the fingers.
  ///
  /// - Parameter twins: the other parts of the device that the event comes from. Many touchscreens report a finger
  ///   as one of a touchscreen and again as a mouse or a pen: only the part that reports it first counts.
  package mutating func handle(_ event: InputEvent, twins: Set<Int> = []) -> [CanvasTouch] {
    switch event {
    case .down(let device, let slot, let place):
      guard !isDown(onAny: twins) else { return [] }
      let key = Key.slot(device: device, slot: slot)
      let place = mapping.canvasPoint(place)
      return lift(key, .cancel) + liftLeft(on: device, near: place) + [put(key, at: place)]
    case .move(let device, let slot, let place):
      return move(.slot(device: device, slot: slot), to: mapping.canvasPoint(place))
    case .up(let device, let slot):
      return lift(.slot(device: device, slot: slot), .up)
    case .cancel(let device, let slot):
      return lift(.slot(device: device, slot: slot), .cancel)
    case .point(_, let place):
      guard !isDown(onAny: twins) else { return [] }
      return movePointer(to: mapping.canvasPoint(place))
    case .push(_, let way):
      guard way.x.isFinite, way.y.isFinite else { return [] }
      return movePointer(to: pointerPosition + way)
    case .button(let device, true):
      guard !isDown(onAny: twins) else { return [] }
      guard pressing.insert(device).inserted, pressing.count == 1 else { return [] }
      return [put(.pointer, at: pointerPosition)]
    case .button(let device, false):
      guard pressing.remove(device) != nil, pressing.isEmpty else { return [] }
      return lift(.pointer, .up)
    case .removed(let device):
      return remove(device)
    }
  }

  private func isDown(onAny devices: Set<Int>) -> Bool {
    !pressing.isDisjoint(with: devices)
      || down.keys.contains {
        if case .slot(let device, _) = $0 { devices.contains(device) } else { false }
      }
  }

  /// Lifts the fingers of a device that are less than a finger's width away from another that comes down: they
  /// must have left the panel already. Some touchscreens report that a tenth of a second later, or when they are
  /// touched again.
  private mutating func liftLeft(on device: Int, near place: Point) -> [CanvasTouch] {
    let width = Double(max(mapping.canvas.width, mapping.canvas.height)) * Self.fingerWidth
    let left = down.filter { key, finger in
      guard case .slot(device, _) = key else { return false }
      return (finger.position - place).length < width
    }
    return left.keys.flatMap { lift($0, .up) }.sorted { $0.finger < $1.finger }
  }

  private var pointerPosition: Point {
    pointer ?? Point(Double(mapping.canvas.width) / 2, Double(mapping.canvas.height) / 2)
  }

  private mutating func movePointer(to place: Point) -> [CanvasTouch] {
    // Inside the last pixel, so that the edge is still a place of the picture.
    func clamp(_ value: Double, _ side: Int) -> Double { min(max(value, 0), Double(side) - 1) }
    let place = Point(
      clamp(place.x, mapping.canvas.width), clamp(place.y, mapping.canvas.height))
    pointer = place
    return move(.pointer, to: place)
  }

  private mutating func remove(_ device: Int) -> [CanvasTouch] {
    var keys = down.keys.filter {
      if case .slot(device, _) = $0 { true } else { false }
    }
    if pressing.remove(device) != nil && pressing.isEmpty { keys.append(.pointer) }
    return cancel(keys)
  }

  private mutating func put(_ key: Key, at position: Point) -> CanvasTouch {
    let taken = Set(down.values.map(\.number))
    // One of the first `count + 1` numbers is free.
    let number = (0...taken.count).first { !taken.contains($0) } ?? taken.count
    down[key] = Finger(number: number, position: position)
    return CanvasTouch(finger: number, phase: .down, position: position)
  }

  private mutating func move(_ key: Key, to position: Point) -> [CanvasTouch] {
    guard let finger = down[key], finger.position != position else { return [] }
    down[key]?.position = position
    return [CanvasTouch(finger: finger.number, phase: .move, position: position)]
  }

  private mutating func lift(_ key: Key, _ phase: Touch.Phase) -> [CanvasTouch] {
    guard let finger = down.removeValue(forKey: key) else { return [] }
    return [CanvasTouch(finger: finger.number, phase: phase, position: finger.position)]
  }

  /// In the order of their numbers, so that the same events give the same touches.
  private mutating func cancel(_ keys: [Key]) -> [CanvasTouch] {
    keys.flatMap { lift($0, .cancel) }.sorted { $0.finger < $1.finger }
  }
}
