// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelGeometry
internal import Kiosk
internal import LinuxIO
internal import RoundelMotion
internal import JSONRPC
internal import RoundelSession

/// A tap, or a drag in a straight line.
struct Gesture {
  private let start: Point
  private let end: Point
  /// Seconds until the finger is lifted.
  private let duration: Double
  /// Seconds of movement.
  private let moveDuration: Double
  private let moveCount: Int

  static func tap(_ place: Point, duration: Double) -> Gesture {
    Gesture(
      start: place, end: place, duration: duration, moveDuration: duration, moveCount: 0)
  }

  /// The finger rests for `hold` seconds before it is lifted.
  static func drag(from start: Point, to end: Point, duration: Double, hold: Double) -> Gesture {
    Gesture(
      start: start, end: end, duration: duration + hold, moveDuration: duration,
      moveCount: max(1, Int((duration * Touch.reportsPerSecond).rounded())))
  }

  var count: Int { moveCount + 2 }

  func step(_ index: Int) -> (time: Double, touch: Touch) {
    switch index {
    case 0: return (0, Touch(finger: 0, phase: .down, position: start))
    case ...moveCount:
      let part = Double(index) / Double(moveCount)
      let place = start + (end - start) * part
      return (moveDuration * part, Touch(finger: 0, phase: .move, position: place))
    default: return (duration, Touch(finger: 0, phase: .up, position: end))
    }
  }
}

/// Plays a gesture on a live kiosk in real time.
final class GesturePlayer: TouchPlayer {
  let client: ClientID
  let injector: TouchInjector
  private let context: ServerContext
  private let gesture: Gesture
  private let start: Timestamp
  private let timer: StepTimer
  private var index = 0
  private var receiver: TouchReceiver?
  private let whenDone: (GesturePlayer, Result<TouchReceiver, RemoteError>) -> Void

  /// Calls `whenDone` after the finger lifts, or if a touch is refused.
  init(
    _ gesture: Gesture, for client: ClientID, by injector: TouchInjector, in context: ServerContext,
    whenDone: @escaping (GesturePlayer, Result<TouchReceiver, RemoteError>) -> Void
  ) {
    self.gesture = gesture
    self.client = client
    self.injector = injector
    self.context = context
    self.whenDone = whenDone
    start = context.clock()
    timer = StepTimer(context)
  }

  func play() { timer.proceed(self) }

  func cancel() {
    index = gesture.count
    timer.stop()
    injector.cancel(at: context.clock())
  }

  func proceed() -> Bool {
    guard index < gesture.count else { return false }
    let (time, touch) = gesture.step(index)
    let due = start + time
    guard !timer.waits(until: due, for: self) else { return false }
    index += 1
    do throws(RemoteError) {
      let new = try injector.handle(touch, at: due, arrival: due)
      // A swipe that starts on a button still reports the button as its receiver.
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

/// Plays touches in real time, as client's work, so that many simultaneous steps delay no frame.
protocol TouchPlayer: ClientTask {
  var injector: TouchInjector { get }

  func cancel()
}

final class StepTimer {
  private let context: ServerContext
  private var token: EventLoop.Token?

  init(_ context: ServerContext) {
    self.context = context
  }

  func proceed(_ player: any TouchPlayer) {
    stop()
    context.work.add(player)
    context.work.run()
  }

  /// Returns whether `due` is in the future. The player then resumes at that time.
  func waits(until due: Timestamp, for player: any TouchPlayer) -> Bool {
    guard due > context.clock() else { return false }
    stop()
    token = context.loop.schedule(at: due) { [unowned self, weak player] in
      token = nil
      if let player { proceed(player) }
    }
    return true
  }

  func stop() { token = nil }
}
