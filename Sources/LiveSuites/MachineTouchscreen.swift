// SPDX-License-Identifier: MIT

package import RoundelControls
package import RoundelGeometry
internal import RoundelJSON

/// The `virtio-multitouch` device of QEMU 8.1 or newer, which is a hardware touchscreen for the virtual machine.
///
/// Tested with QEMU 10 and Linux 6.1: an `end` without the tracking-id -1 leaves the finger down for ever, and the
/// first and the last finger need a `btn touch`.
package final class MachineTouchscreen: Touchscreen {
  private let monitor: MachineMonitor
  /// The panel's size in pixels.
  package var size: PixelSize
  private var fingers: Set<Int> = []

  /// Positions are 0 … 32767. libinput maps them to the panel as position / 32768.
  private static let range = 32768.0

  package init(_ monitor: MachineMonitor, size: PixelSize) {
    self.monitor = monitor
    self.size = size
  }

  package func touch(_ touches: [Touch]) throws(TouchscreenError) {
    var events: [JSONValue] = []
    let wereDown = !fingers.isEmpty
    for touch in touches where (0..<10).contains(touch.finger) {
      guard (touch.phase == .down) != fingers.contains(touch.finger) else { continue }
      switch touch.phase {
      case .down:
        fingers.insert(touch.finger)
        events.append(Self.event("begin", touch.finger))
        events += places(touch)
      case .move:
        events.append(Self.event("update", touch.finger))
        events += places(touch)
      case .up, .cancel:
        fingers.remove(touch.finger)
        events.append(Self.event("end", touch.finger, trackingID: -1))
      }
    }
    guard !events.isEmpty else { return }
    if wereDown == fingers.isEmpty {
      let data: [JSONValue.Member] = [
        .init("button", .string("touch")), .init("down", .bool(!fingers.isEmpty)),
      ]
      events.append(
        .object([.init("type", .string("btn")), .init("data", .object(data))]))
    }
    try monitor.execute("input-send-event", [.init("events", .array(events))])
  }

  private func places(_ touch: Touch) -> [JSONValue] {
    func scaled(_ coordinate: Double, _ count: Int) -> Double {
      min(max((coordinate * Self.range / Double(count)).rounded(), 0), Self.range - 1)
    }
    return [
      Self.event(
        "data", touch.finger, axis: "x", value: scaled(touch.position.x, size.width)),
      Self.event(
        "data", touch.finger, axis: "y", value: scaled(touch.position.y, size.height)),
    ]
  }

  private static func event(
    _ type: String, _ finger: Int, trackingID: Int? = nil, axis: String = "x", value: Double = 0
  ) -> JSONValue {
    let data: [JSONValue.Member] = [
      .init("type", .string(type)), .init("slot", .number(Double(finger))),
      .init("tracking-id", .number(Double(trackingID ?? finger + 1))),
      .init("axis", .string(axis)), .init("value", .number(value)),
    ]
    return .object([.init("type", .string("mtt")), .init("data", .object(data))])
  }
}
