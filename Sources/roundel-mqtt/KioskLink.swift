// SPDX-License-Identifier: MIT

import HomeAssistant
import JSON
import KioskProtocol
import LinuxIO
import Motion
import JSONRPC
import SystemPackage

/// The connection to the kiosk, which is made again whenever the kiosk has been away.
final class KioskLink {
  /// Called with the kiosk's status and controls, at first and whenever it may have become another kiosk.
  var onKiosk: (StatusAnswer, TreeAnswer) -> Void = { _, _ in }
  /// Called with the status of the kiosk, every few seconds.
  var onStatus: (StatusAnswer) -> Void = { _ in }
  /// Called when the kiosk does not answer any more, though it is there.
  var onSilence: () -> Void = {}
  /// Called when some of the messages of the kiosk were lost.
  var onLoss: () -> Void = {}
  /// Called with the reason when another connection replaces a broken one. Pending requests fail after that.
  var onBreak: (String) -> Void = { _ in }
  /// Called when the kiosk is away, with the reason.
  var onAway: (String) -> Void = { _ in }
  var onEvent: ([JSONValue.Member]) -> Void = { _ in }
  var onValue: (_ expression: String, JSONValue, _ cause: String) -> Void = { _, _, _ in }

  /// Whether a machine depends on the kiosk, so a hang has to be noticed early.
  var isCheckedOften = false {
    didSet { if isCheckedOften != oldValue, patience == nil, main != nil { scheduleCheck() } }
  }

  /// Whether there is a connection to the broker, for the kiosk's status.
  var isBridged = false {
    didSet { if isBridged != oldValue { tellConnection() } }
  }

  private let socket: String?
  private let loop: EventLoop
  /// The kiosk is on this machine and soon back.
  private var backOff = BackOff(maximumSeconds: 8)
  private var retry: EventLoop.Token?
  private var main: Line?
  /// Connections that only watch: one client may watch so many expressions.
  private var watchers: [Line] = []
  private var status: StatusAnswer?
  private var isAsking = false
  private var asksAgain: EventLoop.Token?
  /// The next check, and the end of the patience with the last one.
  private var check: EventLoop.Token?
  private var patience: EventLoop.Token?
  private var isSilent = false
  /// The kiosk's last known process, or nil while disconnected.
  private var met: (process: Int, uptime: Double)?

  /// One connection.
  private final class Line {
    let client: Client
    var token: EventLoop.Token?
    /// The handlers of answers, by the ids of the requests.
    var answers: [JSONValue: (Result<JSONValue, RemoteError>) -> Void] = [:]
    var watched: [String] = []
    let start = MonotonicClock.now
    var isAnswered = false

    init(_ client: Client) { self.client = client }

    func ask(
      _ method: String, _ parameters: [JSONValue.Member],
      then answer: @escaping (Result<JSONValue, RemoteError>) -> Void
    ) throws(ClientError) {
      answers[try client.send(method, parameters)] = answer
    }

    /// Answers all requests that wait for an answer.
    func fail(_ error: RemoteError) {
      let waiting = answers
      answers = [:]
      for answer in waiting.values { answer(.failure(error)) }
    }
  }

  init(socket: String?, on loop: EventLoop) {
    self.socket = socket
    self.loop = loop
  }

  /// Connects, and goes on trying.
  func connect() {
    retry = nil
    do throws(ClientError) { try begin() } catch { lose("\(error)") }
  }

  private func begin() throws(ClientError) {
    let line = try open()
    try ask(line)
    main = line
    scheduleCheck()
  }

  private func open() throws(ClientError) -> Line {
    let path = socket ?? SocketPath.ofClient
    let line = Line(try Client(at: path))
    line.client.onNotification = { [unowned self] in take($0) }
    line.client.onAnswer = { [unowned self, unowned line] response in
      if let answer = line.answers.removeValue(forKey: response.id) {
        return answer(response.outcome)
      }
      // Without an id it is about the connection itself, or about a request that could not be read: which
      // one is not known, and its answer never comes.
      guard response.id == .null, case .failure(let error) = response.outcome else { return }
      line.fail(error)
      if isCurrent(line) { lose("\(error)") }
    }
    do throws(Errno) {
      line.token = try loop.watch(line.client.descriptor) { [unowned self, unowned line] _ in
        do throws(ClientError) {
          guard try line.client.dispatch() else { throw .wentAway }
        } catch {
          if isCurrent(line) { lose("\(error)") }
        }
      }
    } catch {
      throw .unreachable(path: path, reason: "\(error)")
    }
    return line
  }

  private func isCurrent(_ line: Line) -> Bool {
    line === main || watchers.contains { $0 === line }
  }

  private func ask(_ line: Line) throws(ClientError) {
    try line.ask(EventsRequest.method.name, []) { _ in }
    if isBridged { try tellConnection(by: line) }
    try askForAll(line)
  }

  private func tellConnection() {
    guard let main else { return }
    do throws(ClientError) { try tellConnection(by: main) } catch { lose("\(error)") }
  }

  private func tellConnection(by line: Line) throws(ClientError) {
    let request = BridgeRequest { $0.isConnected = isBridged }
    // An older kiosk does not know it.
    try line.ask(BridgeRequest.method.name, request.jsonMembers) { _ in }
  }

  private func askForAll(_ line: Line) throws(ClientError) {
    guard !isAsking else { return }
    isAsking = true
    try line.ask(StatusRequest.method.name, []) { [unowned self, unowned line] outcome in
      guard line === main else { return }
      status = (try? outcome.get()).flatMap { StatusAnswer($0) }
    }
    try line.ask(TreeRequest.method.name, TreeRequest { $0.properties = true }.jsonMembers) {
      [unowned self, unowned line] outcome in
      guard line === main else { return }
      isAsking = false
      switch outcome {
      case .success(let json):
        guard let tree = TreeAnswer(json), let status else {
          return lose("\(ClientError.misread(method: TreeRequest.method.name))")
        }
        backOff.reset()
        line.isAnswered = true
        if let met, status.process != met.process || status.uptime < met.uptime {
          onAway("another process shows it")
        }
        met = (status.process, status.uptime)
        onKiosk(status, tree)
      case .failure(let error): lose("\(error)")
      }
    }
  }

  // MARK: Whether it answers

  /// Seconds between two checks, and until one has failed. A hung kiosk keeps its connections, and its
  /// service manager may wait longer than Home Assistant should. A check wakes a kiosk at rest once, for
  /// less than a tenth of a millisecond: a hundred thousandth of its time, five of them for a machine's.
  private var checkInterval: Double { isCheckedOften ? 2 : 10 }
  private var checkPatience: Double { isCheckedOften ? 3 : 5 }

  private func scheduleCheck() {
    check = loop.schedule(at: MonotonicClock.now + checkInterval) { [unowned self] in
      guard let main else { return }
      do throws(ClientError) {
        try main.ask(StatusRequest.method.name, []) { [unowned self, unowned main] outcome in
          if main === self.main { hear(outcome) }
        }
      } catch {
        return lose("\(error)")
      }
      patience = loop.schedule(at: MonotonicClock.now + checkPatience) { [unowned self] in
        isSilent = true
        onSilence()
      }
    }
  }

  private func hear(_ outcome: Result<JSONValue, RemoteError>) {
    patience = nil
    scheduleCheck()
    if isSilent {
      isSilent = false
      askNow()
    } else if let status = (try? outcome.get()).flatMap({ StatusAnswer($0) }) {
      onStatus(status)
    }
  }

  /// Asks once more for the kiosk's status and controls, at most once a second.
  func askAgain() {
    guard asksAgain == nil, main != nil else { return }
    asksAgain = loop.schedule(at: MonotonicClock.now + 1) { [unowned self] in
      asksAgain = nil
      askNow()
    }
  }

  private func askNow() {
    guard let main else { return }
    do throws(ClientError) { try askForAll(main) } catch { lose("\(error)") }
  }

  private func lose(_ reason: String) {
    let old = [main].compactMap(\.self) + watchers
    // A living kiosk accepts another connection immediately, and a dead kiosk refuses it.
    let isSurprised = main.map { $0.isAnswered && $0.start + 1 <= MonotonicClock.now } ?? false
    main = nil
    watchers = []
    status = nil
    isAsking = false
    asksAgain = nil
    check = nil
    patience = nil
    isSilent = false
    for line in old { line.token = nil }
    // They may still be in the call that reports this.
    loop.perform(at: MonotonicClock.now) { _ = old }
    if retry != nil {
      // Another call has already scheduled the next attempt.
    } else if isSurprised, (try? begin()) != nil {
      onBreak(reason)
    } else {
      isAsking = false
      let pause = max(backOff.next(), 1)
      retry = loop.schedule(at: MonotonicClock.now + pause) { [unowned self] in connect() }
      met = nil
      onAway(reason)
    }
    // The handlers above keep the waiting messages before their requests fail.
    for line in old { line.fail(RemoteError(.failed, "not connected to the kiosk: \(reason)")) }
  }

  // MARK: Notifications of the kiosk

  private func take(_ notification: Request) {
    guard let notice = Notice(notification), case .object(let members) = notice.json else { return }
    if notice.lost > 0 { onLoss() }
    switch notice.kind {
    case .event:
      if let name = members.kioskEvent, ["reloaded", "restarted"].contains(name) { askNow() }
      onEvent(members)
    case .watch:
      guard let expression = notice.json["watch"]?.string, let value = notice.json["value"] else {
        return
      }
      onValue(expression, value, notice.json["by"]?.string ?? "time")
    case .touch, .shot: break
    }
  }

  /// Watches expressions in place of those before. Each is told at once and at each change.
  ///
  /// Those in `ordered`, as many as one client may watch, are told in the order of the kiosk's events and
  /// answers. The others have connections of their own, so that no event is lost behind large values, and
  /// may come before an earlier event.
  func watch(_ ordered: [String], and others: [String]) {
    watchers = []
    guard let main else { return }
    do throws(ClientError) {
      if !main.watched.isEmpty {
        try main.ask(WatchRequest.method.name, WatchRequest { $0.on = false }.jsonMembers) { _ in }
        main.watched = []
      }
      let limits = Limits()
      var line = main
      var bytes = 0
      for (index, expression) in (ordered + others).enumerated() {
        bytes += expression.utf8.count
        if index == ordered.count || line.watched.count >= limits.maximumWatches
          || bytes > limits.maximumWatchBytes
        {
          line = try open()
          watchers.append(line)
          bytes = expression.utf8.count
        }
        line.watched.append(expression)
        let request = WatchRequest {
          $0.expressions = [expression]
          $0.causes = true
        }
        try line.ask(WatchRequest.method.name, request.jsonMembers) { [unowned self] outcome in
          if case .failure(let error) = outcome, self.main != nil {
            Log.write("cannot watch \(expression): \(error)")
          }
        }
      }
    } catch {
      lose("\(error)")
    }
  }

  // MARK: Requests to the kiosk

  /// Has the kiosk report that something has failed.
  func report(failure message: String) {
    guard let main else { return }
    do throws(ClientError) {
      let request = FailedRequest { $0.message = message }
      try main.ask(FailedRequest.method.name, request.jsonMembers) { _ in }
    } catch {
      lose("\(error)")
    }
  }

  /// Asks for the picture on the panel, as a PNG file.
  func takePicture(then done: @escaping (Result<ScreenshotAnswer, RemoteError>) -> Void) {
    guard let main else { return done(.failure(RemoteError(.failed, "the kiosk is away"))) }
    do throws(ClientError) {
      try main.ask(ScreenshotRequest.method.name, ScreenshotRequest().jsonMembers) { outcome in
        done(
          outcome.flatMap { json in
            ScreenshotAnswer(json).map { .success($0) }
              ?? .failure(RemoteError(.failed, "the picture cannot be read"))
          })
      }
    } catch {
      lose("\(error)")
      done(.failure(RemoteError(.failed, "\(error)")))
    }
  }

  /// Passes on an order. `done` gets the kiosk's objection, nil for none.
  func carryOut(_ order: Order, then done: @escaping (String?) -> Void) {
    guard let call = order.call else { return done("only a kiosk's file does that") }
    guard let main else { return done("the kiosk is away") }
    do throws(ClientError) {
      try main.ask(call.method, call.parameters) { outcome in
        switch outcome {
        case .success: done(nil)
        case .failure(let error): done("\(error)")
        }
      }
    } catch {
      // The loss comes first: it keeps the messages that wait for the kiosk before this order fails.
      lose("\(error)")
      done("\(error)")
    }
  }
}
