// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import Expressions
internal import JSON
internal import Kiosk
internal import KioskProtocol
internal import LinuxIO
internal import Motion
internal import JSONRPC
internal import Runtime

/// The conditions that clients wait for, and the expressions that they watch.
///
/// Both are evaluated after a turn in which something has changed, or in which the time that they read
/// has gone on, and then as a piece of their client's work: a long evaluation delays neither a frame
/// nor another client.
final class Conditions: KioskRoom {
  private let house: House
  private var lines: [ClientID: Line] = [:]
  /// How many questions there are of each rhythm.
  private var rhythms: [Rhythm: Int] = [:]
  /// The state on which answers depend, as it was seen last.
  private var seen: (revision: UInt64, isStill: Bool, inputs: [String], brightness: Double?) = (
    0, false, [], nil
  )
  /// Ends a pause after which all is looked at again.
  private var timer: EventLoop.Token?
  private var isDue = false
  /// Watches whose last change could not be sent, and when that is tried once more.
  private var unsent: Set<ObjectIdentifier> = []
  private var retry: Timestamp?

  init(_ house: House) {
    self.house = house
  }

  private var cycle: FrameCycle { house.cycle }

  func isSubscribed(_ client: ClientID) -> Bool { lines[client]?.watches.isEmpty == false }

  func forget(_ client: ClientID) {
    for question in lines[client]?.all ?? [] { remove(question, of: client) }
  }

  /// Looks at all of it where something has changed.
  func turn(isShown: Bool) {
    guard !lines.isEmpty else { return }
    let current = (
      revision: cycle.engine.revision, isStill: cycle.isStill, inputs: house.host.inputs(),
      brightness: cycle.engine.brightness
    )
    if isDue || current != seen { for line in lines.values { line.lookAtAll(house.work) } }
    seen = current
    isDue = false
    setTimer()
  }

  /// Sends all values that clients watch and that have changed, immediately.
  func lookAtWatches() {
    for line in lines.values {
      for watch in line.watches { watch.look() }
    }
  }

  /// Seconds after which a change that could not be sent is tried once more.
  private static let retryPause = 0.1

  private func setTimer() {
    timer = nil
    retry = unsent.isEmpty ? nil : retry ?? house.clock() + Self.retryPause
    let change = rhythms.keys.compactMap { cycle.engine.next($0) }.min()
    let moment = change.map { house.clock() + max(0, $0 - cycle.engine.now) }
    guard let next = [moment, retry].compactMap(\.self).min() else { return }
    timer = house.loop.schedule(at: next) { [unowned self] in
      timer = nil
      retry = nil
      isDue = true
    }
  }

  // MARK: Questions

  private func add(_ question: Question, of client: ClientID) {
    let line = lines[client] ?? Line(client)
    lines[client] = line
    line.all.append(question)
    if question is Wait { line.waitCount += 1 }
    if let rhythm = question.rhythm { rhythms[rhythm, default: 0] += 1 }
  }

  private func remove(_ question: Question, of client: ClientID) {
    unsent.remove(ObjectIdentifier(question))
    guard let line = lines[client], let index = line.all.firstIndex(where: { $0 === question })
    else { return }
    line.all.remove(at: index)
    if question is Wait { line.waitCount -= 1 }
    if line.all.isEmpty { lines[client] = nil }
    if let rhythm = question.rhythm, let count = rhythms[rhythm] {
      rhythms[rhythm] = count > 1 ? count - 1 : nil
    }
  }

  /// Something that a client wants to know.
  private class Question {
    /// How often its answer may change because time goes by.
    let rhythm: Rhythm?
    private let reservation: Reservation

    init(_ rhythm: Rhythm?, _ reservation: Reservation) {
      self.rhythm = rhythm
      self.reservation = reservation
    }

    /// Looks how it is now.
    func look() {}

    /// Counts the bytes that it keeps; false where there is no room for them.
    func count(_ bytes: Int) -> Bool { (try? reservation.resize(to: bytes)) != nil }
  }

  /// The questions of one client.
  private final class Line: ClientTask {
    let client: ClientID
    /// The next one first.
    var all: [Question] = []
    /// How many have not been looked at since something has changed.
    private var unseen = 0

    init(_ client: ClientID) { self.client = client }

    var watches: [Watch] { all.compactMap { $0 as? Watch } }
    /// How many of them are waits.
    var waitCount = 0

    func lookAtAll(_ work: ClientWork) {
      unseen = all.count
      work.add(self)
    }

    func proceed() -> Bool {
      unseen = min(unseen, all.count)
      guard unseen > 0 else { return false }
      unseen -= 1
      let question = all.removeFirst()
      all.append(question)
      question.look()
      return unseen > 0
    }
  }

  // MARK: Waits

  /// A request that is answered when a goal is reached, or when its time is over.
  private final class Wait: Question {
    let goal: Goal<Condition>
    let reply: Reply<WaitAnswer>
    var timeout: EventLoop.Token?
    private unowned let conditions: Conditions

    init(
      _ goal: Goal<Condition>, _ reply: Reply<WaitAnswer>, of conditions: Conditions,
      _ rhythm: Rhythm?, _ reservation: Reservation
    ) {
      self.goal = goal
      self.reply = reply
      self.conditions = conditions
      super.init(rhythm, reservation)
    }

    override func look() {
      if conditions.holds(goal) { conditions.end(self, holds: true) }
    }
  }

  /// Answers immediately where the goal is reached already.
  private func wait(
    for goal: Goal<Condition>, bytes: Int, timeout: Double, _ reply: Reply<WaitAnswer>
  ) throws(RemoteError) -> Outcome<WaitAnswer> {
    // The kiosk may have rested since its last turn.
    cycle.perform { _ in }
    guard !holds(goal) else { return .done(answer(to: goal, holds: true)) }
    guard lines.values.reduce(0, { $0 + $1.waitCount }) < house.limits.maximumWaits else {
      throw RemoteError(
        exceeding: "maximumWaits", house.limits.maximumWaits,
        "\(house.limits.maximumWaits) requests wait already; try again later")
    }
    let wait = Wait(
      goal, reply, of: self, cycle.engine.rhythm(of: goal),
      try house.budget.reserve(bytes, for: reply.client))
    wait.timeout = house.loop.schedule(at: house.clock() + timeout) {
      [unowned self, unowned wait] in
      house.work.measure {
        cycle.perform { _ in }
        end(wait, holds: holds(wait.goal))
      }
    }
    add(wait, of: reply.client)
    setTimer()
    return .later
  }

  private func end(_ wait: Wait, holds: Bool) {
    remove(wait, of: wait.reply.client)
    wait.reply.give(answer(to: wait.goal, holds: holds))
  }

  /// The parts of the display and the devices that goals may need.
  private var surroundings: Surroundings {
    Surroundings(
      inputs: { [house] in house.host.inputs() }, isShown: { [house] in house.cycle.isStill })
  }

  private func holds(_ goal: Goal<Condition>) -> Bool {
    cycle.engine.holds(goal, in: surroundings)
  }

  private func answer(to goal: Goal<Condition>, holds: Bool) -> WaitAnswer {
    let engine = cycle.engine
    return WaitAnswer(
      holds: holds, engine.state(of: goal, in: surroundings), at: engine.now.seconds)
  }

  // MARK: Watches

  /// An expression whose value is sent at each change.
  private final class Watch: Question {
    let text: String
    private let expression: ResolvedExpression<Reference>
    private let client: ClientID
    /// Whether the client is told what caused a change.
    private let tellsCause: Bool
    private unowned let conditions: Conditions
    /// The value that was found last; nil before. Undefined is a value of its own.
    private var found: Value??
    /// Whether the client was sent that value.
    private var isSent = false

    init(
      _ text: String, _ expression: ResolvedExpression<Reference>, for client: ClientID,
      tellingCause tellsCause: Bool, of conditions: Conditions, _ reservation: Reservation
    ) {
      self.text = text
      self.tellsCause = tellsCause
      self.expression = expression
      self.client = client
      self.conditions = conditions
      super.init(
        conditions.cycle.engine.rhythm(of: expression), reservation)
    }

    override func look() {
      let engine = conditions.cycle.engine
      var units = WorkBudget(Engine.conditionUnits)
      var value = try? engine.value(of: expression, budget: &units)
      let own = Conditions.memoryBytes(of: text)
      let maximum = conditions.house.limits.maximumWatchedValueBytes
      let bytes = value.map { $0.memoryBytes(upTo: maximum) } ?? 0
      if bytes.map({ count(own + $0) }) != true {
        value = nil
        _ = count(own)
      }
      let isNew = found != .some(value)
      let clients = conditions.house.clients
      let isBehind = clients.isBehind(client)
      guard isNew || !isSent && !isBehind else { return }
      found = .some(value)
      isSent = !isBehind
      if isSent {
        conditions.unsent.remove(ObjectIdentifier(self))
      } else {
        conditions.unsent.insert(ObjectIdentifier(self))
        conditions.setTimer()
      }
      var members: [JSONValue.Member] = [
        .time(engine.now.seconds),
        .init("watch", .string(text)),
        .init("value", value.map { JSONValue($0) } ?? .null),
      ]
      if tellsCause {
        let cause = engine.cause(ofLastChangeOf: expression.names)
        members.append(.init("by", .string(cause.rawValue)))
      }
      clients.notify(.watch, members, to: [client])
    }
  }

  /// The maximum of bytes of memory that an expression takes: a name or an operator, which may be one
  /// byte, has a node and a place in some lists.
  private static func memoryBytes(of text: String) -> Int { 64 * text.utf8.count }

  private func watch(
    _ texts: [String], tellingCauses tellsCauses: Bool, for client: ClientID
  ) throws(RemoteError) {
    guard texts.count <= house.limits.maximumExpressions else {
      throw RemoteError(
        exceeding: "maximumExpressions", house.limits.maximumExpressions,
        "a request has at most \(house.limits.maximumExpressions) expressions; send several",
        code: .invalidParameters)
    }
    let watched = lines[client]?.watches.map(\.text) ?? []
    var new: [String] = []
    for text in texts where !watched.contains(text) && !new.contains(text) { new.append(text) }
    let all = watched + new
    guard all.count <= house.limits.maximumWatches else {
      throw RemoteError(
        exceeding: "maximumWatches", house.limits.maximumWatches,
        "a client watches at most \(house.limits.maximumWatches) expressions")
    }
    guard all.reduce(0, { $0 + $1.utf8.count }) <= house.limits.maximumWatchBytes else {
      throw RemoteError(
        exceeding: "maximumWatchBytes", house.limits.maximumWatchBytes,
        "the expressions that a client watches have at most \(house.limits.maximumWatchBytes) bytes"
      )
    }
    // Either all of them are watched or, where one of them is wrong, none.
    var watches: [Watch] = []
    for text in new {
      let expression = try expression(text)
      let reservation = try house.budget.reserve(Self.memoryBytes(of: text), for: client)
      watches.append(
        Watch(
          text, expression, for: client, tellingCause: tellsCauses, of: self, reservation))
    }
    cycle.perform { _ in }
    for watch in watches { add(watch, of: client) }
    lines[client]?.lookAtAll(house.work)
    setTimer()
  }

  private func unwatch(_ texts: [String]?, for client: ClientID) {
    for watch in lines[client]?.watches ?? [] where texts?.contains(watch.text) ?? true {
      remove(watch, of: client)
    }
  }

  // MARK: Methods

  var methods: [ServedMethod] {
    [
      ServedMethod(WaitRequest.self) { [unowned self] request, reply in
        let (goal, bytes) = try goal(of: request)
        return try wait(for: goal, bytes: bytes, timeout: request.timeout, reply)
      },
      ServedMethod(WatchRequest.self) { [unowned self] request, reply in
        if request.on {
          guard let texts = request.expressions, !texts.isEmpty else {
            throw RemoteError.invalid("\"expressions\" takes a list of texts")
          }
          try watch(texts, tellingCauses: request.causes, for: reply.client)
        } else {
          unwatch(request.expressions, for: reply.client)
        }
        return .done(MomentAnswer(cycle.engine.now.seconds))
      },
    ]
  }

  /// The goal of a request, and about how many bytes it takes.
  private func goal(
    of given: WaitRequest
  ) throws(RemoteError) -> (Goal<Condition>, bytes: Int) {
    let pattern = JSONValue.array([
      given.value ?? .null, .string(given.page ?? ""), .string(given.input ?? ""),
    ])
    guard let bytes = pattern.memoryBytes(upTo: house.limits.maximumPatternBytes) else {
      throw RemoteError(
        exceeding: "maximumPatternBytes", house.limits.maximumPatternBytes,
        "what is waited for is too long", code: .invalidParameters)
    }
    guard let goal = given.goal else {
      throw .invalid(
        "expected either \"expression\", \"property\" and \"value\", \"page\", \"input\", "
          + "\"settled\", or \"still\"")
    }
    try check(goal)
    var resolved = try goal.map { text throws(RemoteError) in try condition(text) }
    if case .settled(let names) = goal {
      resolved = .settled(names.flatMap(cycle.engine.controls(settlingWith:)))
    }
    return (resolved, bytes + Self.memoryBytes(of: given.expression ?? ""))
  }

  /// Refuses a goal whose names do not exist.
  private func check(_ goal: Goal<String>) throws(RemoteError) {
    try cycle.engine.found { (engine) throws(UnknownName) in
      switch goal {
      case .property(let name, _): _ = try engine.kind(named: name)
      case .page(let page): try engine.find(page: page)
      case .settled(let names):
        for name in names where (try? engine.find(value: name)) == nil {
          try engine.find(control: name)
        }
      case .that, .input, .still: break
      }
    }
  }

  private func condition(_ text: String) throws(RemoteError) -> Condition {
    let expression = try expression(text)
    guard expression.kind == .flag || expression.kind == .any else {
      throw .invalid("\(text.quoted) is \(expression.kind) (expected true or false)")
    }
    return expression
  }

  /// An expression whose names exist.
  private func expression(
    _ text: String
  ) throws(RemoteError) -> ResolvedExpression<Reference> {
    do throws(ExpressionError) {
      let expression = try Expression(text)
      return try expression.resolved(in: AskedNames(expression, cycle.engine))
    } catch {
      let place = text.utf8.prefix(error.offset)
      let column = String(decoding: place, as: UTF8.self).count + 1
      throw .invalid("\(text.quoted): \(error), at character \(column)")
    }
  }
}

/// The names that a client's expression may read.
private struct AskedNames: NameSpace {
  private let names: Names
  private let engine: Engine

  init(_ expression: Expression, _ engine: Engine) {
    self.engine = engine
    names = Names(engine.description, for: expression)
  }

  func find(_ path: NamePath) -> (name: Reference, kind: Value.Kind)? {
    if let found = names.find(path) { return found }
    // The panel's brightness, which belongs to no control.
    guard path.parts == ["screen", "brightness"] else { return nil }
    let name = Reference.property(
      PropertyPath(control: path.parts[0], property: path.parts[1]))
    return engine.kind(of: name).map { (name, $0) }
  }

  func mistake(in path: NamePath) -> (what: String, near: String?) {
    guard path.parts.first != "texts", path.parts.first != "event",
      let name = Reference(path.parts.joined(separator: "."))
    else { return names.mistake(in: path) }
    do throws(UnknownName) {
      _ = try engine.kind(named: name)
      return names.mistake(in: path)
    } catch {
      return ("\(error)", nil)
    }
  }
}
