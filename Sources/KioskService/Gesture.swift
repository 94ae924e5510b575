// SPDX-License-Identifier: MIT

internal import Controls
internal import Geometry
internal import Kiosk
internal import LinuxIO
internal import Motion
internal import JSONRPC
internal import Session

/// A finger that comes down, and is lifted there or elsewhere: a tap or a drag in a straight line.
struct Gesture {
  private let start: Point
  private let end: Point
  /// Seconds until it is lifted.
  private let duration: Double
  /// Seconds on its way.
  private let wayDuration: Double
  /// Reports of it on its way.
  private let moveCount: Int

  static func tap(_ place: Point, duration: Double) -> Gesture {
    Gesture(
      start: place, end: place, duration: duration, wayDuration: duration, moveCount: 0)
  }

  /// A drag in which the finger rests for `hold` seconds before it is lifted.
  static func drag(from start: Point, to end: Point, duration: Double, hold: Double) -> Gesture {
    Gesture(
      start: start, end: end, duration: duration + hold, wayDuration: duration,
      moveCount: max(1, Int((duration * Touch.reportsPerSecond).rounded())))
  }

  /// The number of its steps.
  var count: Int { moveCount + 2 }

  /// The touch of a step, and its time.
  func step(_ index: Int) -> (time: Double, touch: Touch) {
    switch index {
    case 0: return (0, Touch(finger: 0, phase: .down, position: start))
    case ...moveCount:
      let part = Double(index) / Double(moveCount)
      let place = start + (end - start) * part
      return (wayDuration * part, Touch(finger: 0, phase: .move, position: place))
    default: return (duration, Touch(finger: 0, phase: .up, position: end))
    }
  }
}

/// Does a gesture on a live kiosk, in real time.
final class GesturePlayer: TouchPlayer {
  let client: ClientID
  let hand: Hand
  private let house: House
  private let gesture: Gesture
  private let start: Timestamp
  private let timer: StepTimer
  /// The step to do next.
  private var index = 0
  private var receiver: TouchReceiver?
  private let whenDone: (GesturePlayer, Result<TouchReceiver, RemoteError>) -> Void

  /// A player that begins now. It calls `whenDone` once the finger was lifted, or could not be put down.
  init(
    _ gesture: Gesture, for client: ClientID, by hand: Hand, in house: House,
    whenDone: @escaping (GesturePlayer, Result<TouchReceiver, RemoteError>) -> Void
  ) {
    self.gesture = gesture
    self.client = client
    self.hand = hand
    self.house = house
    self.whenDone = whenDone
    start = house.clock()
    timer = StepTimer(house)
  }

  func play() { timer.proceed(self) }

  func cancel() {
    index = gesture.count
    timer.stop()
    hand.cancel(at: house.clock())
  }

  func proceed() -> Bool {
    guard index < gesture.count else { return false }
    let (time, touch) = gesture.step(index)
    let due = start + time
    guard !timer.waits(until: due, for: self) else { return false }
    index += 1
    do throws(RemoteError) {
      let new = try hand.handle(touch, at: due, arrival: due)
      // A swipe does not hide the button on which it began.
      if receiver?.control == nil { receiver = new ?? receiver }
    } catch {
      index = gesture.count
      whenDone(self, .failure(error))
      return false
    }
    guard index == gesture.count else { return true }
    if let receiver { whenDone(self, .success(receiver)) }
    return false
  }
}

/// Plays touches on a live kiosk, each at the moment at which it is due. Each step is a piece of its
/// client's work: many steps for the same moment do not cost a frame.
protocol TouchPlayer: ClientTask {
  var hand: Hand { get }

  /// Lifts all fingers without effect, and stops playing.
  func cancel()
}

/// Lets a player go on when its next step is due.
final class StepTimer {
  private let house: House
  private var token: EventLoop.Token?

  init(_ house: House) {
    self.house = house
  }

  /// Lets a player go on now.
  func proceed(_ player: any TouchPlayer) {
    stop()
    house.work.add(player)
    house.work.run()
  }

  /// Whether `due` is still to come; if so, the player goes on then.
  func waits(until due: Timestamp, for player: any TouchPlayer) -> Bool {
    guard due > house.clock() else { return false }
    stop()
    token = house.loop.schedule(at: due) { [unowned self, weak player] in
      token = nil
      if let player { proceed(player) }
    }
    return true
  }

  func stop() { token = nil }
}
