// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelGeometry
internal import Kiosk
internal import RoundelMotion
internal import JSONRPC
internal import RoundelRuntime

/// Injects the touches of a gesture or recording. The kiosk handles them like touches on the panel.
final class TouchInjector {
  private struct Finger {
    let number: Int
    var position: Point
  }

  private let cycle: FrameCycle
  private let markers: TouchMarkers?
  private let refusal: () -> RemoteError?
  /// The recording's finger numbers.
  private var fingers: [Int: Finger] = [:]

  /// Draws rings with `markers`, if not nil.
  init(
    on cycle: FrameCycle, _ markers: TouchMarkers?, refusal: @escaping () -> RemoteError?
  ) {
    self.cycle = cycle
    self.markers = markers
    self.refusal = refusal
  }

  var count: Int { fingers.count }

  /// The receiver of a new touch, or the page when a finger begins to move it.
  ///
  /// The touch has its scheduled time, so that velocities are correct.
  func handle(
    _ touch: Touch, at time: Timestamp, arrival: Timestamp
  ) throws(RemoteError) -> TouchReceiver? {
    switch touch.phase {
    case .down:
      lift(touch.finger, .cancel, at: time, arrival)
      if let refusal = refusal() { throw refusal }
      let number = freeNumber
      fingers[touch.finger] = Finger(number: number, position: touch.position)
      return send(number, .down, touch.position, at: time, arrival)
    case .move:
      guard let finger = fingers[touch.finger] else { return nil }
      fingers[touch.finger]?.position = touch.position
      let receiver = send(finger.number, .move, touch.position, at: time, arrival)
      return receiver.isPage ? receiver : nil
    case .up, .cancel: lift(touch.finger, touch.phase, at: time, arrival)
    }
    return nil
  }

  func cancel(at time: Timestamp) {
    for finger in fingers.values.sorted(by: { $0.number < $1.number }) {
      send(finger.number, .cancel, finger.position, at: time, time)
    }
    fingers = [:]
  }

  private func lift(_ finger: Int, _ phase: Touch.Phase, at time: Timestamp, _ arrival: Timestamp) {
    guard let finger = fingers.removeValue(forKey: finger) else { return }
    send(finger.number, phase, finger.position, at: time, arrival)
  }

  @discardableResult
  private func send(
    _ finger: Int, _ phase: Touch.Phase, _ position: Point, at time: Timestamp, _ arrival: Timestamp
  ) -> TouchReceiver {
    let touch = Touch(finger: finger, phase: phase, position: position)
    defer { markers?.handle(touch) }
    return cycle.handle(touch, at: time, arrival: max(arrival, time))
  }

  /// An unused number above the numbers of touchscreens.
  private var freeNumber: Int {
    let taken = Set(cycle.engine.fingers)
    var number = 1000
    while taken.contains(number) { number += 1 }
    return number
  }
}
