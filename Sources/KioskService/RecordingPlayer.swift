// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelJSON
internal import Kiosk
internal import KioskProtocol
internal import LinuxIO
internal import RoundelMotion
internal import JSONRPC
internal import RoundelRuntime
internal import RoundelSession

final class RecordingPlayer: TouchPlayer {
  struct Outcome {
    var takers: [String?] = []
    /// The answers to `get` as comma-separated JSON.
    var answers: [UInt8] = []
    /// The messages of failed steps as comma-separated JSON.
    var refusals: [UInt8] = []
    let reservation: Reservation
  }

  private struct Part {
    var steps: [Recording.Step]
    var next = 0
    let received: Timestamp
    let whenDone: (Result<Outcome, RemoteError>) -> Void
    var outcome: Outcome
    var outcomeBytes = 0
    var refusal: RemoteError?
  }

  let client: ClientID
  let injector: TouchInjector
  var onFinish: () -> Void = {}
  var takesShots = false

  private let context: ServerContext
  private let screenshots: Screenshots
  private let start: Timestamp
  private let timer: StepTimer
  /// The current part is first.
  private var parts: [Part] = []
  private var isHeld = false
  private var openShots = 0
  private var isOpen = true
  private var keys = ClientKeys()

  /// The step at time 0 is due now.
  init(
    for client: ClientID, by injector: TouchInjector, in context: ServerContext,
    _ screenshots: Screenshots
  ) {
    self.client = client
    self.injector = injector
    self.context = context
    self.screenshots = screenshots
    start = context.clock()
    timer = StepTimer(context)
  }

  /// `steps` must be in order of time. `reservation` covers their memory.
  func append(
    _ steps: [Recording.Step], received: Timestamp, _ reservation: Reservation, isLast: Bool,
    whenDone: @escaping (Result<Outcome, RemoteError>) -> Void
  ) {
    // `end` specifies how long the recording continues without touches.
    let end = steps.firstIndex { $0.what == .end }
    parts.append(
      Part(
        steps: end.map { Array(steps[...$0]) } ?? steps, received: received, whenDone: whenDone,
        outcome: Outcome(reservation: reservation)))
    isOpen = !isLast
    timer.proceed(self)
  }

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
    injector.cancel(at: context.clock())
    keys.cancel(on: context.cycle)
    onFinish()
  }

  private func perform(_ what: Recording.Action, at time: Timestamp, arrival: Timestamp) {
    switch what {
    case .touch(let touch):
      do throws(RemoteError) {
        guard let receiver = try injector.handle(touch, at: time, arrival: arrival) else { return }
        let bytes = (receiver.control?.utf8.count ?? 0) + MemoryLayout<String?>.stride
        record(bytes: bytes) { $0.takers.append(receiver.control) }
      } catch {
        parts[0].refusal = error
      }
    case .get(let path): answer(path)
    case .command(let command): apply(command)
    case .shot(let name): if takesShots { take(name) }
    // A running kiosk uses the machine's clock and the panel's size.
    case .clock, .size, .end: break
    }
  }

  private func apply(_ command: Command) {
    let maximum = context.limits.maximumValueBytes
    if let (path, value) = command.setting, value.kind != .list,
      value.memoryBytes(upTo: maximum) == nil
    {
      parts[0].refusal = RemoteError(
        exceeding: "maximumValueBytes", maximum, "\(path): the value is too long",
        code: .invalidParameters)
      return
    }
    do throws(CommandError) {
      try context.cycle.apply(command)
      keys.record(command)
    } catch {
      refuse("\(error)")
    }
  }

  private func refuse(_ reason: String) {
    context.cycle.reportFailure(reason, by: .command)
    record(JSONValue.string(reason), in: \.refusals)
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
    let engine = context.cycle.engine
    do throws(UnknownName) {
      _ = try engine.kind(named: name)
    } catch {
      return refuse("\(error)")
    }
    let line = SessionLine(answer: engine.publicValue(of: name), to: "\(name)", at: engine.now)
    record(.object([.time(engine.now.seconds)] + line.members), in: \.answers)
  }

  private func record(_ json: JSONValue, in list: WritableKeyPath<Outcome, [UInt8]>) {
    let text = Array(json.text.utf8)
    record(bytes: text.count + 1) { outcome in
      if !outcome[keyPath: list].isEmpty { outcome[keyPath: list].append(UInt8(ascii: ",")) }
      outcome[keyPath: list] += text
    }
  }

  /// Does nothing without room for the bytes.
  private func record(bytes: Int, _ add: (inout Outcome) -> Void) {
    guard !parts.isEmpty else { return }
    do throws(RemoteError) {
      let maximum = context.limits.maximumAnswerBytes
      guard parts[0].outcomeBytes + bytes <= maximum else {
        throw RemoteError(
          exceeding: "maximumAnswerBytes", maximum,
          "the recording's answers are too long; send it in parts")
      }
      try parts[0].outcome.reservation.grow(by: bytes)
      parts[0].outcomeBytes += bytes
      add(&parts[0].outcome)
    } catch {
      // The whole request is refused.
      parts[0].outcome.answers = []
      parts[0].outcome.refusals = []
      parts[0].refusal = error
    }
  }
}

extension Recording.Step {
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
  /// The memory outside of the value itself, in bytes.
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
