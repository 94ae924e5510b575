// SPDX-License-Identifier: MIT

package import RoundelControls
package import RoundelGeometry

/// An event of a touchscreen or pointer.
///
/// The caller assigns numbers to devices. Positions are on the mounted panel, 0 … 1 along each
/// side.
package enum InputEvent: Hashable, Sendable {
  case down(device: Int, slot: Int, at: Point)
  case move(device: Int, slot: Int, to: Point)
  case up(device: Int, slot: Int)
  /// The device no longer considers this a finger, but a palm, for example.
  case cancel(device: Int, slot: Int)
  /// A pointer with absolute positions, such as a tablet.
  case point(device: Int, at: Point)
  /// A pointer with relative movements, such as a mouse, in pixels of the unrotated picture.
  case push(device: Int, by: Vector)
  /// The primary button of a pointer.
  case button(device: Int, isDown: Bool)
  /// The device was unplugged, or is no longer used.
  case removed(device: Int)
}

package struct CanvasTouch: Hashable, Sendable {
  package var finger: Int
  package var phase: Touch.Phase
  /// In pixels of the unrotated canvas, possibly outside it. For `up` and `cancel`, the last
  /// position.
  package var position: Point

  package init(finger: Int, phase: Touch.Phase, position: Point) {
    self.finger = finger
    self.phase = phase
    self.position = position
  }
}

/// Numbers the fingers of all devices. All pointers count as one more.
///
/// A touch gets the lowest free number. If its device is removed or its slot reused, it is
/// cancelled. Events of unknown touches are ignored.
package struct FingerTracker: Sendable {
  private enum Key: Hashable {
    case slot(device: Int, slot: Int)
    case pointer
  }

  private struct Finger {
    let number: Int
    var position: Point
  }

  /// The minimum distance between two fingers, as a fraction of the panel's longer side: 5 mm on a
  /// 7-inch panel.
  private static let fingerWidth = 0.03

  package var mapping: PanelMapping
  private var down: [Key: Finger] = [:]
  /// In canvas pixels. Nil before it is known.
  package private(set) var pointer: Point?
  private var pressing: Set<Int> = []

  package init(mapping: PanelMapping) {
    self.mapping = mapping
  }

  /// O(n) in the fingers.
  ///
  /// - Parameter twins: The device's other parts. Many touchscreens report a finger as a touch and
  ///   as a mouse or pen. Only the first counts.
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
    case .push(_, let offset):
      guard offset.x.isFinite, offset.y.isFinite else { return [] }
      return movePointer(to: pointerPosition + offset)
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

  /// Ends a device's touches less than a finger's width from a new one. Some touchscreens report
  /// lifts a tenth of a second late, or at the next touch.
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
    // Inside the last pixel, so that the edge still belongs to the picture.
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

  /// Sorted by number, so that the same events result in the same touches.
  private mutating func cancel(_ keys: [Key]) -> [CanvasTouch] {
    keys.flatMap { lift($0, .cancel) }.sorted { $0.finger < $1.finger }
  }
}
