// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions
internal import Geometry
internal import JSON
internal import Kiosk
internal import KioskProtocol
internal import LinuxIO
internal import Motion
internal import JSONRPC
internal import Runtime
internal import Session

/// Plays a recording to a live kiosk, in real time and part by part.
final class RecordingPlayer: TouchPlayer {
  /// The outcome of a part.
  struct Outcome {
    /// The control that took each finger that came down; nil for none.
    var takers: [String?] = []
    /// Answers to `get` as JSON, with commas between them.
    var answers: [UInt8] = []
    /// The messages for the failed steps as JSON, with commas between them.
    var refusals: [UInt8] = []
    /// Counts the outcome.
    let reservation: Reservation
  }

  private struct Part {
    var steps: [Recording.Step]
    /// The first step that was not played.
    var next = 0
    let received: Timestamp
    let whenDone: (Result<Outcome, RemoteError>) -> Void
    var outcome: Outcome
    /// Bytes of the outcome.
    var outcomeBytes = 0
    /// Why not all of it was done.
    var refusal: RemoteError?
  }

  let client: ClientID
  let hand: Hand
  /// Called when all has been played.
  var onFinish: () -> Void = {}
  /// Whether pictures are taken; else they are passed over.
  var takesShots = false

  private let house: House
  private let screenshots: Screenshots
  private let start: Timestamp
  private let timer: StepTimer
  /// The parts in order, the one that is being played first.
  private var parts: [Part] = []
  /// Whether a picture is to be taken before anything else happens.
  private var isHeld = false
  /// Pictures that are on their way to the client.
  private var openShots = 0
  /// Whether `append` may be called once more.
  private var isOpen = true

  /// The step of moment 0 is due now.
  init(for client: ClientID, by hand: Hand, in house: House, _ screenshots: Screenshots) {
    self.client = client
    self.hand = hand
    self.house = house
    self.screenshots = screenshots
    start = house.clock()
    timer = StepTimer(house)
  }

  /// Plays on with `steps`, in order of time, which were received at a moment and are counted in
  /// `reservation`; then reports what came of them. The last part ends it.
  func append(
    _ steps: [Recording.Step], received: Timestamp, _ reservation: Reservation, isLast: Bool,
    whenDone: @escaping (Result<Outcome, RemoteError>) -> Void
  ) {
    // An end says how long the recording goes on without a finger.
    let end = steps.firstIndex { $0.what == .end }
    parts.append(
      Part(
        steps: end.map { Array(steps[...$0]) } ?? steps, received: received, whenDone: whenDone,
        outcome: Outcome(reservation: reservation)))
    isOpen = !isLast
    timer.proceed(self)
  }

  /// Lifts all fingers without effect, and stops playing.
  func cancel() {
    parts = []
    isOpen = false
    finish()
  }

  func proceed() -> Bool {
    guard !isHeld, let part = parts.first else { return false }
    guard part.next < part.steps.count else {
      guard openShots == 0 else { return false }
      parts.removeFirst()
      part.whenDone(part.refusal.map { .failure($0) } ?? .success(part.outcome))
      if parts.isEmpty, !isOpen { finish() }
      return !parts.isEmpty
    }
    let step = part.steps[part.next]
    let due = start + step.time.seconds
    guard !timer.waits(until: due, for: self) else { return false }
    parts[0].next += 1
    perform(step.what, at: due, arrival: max(due, part.received))
    return !isHeld
  }

  private func finish() {
    timer.stop()
    hand.cancel(at: house.clock())
    onFinish()
  }

  private func perform(_ what: Recording.What, at time: Timestamp, arrival: Timestamp) {
    switch what {
    case .touch(let touch):
      do throws(RemoteError) {
        guard let receiver = try hand.handle(touch, at: time, arrival: arrival) else { return }
        let bytes = (receiver.control?.utf8.count ?? 0) + MemoryLayout<String?>.stride
        note(bytes: bytes) { $0.takers.append(receiver.control) }
      } catch {
        parts[0].refusal = error
      }
    case .get(let path): answer(path)
    case .command(let command): apply(command)
    case .shot(let name): if takesShots { take(name) }
    // A kiosk that runs has the clock of its machine, and the size of its panel.
    case .clock, .size, .end: break
    }
  }

  private func apply(_ command: Command) {
    let maximum = house.limits.maximumValueBytes
    if let (path, value) = command.setting, value.kind != .list,
      value.memoryBytes(upTo: maximum) == nil
    {
      parts[0].refusal = RemoteError(
        exceeding: "maximumValueBytes", maximum, "\(path): too long a value",
        code: .invalidParameters)
      return
    }
    do throws(CommandError) {
      try house.cycle.apply(command)
    } catch {
      refuse("\(error)")
    }
  }

  /// Reports a failed step to subscribers and in the part's outcome.
  private func refuse(_ reason: String) {
    house.cycle.reportFailure(reason, by: .command)
    note(JSONValue.string(reason), in: \.refusals)
  }

  private func take(_ name: String) {
    isHeld = true
    openShots += 1
    screenshots.send(name, to: client) { [weak self] in
      guard let self else { return }
      isHeld = false
      timer.proceed(self)
    } whenSent: { [weak self] in
      guard let self else { return }
      openShots -= 1
      timer.proceed(self)
    }
  }

  private func answer(_ name: Reference) {
    guard parts[0].refusal == nil else { return }
    let engine = house.cycle.engine
    do throws(UnknownName) {
      _ = try engine.kind(named: name)
    } catch {
      return refuse("\(error)")
    }
    let line = SessionLine(answer: engine.value(of: name), to: "\(name)", at: engine.now)
    note(.object([.time(engine.now.seconds)] + line.members), in: \.answers)
  }

  /// Adds an element to a list of the outcome.
  private func note(_ json: JSONValue, in list: WritableKeyPath<Outcome, [UInt8]>) {
    let text = Array(json.text.utf8)
    note(bytes: text.count + 1) { outcome in
      if !outcome[keyPath: list].isEmpty { outcome[keyPath: list].append(UInt8(ascii: ",")) }
      outcome[keyPath: list] += text
    }
  }

  /// Adds to the outcome, where there is room for that many bytes more.
  private func note(bytes: Int, _ add: (inout Outcome) -> Void) {
    guard !parts.isEmpty else { return }
    do throws(RemoteError) {
      let maximum = house.limits.maximumAnswerBytes
      guard parts[0].outcomeBytes + bytes <= maximum else {
        throw RemoteError(
          exceeding: "maximumAnswerBytes", maximum,
          "the recording's answers are too long; ask in several requests")
      }
      try parts[0].outcome.reservation.grow(by: bytes)
      parts[0].outcomeBytes += bytes
      add(&parts[0].outcome)
    } catch {
      // It is refused as a whole, so nothing of it is kept.
      parts[0].outcome.answers = []
      parts[0].outcome.refusals = []
      parts[0].refusal = error
    }
  }
}

extension Recording.Step {
  /// About how many bytes of memory it takes.
  var bytes: Int {
    let own = MemoryLayout<Self>.stride
    return switch what {
    case .get(let path): own + path.bytes
    case .shot(let name): own + name.utf8.count
    case .command(let command): command.arguments.reduce(own) { $0 + $1.bytes }
    case .touch, .size, .clock, .end: own
    }
  }
}

extension Reference {
  fileprivate var bytes: Int { "\(self)".utf8.count }
}

extension Value {
  /// The bytes of memory outside of the value itself.
  fileprivate var bytes: Int {
    switch self {
    case .text(let text): JSONValue.memoryBytes(of: text)
    case .number, .flag, .time: 0
    case .list(let values):
      values.reduce(32 + values.count * MemoryLayout<Self>.stride) { $0 + $1.bytes }
    case .record(let fields):
      fields.reduce(32 + fields.count * MemoryLayout<Field>.stride) {
        $0 + JSONValue.memoryBytes(of: $1.name) + $1.value.bytes
      }
    }
  }
}
