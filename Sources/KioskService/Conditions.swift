// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelJSON
internal import Kiosk
internal import KioskProtocol
internal import LinuxIO
internal import RoundelMotion
internal import JSONRPC
internal import RoundelRuntime

/// The clients' conditions and watched expressions.
///
/// The client's work evaluates them after each update of something they depend on, including time,
/// so they delay neither frames nor other clients.
final class Conditions: KioskComponent {
  private let context: ServerContext
  private var lines: [ClientID: Line] = [:]
  private var updateIntervals: [UpdateInterval: Int] = [:]
  private var seen: (revision: UInt64, isStill: Bool, inputs: [String], brightness: Double?) = (
    0, false, [], nil
  )
  private var timer: EventLoop.Token?
  private var isDue = false
  /// The watches whose last change could not be sent.
  private var unsent: Set<ObjectIdentifier> = []
  private var retry: Timestamp?

  init(_ context: ServerContext) {
    self.context = context
  }

  private var cycle: FrameCycle { context.cycle }

  func isSubscribed(_ client: ClientID) -> Bool { lines[client]?.watches.isEmpty == false }

  func forget(_ client: ClientID) {
    for question in lines[client]?.all ?? [] { remove(question, of: client) }
  }

  func turn(isShown: Bool) {
    guard !lines.isEmpty else { return }
    let current = (
      revision: cycle.engine.revision, isStill: cycle.isStill, inputs: context.host.inputs(),
      brightness: cycle.engine.brightness
    )
    if isDue || current != seen { for line in lines.values { line.evaluateAll(context.work) } }
    seen = current
    isDue = false
    setTimer()
  }

  func evaluateWatches() {
    for line in lines.values {
      for watch in line.watches { watch.evaluate() }
    }
  }

  /// Seconds before another attempt.
  private static let retryPause = 0.1

  private func setTimer() {
    timer = nil
    retry = unsent.isEmpty ? nil : retry ?? context.clock() + Self.retryPause
    let change = updateIntervals.keys.compactMap { cycle.engine.next($0) }.min()
    let time = change.map { context.clock() + max(0, $0 - cycle.engine.now) }
    guard let next = [time, retry].compactMap(\.self).min() else { return }
    timer = context.loop.schedule(at: next) { [unowned self] in
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
    if let updateInterval = question.updateInterval {
      updateIntervals[updateInterval, default: 0] += 1
    }
  }

  private func remove(_ question: Question, of client: ClientID) {
    unsent.remove(ObjectIdentifier(question))
    guard let line = lines[client], let index = line.all.firstIndex(where: { $0 === question })
    else { return }
    line.all.remove(at: index)
    if question is Wait { line.waitCount -= 1 }
    if line.all.isEmpty { lines[client] = nil }
    if let updateInterval = question.updateInterval, let count = updateIntervals[updateInterval] {
      updateIntervals[updateInterval] = count > 1 ? count - 1 : nil
    }
  }

  private class Question {
    /// The interval at which the answer may change with time.
    let updateInterval: UpdateInterval?
    private let reservation: Reservation

    init(_ updateInterval: UpdateInterval?, _ reservation: Reservation) {
      self.updateInterval = updateInterval
      self.reservation = reservation
    }

    func evaluate() {}

    /// Returns false if the limit would be exceeded.
    func count(_ bytes: Int) -> Bool { (try? reservation.resize(to: bytes)) != nil }
  }

  private final class Line: ClientTask {
    let client: ClientID
    /// The next question is first.
    var all: [Question] = []
    /// The number of questions to evaluate since the last change.
    private var unseen = 0

    init(_ client: ClientID) { self.client = client }

    var watches: [Watch] { all.compactMap { $0 as? Watch } }
    var waitCount = 0

    func evaluateAll(_ work: ClientWork) {
      unseen = all.count
      work.add(self)
    }

    func proceed() -> Bool {
      unseen = min(unseen, all.count)
      guard unseen > 0 else { return false }
      unseen -= 1
      let question = all.removeFirst()
      all.append(question)
      question.evaluate()
      return unseen > 0
    }
  }

  // MARK: Waits

  /// A request that is answered when the goal is reached or the time has expired.
  private final class Wait: Question {
    let goal: Goal<Condition>
    let reply: Reply<WaitAnswer>
    var timeout: EventLoop.Token?
    private unowned let conditions: Conditions

    init(
      _ goal: Goal<Condition>, _ reply: Reply<WaitAnswer>, of conditions: Conditions,
      _ updateInterval: UpdateInterval?, _ reservation: Reservation
    ) {
      self.goal = goal
      self.reply = reply
      self.conditions = conditions
      super.init(updateInterval, reservation)
    }

    override func evaluate() {
      if conditions.holds(goal) { conditions.end(self, holds: true) }
    }
  }

  /// Answers immediately if the goal is already reached.
  private func wait(
    for goal: Goal<Condition>, bytes: Int, timeout: Double, _ reply: Reply<WaitAnswer>
  ) throws(RemoteError) -> Outcome<WaitAnswer> {
    // Advances the kiosk to the current time.
    cycle.perform { _ in }
    guard !holds(goal) else { return .done(answer(to: goal, holds: true)) }
    guard lines.values.reduce(0, { $0 + $1.waitCount }) < context.limits.maximumWaits else {
      throw RemoteError(
        exceeding: "maximumWaits", context.limits.maximumWaits,
        "too many waiting requests (at most \(context.limits.maximumWaits)); try again later")
    }
    let wait = Wait(
      goal, reply, of: self, cycle.engine.updateInterval(of: goal),
      try context.budget.reserve(bytes, for: reply.client))
    wait.timeout = context.loop.schedule(at: context.clock() + timeout) {
      [unowned self, unowned wait] in
      context.work.measure {
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

  private var environment: GoalEnvironment {
    GoalEnvironment(
      inputs: { [context] in context.host.inputs() },
      isShown: { [context] in context.cycle.isStill })
  }

  /// A condition on private values doesn't hold.
  private func holds(_ goal: Goal<Condition>) -> Bool {
    !isHidden(goal) && cycle.engine.holds(goal, in: environment)
  }

  private func answer(to goal: Goal<Condition>, holds: Bool) -> WaitAnswer {
    let engine = cycle.engine
    guard !isHidden(goal) else {
      return WaitAnswer(holds: holds, GoalState(.flag(false)), at: engine.now.seconds)
    }
    return WaitAnswer(
      holds: holds, engine.state(of: goal, in: environment), at: engine.now.seconds)
  }

  private func isHidden(_ goal: Goal<Condition>) -> Bool {
    switch goal {
    case .that(let condition): cycle.engine.isPrivate(condition.names)
    case .property(let name, _): cycle.engine.isPrivate(name)
    case .page, .input, .settled, .still: false
    }
  }

  // MARK: Watches

  /// An expression whose value is sent after each change.
  private final class Watch: Question {
    let text: String
    private let expression: ResolvedExpression<Reference>
    private let client: ClientID
    private let reportsCause: Bool
    private let reportsPhase: Bool
    private let sendsTargets: Bool
    private unowned let conditions: Conditions
    private var wasSettled = true
    /// The last value, or nil before the first evaluation. Undefined is a separate value.
    private var found: Value??
    private var isSent = false

    init(
      _ text: String, _ expression: ResolvedExpression<Reference>, for client: ClientID,
      _ request: WatchRequest, of conditions: Conditions, _ reservation: Reservation
    ) {
      self.text = text
      reportsCause = request.causes
      reportsPhase = request.phases
      sendsTargets = request.targets
      self.expression = expression
      self.client = client
      self.conditions = conditions
      super.init(
        conditions.cycle.engine.updateInterval(of: expression), reservation)
    }

    /// Whether the expression reads private values that the client doesn't get.
    private func isHidden(in engine: Engine) -> Bool {
      guard engine.isPrivate(expression.names),
        !conditions.context.insiders.contains(client)
      else { return false }
      guard sendsTargets, case .value(let name)? = expression.singleName else { return true }
      return engine.description.values.first { $0.name == name }?.target == nil
    }

    override func evaluate() {
      let engine = conditions.cycle.engine
      var units = WorkBudget(Engine.conditionUnits)
      var value = isHidden(in: engine) ? nil : try? engine.value(of: expression, budget: &units)
      let own = Conditions.memoryBytes(of: text)
      let maximum = conditions.context.limits.maximumWatchedValueBytes
      let bytes = value.map { $0.memoryBytes(upTo: maximum) } ?? 0
      if bytes.map({ count(own + $0) }) != true {
        value = nil
        _ = count(own)
      }
      let isSettled = !reportsPhase || engine.isSettled(expression.names)
      let isNew = found != .some(value) || isSettled != wasSettled
      let clients = conditions.context.clients
      let isBehind = clients.isBehind(client)
      guard isNew || !isSent && !isBehind else { return }
      found = .some(value)
      wasSettled = isSettled
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
      if reportsCause {
        let cause = engine.cause(ofLastChangeOf: expression.names)
        members.append(.init("by", .string(cause.rawValue)))
      }
      if reportsPhase { members.append(.init("settled", .bool(isSettled))) }
      clients.notify(.watch, members, to: [client])
    }
  }

  /// An upper bound: a byte of text may be a name or an operator, with a node and several list
  /// entries.
  private static func memoryBytes(of text: String) -> Int { 64 * text.utf8.count }

  private func watch(
    _ texts: [String], _ request: WatchRequest, for client: ClientID
  ) throws(RemoteError) {
    guard texts.count <= context.limits.maximumExpressions else {
      throw RemoteError(
        exceeding: "maximumExpressions", context.limits.maximumExpressions,
        "a request may have at most \(context.limits.maximumExpressions) expressions; send several",
        code: .invalidParameters)
    }
    let watched = lines[client]?.watches.map(\.text) ?? []
    var new: [String] = []
    for text in texts where !watched.contains(text) && !new.contains(text) { new.append(text) }
    let all = watched + new
    guard all.count <= context.limits.maximumWatches else {
      throw RemoteError(
        exceeding: "maximumWatches", context.limits.maximumWatches,
        "a client may watch at most \(context.limits.maximumWatches) expressions")
    }
    guard all.reduce(0, { $0 + $1.utf8.count }) <= context.limits.maximumWatchBytes else {
      throw RemoteError(
        exceeding: "maximumWatchBytes", context.limits.maximumWatchBytes,
        "a client's expressions may have at most \(context.limits.maximumWatchBytes) bytes in total"
      )
    }
    // If any expression is invalid, no watch is added.
    var watches: [Watch] = []
    for text in new {
      let expression = try expression(text)
      let reservation = try context.budget.reserve(Self.memoryBytes(of: text), for: client)
      watches.append(Watch(text, expression, for: client, request, of: self, reservation))
    }
    cycle.perform { _ in }
    for watch in watches { add(watch, of: client) }
    lines[client]?.evaluateAll(context.work)
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
            throw RemoteError.invalid("\"expressions\" must be a list of strings")
          }
          try watch(texts, request, for: reply.client)
        } else {
          unwatch(request.expressions, for: reply.client)
        }
        return .done(TimeAnswer(cycle.engine.now.seconds))
      },
    ]
  }

  /// The size is approximate.
  private func goal(
    of given: WaitRequest
  ) throws(RemoteError) -> (Goal<Condition>, bytes: Int) {
    let pattern = JSONValue.array([
      given.value ?? .null, .string(given.page ?? ""), .string(given.input ?? ""),
    ])
    guard let bytes = pattern.memoryBytes(upTo: context.limits.maximumPatternBytes) else {
      throw RemoteError(
        exceeding: "maximumPatternBytes", context.limits.maximumPatternBytes,
        "the expected value is too long", code: .invalidParameters)
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

  /// Throws if a name doesn't exist.
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

private struct AskedNames: NameSpace {
  private let names: Names
  private let engine: Engine

  init(_ expression: Expression, _ engine: Engine) {
    self.engine = engine
    names = Names(engine.description, for: expression)
  }

  func find(_ path: NamePath) -> (name: Reference, kind: Value.Kind)? {
    if let found = names.find(path) { return found }
    // The panel's brightness doesn't belong to a control.
    guard path.parts == ["screen", "brightness"] else { return nil }
    let name = Reference.property(
      PropertyPath(control: path.parts[0], property: path.parts[1]))
    return engine.kind(of: name).map { (name, $0) }
  }

  func elementKind(of name: Reference) -> Value.Kind { names.elementKind(of: name) }

  func mayHave(_ member: String, in name: Reference) -> Bool { names.mayHave(member, in: name) }

  func problem(in path: NamePath) -> (what: String, suggestion: String?) {
    guard path.parts.first != "texts", path.parts.first != "event",
      let name = Reference(path.parts.joined(separator: "."))
    else { return names.problem(in: path) }
    do throws(UnknownName) {
      _ = try engine.kind(named: name)
      return names.problem(in: path)
    } catch {
      return ("\(error)", nil)
    }
  }
}
