// SPDX-License-Identifier: MIT

internal import RoundelJSON
internal import JSONRPC
internal import KioskProtocol
internal import LinuxIO
internal import RoundelMotion
internal import SystemPackage

/// A connection to a running kiosk on any machine. Reconnects after a loss. Only `init` and `call`
/// block.
final class RemoteConnection {
  var onReturn: () -> Void = {}
  var onLoss: (_ reason: String) -> Void = { _ in }
  var onNotification: (Request) -> Void = { _ in }

  let address: KioskAddress
  private let loop: EventLoop
  // The watch must end before its descriptor is closed.
  private var watch: EventLoop.Token?
  private var connection: KioskConnection?
  /// Waits for the reason why the connection ended.
  private var ending: KioskConnection.ConnectionEnd?
  private(set) var isThere = true
  private var questions: [JSONValue: Question] = [:]
  private var backOff = BackOff(maximumSeconds: 8)
  private var retry: EventLoop.Token?

  private struct Question {
    let whenDone: (Result<JSONValue, KioskError>) -> Void
    let timeout: EventLoop.Token?
  }

  /// Waits until the kiosk answers.
  init(to address: KioskAddress, on loop: EventLoop) throws(KioskError) {
    self.address = address
    self.loop = loop
    try adopt(try KioskConnection(to: address, version: ProgramVersion.current))
  }

  deinit { connection?.close() }

  var host: String { address.host ?? "this machine" }

  private func adopt(_ connection: KioskConnection) throws(KioskError) {
    let client = connection.client
    client.onNotification = { [unowned self] in take($0) }
    client.onAnswer = { [unowned self] in take($0) }
    do throws(Errno) {
      try client.sendWithoutWaiting(on: loop)
      watch = try loop.watch(client.descriptor) { [unowned self] _ in read() }
    } catch {
      throw KioskError(.unavailable, "cannot wait for \(host): \(error)")
    }
    self.connection = connection
  }

  private func read() {
    guard let connection else { return }
    do throws(ClientError) {
      guard try !connection.client.dispatch() else { return }
      watch = nil
      ending = connection.explainEnd(on: loop) { [unowned self] in lose($0) }
    } catch {
      lose(connection.error(error))
    }
  }

  private func connect() {
    retry = nil
    do throws(KioskError) {
      try adopt(
        try KioskConnection(to: address, version: ProgramVersion.current, waits: false))
    } catch {
      lose(error)
    }
  }

  private func lose(_ error: KioskError) {
    let old = (watch, connection, ending)
    connection?.close()
    watch = nil
    ending = nil
    connection = nil
    isThere = false
    guard retry == nil else { return }
    retry = loop.schedule(at: loop.now + max(backOff.next(), 1)) { [unowned self] in connect() }
    let waiting = questions
    questions = [:]
    for question in waiting.values { question.whenDone(.failure(error)) }
    onLoss(text(of: error))
    // The connection may be on the call stack.
    loop.perform(at: loop.now) { _ = old }
  }

  /// Returns an error's text, which may refer to this program's terminal.
  func text(of error: KioskError) -> String {
    error.description.isEmpty
      ? "cannot reach the kiosk on \(host); see the messages in the terminal" : error.description
  }

  // MARK: Requests

  func call<Request: MethodRequest>(_ request: Request) throws(KioskError) -> Request.Answer {
    guard let connection else { throw KioskError(.unavailable) }
    return try connection.call(request)
  }

  /// `timeout` is the time limit in seconds, if any.
  func ask<Request: MethodRequest>(
    _ request: Request, timeout: Double? = 30,
    whenDone: @escaping (Result<Request.Answer, KioskError>) -> Void
  ) {
    ask(Request.method.name, request.jsonMembers, timeout: timeout) { outcome in
      whenDone(
        outcome.flatMap { json in
          Request.Answer(json).map { .success($0) }
            ?? .failure(KioskError(.misread(method: Request.method.name)))
        })
    }
  }

  func ask(
    _ method: String, _ parameters: [JSONValue.Member], timeout: Double? = 30,
    whenDone: @escaping (Result<JSONValue, KioskError>) -> Void
  ) {
    guard let connection, isThere else {
      return whenDone(
        .failure(KioskError(.unavailable, "not connected to the kiosk; try again later")))
    }
    do throws(ClientError) {
      let id = try connection.client.send(method, parameters)
      let end = timeout.map { seconds in
        loop.schedule(at: loop.now + seconds) { [unowned self] in
          questions.removeValue(forKey: id)?.whenDone(
            .failure(KioskError(.timedOut(seconds: seconds))))
        }
      }
      questions[id] = Question(whenDone: whenDone, timeout: end)
    } catch {
      let error = KioskError(error)
      whenDone(.failure(error))
      lose(error)
    }
  }

  private func take(_ notification: Request) {
    guard notification.method == KioskConnection.greeting.method else {
      return onNotification(notification)
    }
    guard !isThere else { return }
    isThere = true
    backOff.reset()
    onReturn()
  }

  private func take(_ answer: Response) {
    guard let question = questions.removeValue(forKey: answer.id) else {
      // An error without an id concerns the connection itself.
      if answer.id == .null, case .failure(let error) = answer.outcome {
        lose(KioskError(.refused(error)))
      }
      return
    }
    question.whenDone(answer.outcome.mapError { KioskError(.refused($0)) })
  }
}
