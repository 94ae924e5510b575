// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions
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
/// that velocities are the recording's. Each step is a piece of its client's work: whoever sends many
/// for the same moment does not cost a frame.
final class TouchPlayer: ClientTask {
  /// What has come of a part.
  struct Outcome {
    /// Of each finger that came down, the control that took it.
    var takers: [String?] = []
    /// Whether a finger woke the panel, and did nothing else.
    var hasWoken = false
    /// Answers to `get` as JSON, with commas between them.
    var answers: [UInt8] = []
    /// Why not all of it was done.
    var refusal: RemoteError?
  }

  private struct Part {
    var steps: [Recording.Step]
    /// The first step that was not played.
    var next = 0
    let received: Instant
    /// Counts the steps and their outcome.
    let reservation: Reservation
    let whenDone: (Outcome) -> Void
    var outcome = Outcome()
    /// Bytes of the outcome.
    var outcomeBytes = 0
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
  /// Why another finger must not come down; nil where it may.
  var fingerRefusal: () -> RemoteError? = { nil }

  private let cycle: FrameCycle
  private let loop: EventLoop
  private let work: ClientWork
  private let limits: Limits
  private let clock: () -> Instant
  private let start: Instant
  /// The one that is played first.
  private var parts: [Part] = []
  /// When the step that is played was due, or when it came if that was later.
  private var arrival = Instant.zero
  /// By the recording's number.
  private var fingers: [Int: Finger] = [:]
  /// Whether a picture is to be taken before anything else happens.
  private var isHeld = false
  /// Pictures that are on their way to the client.
  private var openShots = 0
  private var token: EventLoop.Token?
  /// Whether `append` may be called once more.
  private var isOpen = true

  /// The step of moment 0 is due now.
  init(
    for client: ClientID, on cycle: FrameCycle, work: ClientWork, limits: Limits, loop: EventLoop,
    clock: @escaping () -> Instant
  ) {
    self.client = client
    self.cycle = cycle
    self.work = work
    self.limits = limits
    self.loop = loop
    self.clock = clock
    start = clock()
  }

  /// How many fingers are down.
  var fingerCount: Int { fingers.count }

  /// Plays on with `steps`, in order of time, which were received at a moment and are counted in
  /// `reservation`; then tells what came of them. The last part ends it.
  func append(
    _ steps: [Recording.Step], received: Instant, _ reservation: Reservation, isLast: Bool,
    whenDone: @escaping (Outcome) -> Void
  ) {
    // An end says how long the recording goes on without a finger.
    let end = steps.firstIndex { $0.what == .end }
    parts.append(
      Part(
        steps: end.map { Array(steps[...$0]) } ?? steps, received: received,
        reservation: reservation, whenDone: whenDone))
    isOpen = !isLast
    play()
  }

  /// Lets go of all fingers, and plays no more.
  func cancel() {
    parts = []
    isOpen = false
    finish()
  }

  private func play() {
    if let token { loop.cancel(token) }
    token = nil
    work.add(self)
    work.run()
  }

  func proceed() -> Bool {
    guard !isHeld, let part = parts.first else { return false }
    guard part.next < part.steps.count else {
      guard openShots == 0 else { return false }
      parts.removeFirst()
      part.whenDone(part.outcome)
      if parts.isEmpty, !isOpen { finish() }
      return !parts.isEmpty
    }
    let step = part.steps[part.next]
    let due = start + step.time.seconds
    guard due <= clock() else {
      if let token { loop.cancel(token) }
      token = loop.schedule(at: due) { [unowned self] in play() }
      return false
    }
    parts[0].next += 1
    arrival = max(due, part.received)
    perform(step.what, at: due)
    return !isHeld
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
    case .get(let path): answer(path)
    case .command(let command):
      if case .set(let path, let value) = command,
        JSONValue(value).memoryBytes(upTo: limits.maximumValueBytes) == nil
      {
        let error = RemoteError(
          exceeding: "maximumValueBytes", limits.maximumValueBytes, "\(path): too long a value",
          code: .invalidParameters)
        parts[0].outcome.refusal = error
        return
      }
      do throws(CommandError) {
        try cycle.apply(command)
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
    // A kiosk that runs has the clock of its machine.
    case .clock, .end: break
    }
  }

  private func answer(_ name: Reference) {
    guard parts[0].outcome.refusal == nil else { return }
    let now = cycle.engine.now
    let line = SessionLine(answer: cycle.engine.value(of: name), to: "\(name)", at: now)
    let members = [JSONValue.Member("t", .number(now.seconds))] + line.members
    let text = Array(JSONValue.object(members).text.utf8)
    note(bytes: text.count + 1) { outcome in
      if !outcome.answers.isEmpty { outcome.answers.append(UInt8(ascii: ",")) }
      outcome.answers += text
    }
  }

  /// Adds to the outcome, where there is room for that many bytes more.
  private func note(bytes: Int, _ add: (inout Outcome) -> Void) {
    guard !parts.isEmpty else { return }
    do throws(RemoteError) {
      guard parts[0].outcomeBytes + bytes <= limits.maximumAnswerBytes else {
        throw RemoteError(
          exceeding: "maximumAnswerBytes", limits.maximumAnswerBytes,
          "the recording's answers are too long; ask in several requests")
      }
      try parts[0].reservation.grow(by: bytes)
      parts[0].outcomeBytes += bytes
      add(&parts[0].outcome)
    } catch {
      // It is refused as a whole, so nothing of it is kept.
      parts[0].outcome.answers = []
      parts[0].outcome.refusal = error
    }
  }

  private func handle(_ touch: Touch, at time: Instant) {
    switch touch.phase {
    case .down:
      lift(touch.finger, .cancel, at: time)
      if let refusal = fingerRefusal() {
        parts[0].outcome.refusal = refusal
        return
      }
      let number = freeNumber
      fingers[touch.finger] = Finger(number: number, position: touch.position)
      let wasBlank = cycle.engine.isBlank
      send(number, .down, touch.position, at: time)
      let taker = cycle.engine.control(heldBy: number)
      note(bytes: (taker?.utf8.count ?? 0) + MemoryLayout<String?>.stride) { outcome in
        outcome.takers.append(taker)
        if wasBlank { outcome.hasWoken = true }
      }
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

extension Recording.Step {
  /// About how many bytes of memory it takes.
  var bytes: Int {
    let own = MemoryLayout<Self>.stride
    return switch what {
    case .get(let path): own + path.bytes
    case .shot(let name): own + name.utf8.count
    case .command(.set(let path, let value)): own + path.bytes + value.bytes
    case .command(.go(let page)): own + page.utf8.count
    case .command(.perform(let name, let control)): own + name.utf8.count + control.utf8.count
    case .command(.emit(let name, let fields)): own + name.utf8.count + Value.record(fields).bytes
    case .command(.run(let program)): program.reduce(own) { $0 + 16 + $1.utf8.count }
    case .command(.reset(let control)): own + (control?.utf8.count ?? 0)
    case .touch, .clock, .end, .command(.blank), .command(.shake): own
    }
  }
}

extension Reference {
  fileprivate var bytes: Int { "\(self)".utf8.count }
}

extension Value {
  /// Each value has a place of its own in memory, of some 64 bytes with its list's.
  fileprivate var bytes: Int {
    switch self {
    case .text(let text): 64 + text.utf8.count
    case .number, .flag, .time: 64
    case .list(let values): values.reduce(64) { $0 + $1.bytes }
    case .record(let fields): fields.reduce(64) { $0 + 64 + $1.name.utf8.count + $1.value.bytes }
    }
  }
}
