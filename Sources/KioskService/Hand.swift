// SPDX-License-Identifier: MIT

internal import Controls
internal import Geometry
internal import Kiosk
internal import Motion
internal import JSONRPC
internal import Runtime

/// The fingers of one gesture or recording of a client. They come the same way as those on the panel.
final class Hand {
  private struct Finger {
    let number: Int
    var position: Point
  }

  private let cycle: FrameCycle
  private let markers: TouchMarkers?
  /// Why another finger must not come down; nil where it may.
  private let refusal: () -> RemoteError?
  /// The fingers by their numbers in the recording.
  private var fingers: [Int: Finger] = [:]

  /// A hand whose fingers show as rings of `markers`, if there are any.
  init(
    on cycle: FrameCycle, _ markers: TouchMarkers?, refusal: @escaping () -> RemoteError?
  ) {
    self.cycle = cycle
    self.markers = markers
    self.refusal = refusal
  }

  /// How many fingers are down.
  var count: Int { fingers.count }

  /// Passes on a touch under a finger number of its own. Returns the receiver of a finger that came down, and
  /// the page where a finger has begun to move that.
  ///
  /// The touch has the moment at which it was due, not the one at which the loop came to it, so that
  /// velocities are right.
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

  /// Lifts all fingers without effect.
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

  /// The lowest number that no finger has, beyond those of touch panels.
  private var freeNumber: Int {
    let taken = Set(cycle.engine.fingers)
    var number = 1000
    while taken.contains(number) { number += 1 }
    return number
  }
}
