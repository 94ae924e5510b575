// SPDX-License-Identifier: MIT

internal import Controls
internal import Geometry
internal import JSON
internal import Kiosk
internal import LinuxIO
internal import Motion
internal import Remote
internal import Runtime
internal import Session

/// Plays steps of a recording to a live kiosk, in real time.
///
/// Its touches have the moments at which they were due, not those at which the loop came to them, so
/// that velocities are the recording's.
final class TouchPlayer {
  /// What has come of the steps since the last end of a part.
  struct Outcome {
    /// Of each finger that came down, the control that took it.
    var takers: [String?] = []
    /// Whether a finger woke the panel, and did nothing else.
    var hasWoken = false
    /// Answers to `get`, and failures of commands.
    var answers: [JSONValue] = []
  }

  private enum Entry {
    case step(Recording.Step, received: Instant)
    case end((Outcome) -> Void)
  }

  private struct Finger {
    let number: Int
    var position: Point
  }

  let client: ClientID
  /// Called when all has been played.
  var onFinish: () -> Void = {}
  /// Takes a picture, and calls back once it was taken and once more when it was handed over. It need
  /// not do so before it returns. Nil where pictures are passed over.
  var onShot:
    ((_ name: String, _ whenTaken: @escaping () -> Void, _ whenSent: @escaping () -> Void) -> Void)?
  /// Called for each thing that a finger does, under the number that it has here.
  var onTouch: (Touch) -> Void = { _ in }

  private let cycle: FrameCycle
  private let loop: EventLoop
  private let clock: () -> Instant
  private let start: Instant
  private var entries: [Entry] = []
  private var next = 0
  /// When the step that is played was due, or when it came if that was later.
  private var arrival = Instant.zero
  /// By the recording's number.
  private var fingers: [Int: Finger] = [:]
  private var outcome = Outcome()
  /// Whether a picture is to be taken before anything else happens.
  private var isHeld = false
  /// Pictures that are on their way to the client.
  private var openShots = 0
  private var token: EventLoop.Token?
  /// Whether `append` may be called once more.
  private var isOpen = true

  /// The step of moment 0 is due now.
  init(
    for client: ClientID, on cycle: FrameCycle, loop: EventLoop, clock: @escaping () -> Instant
  ) {
    self.client = client
    self.cycle = cycle
    self.loop = loop
    self.clock = clock
    start = clock()
  }

  /// Plays on with `steps`, in order of time, and tells what came of them. The last part ends it.
  func append(_ steps: [Recording.Step], isLast: Bool, whenDone: @escaping (Outcome) -> Void) {
    let received = clock()
    for step in steps {
      if step.what == .end { break }
      entries.append(.step(step, received: received))
    }
    // An end says how long the recording goes on without a finger.
    if let end = steps.first(where: { $0.what == .end }) {
      entries.append(.step(end, received: received))
    }
    entries.append(.end(whenDone))
    isOpen = !isLast
    play()
  }

  /// Lets go of all fingers, and plays no more.
  func cancel() {
    entries = []
    next = 0
    isOpen = false
    finish()
  }

  /// Seconds that the steps of one turn of the loop may take: whoever sends many for the same moment
  /// must not cost a frame.
  private static let turn = 0.001

  private func play() {
    if let token { loop.cancel(token) }
    token = nil
    let end = clock() + Self.turn
    while next < entries.count, !isHeld {
      guard clock() < end else {
        token = loop.schedule(at: end) { [unowned self] in play() }
        return
      }
      switch entries[next] {
      case .step(let step, let received):
        let due = start + step.time.seconds
        guard due <= clock() else {
          token = loop.schedule(at: due) { [unowned self] in play() }
          return
        }
        arrival = max(due, received)
        perform(step.what, at: due)
      case .end(let whenDone):
        guard openShots == 0 else { return }
        let outcome = outcome
        self.outcome = Outcome()
        whenDone(outcome)
      }
      next += 1
    }
    guard next == entries.count else { return }
    entries = []
    next = 0
    if !isOpen { finish() }
  }

  private func finish() {
    if let token { loop.cancel(token) }
    token = nil
    for finger in fingers.values.sorted(by: { $0.number < $1.number }) {
      send(finger.number, .cancel, finger.position, at: clock())
    }
    fingers = [:]
    onFinish()
  }

  private func perform(_ what: Recording.What, at time: Instant) {
    switch what {
    case .touch(let touch): handle(touch, at: time)
    case .get(let path):
      outcome.answers.append(
        .object(
          [.init("t", .number(cycle.engine.now.seconds))]
            + SessionLine(
              answer: cycle.engine.value(of: path), to: path.description, at: cycle.engine.now
            ).members))
    case .command(let command):
      do throws(CommandError) {
        try cycle.perform { (engine) throws(CommandError) in try engine.perform(command) }
      } catch {
        cycle.reportFailure("\(error)")
      }
    case .shot(let name):
      guard let onShot else { return }
      isHeld = true
      openShots += 1
      onShot(name) { [weak self] in
        self?.isHeld = false
        self?.play()
      } _: { [weak self] in
        self?.openShots -= 1
        self?.play()
      }
    case .end: break
    }
  }

  private func handle(_ touch: Touch, at time: Instant) {
    switch touch.phase {
    case .down:
      lift(touch.finger, .cancel, at: time)
      let number = freeNumber
      fingers[touch.finger] = Finger(number: number, position: touch.position)
      let wasBlank = cycle.engine.isBlank
      send(number, .down, touch.position, at: time)
      outcome.takers.append(cycle.engine.control(heldBy: number))
      if wasBlank { outcome.hasWoken = true }
    case .move:
      guard let finger = fingers[touch.finger] else { return }
      fingers[touch.finger]?.position = touch.position
      send(finger.number, .move, touch.position, at: time)
    case .up, .cancel: lift(touch.finger, touch.phase, at: time)
    }
  }

  private func lift(_ finger: Int, _ phase: Touch.Phase, at time: Instant) {
    guard let finger = fingers.removeValue(forKey: finger) else { return }
    send(finger.number, phase, finger.position, at: time)
  }

  private func send(_ finger: Int, _ phase: Touch.Phase, _ position: Point, at time: Instant) {
    let touch = Touch(finger: finger, phase: phase, position: position)
    cycle.handle(touch, at: time, arrival: max(arrival, time))
    onTouch(touch)
  }

  /// The lowest number that no finger has, beyond those of touch panels.
  private var freeNumber: Int {
    let taken = Set(cycle.engine.fingers)
    var number = 1000
    while taken.contains(number) { number += 1 }
    return number
  }
}
