// SPDX-License-Identifier: MIT

internal import JSON
internal import LinuxIO
internal import SystemPackage

/// The server's side of one client: what came from it and is not served, and what it has not read.
final class Connection {
  let id: ClientID
  private let socket: OwnedDescriptor
  private let limits: Limits
  private let methods: MethodTable
  private let read: (_ text: [UInt8], _ whenDone: @escaping (Parsed) -> Void) -> Void

  typealias Parsed = Result<JSONValue, JSONValue.SyntaxError>

  private var reader: LineReader
  /// Requests of a batch that are not served, the next one last.
  private var requests: [(json: JSONValue, batch: Batch)] = []
  private var output: [UInt8] = []
  private var sent = 0
  /// Notifications that it was not given since the last that it was.
  private var lost = 0
  private var waitingRequests = 0
  private var isReading = false
  private var isInputEnded = false
  /// It is served no more, and gone once it has read what there is.
  private var isLeaving = false

  /// Called when something was added that `flush` should send.
  var onOutput: () -> Void = {}
  /// Whether it will still be told something without asking.
  var isSubscribed: () -> Bool = { false }

  /// `read` turns the text of a message into JSON, at once or on another thread.
  init(
    _ id: ClientID, _ socket: consuming OwnedDescriptor, limits: Limits, methods: MethodTable,
    read: @escaping (_ text: [UInt8], _ whenDone: @escaping (Parsed) -> Void) -> Void
  ) {
    self.id = id
    self.socket = socket
    self.limits = limits
    self.methods = methods
    self.read = read
    reader = LineReader(limit: limits.line)
  }

  var descriptor: CInt { socket.rawValue }

  /// Bytes that the client has not taken.
  private var backlog: Int { output.count - sent }

  /// Whether `serve` has something to do.
  var isServable: Bool {
    !isLeaving && !isReading && !isIdle && backlog < limits.backlog
  }

  var wantsInput: Bool {
    !isLeaving && !isInputEnded && isIdle && backlog < limits.backlog
  }

  var wantsOutput: Bool { backlog > 0 }

  /// Whether nothing more will come of it. One that has only ended its input may still wait for
  /// answers.
  var isDone: Bool {
    if backlog > limits.greatestBacklog { return true }
    guard backlog == 0 else { return false }
    return isLeaving || (isInputEnded && isIdle && waitingRequests == 0 && !isSubscribed())
  }

  /// Whether all that has come was served.
  var isIdle: Bool { !isReading && requests.isEmpty && !reader.hasLine }

  // MARK: Input

  /// Takes what has come, up to a piece's size; false where the client has gone.
  func receive() -> Bool {
    var end = false
    let piece: [UInt8]
    do throws(Errno) {
      piece = try socket.receive(upTo: 64 << 10)
      end = piece.isEmpty
    } catch .resourceTemporarilyUnavailable {
      return true
    } catch {
      return false
    }
    if end {
      isInputEnded = true
      reader.end()
    } else {
      reader.append(piece)
    }
    return true
  }

  /// Serves one request, or reads the next message.
  func serve() {
    if let (json, batch) = requests.popLast() {
      perform(json, in: batch)
      return
    }
    switch reader.next() {
    case .text(let text)?:
      guard text.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return }
      isReading = true
      read(text) { [weak self] parsed in
        guard let self else { return }
        isReading = false
        take(parsed)
        onOutput()
      }
    case .tooLong?:
      leave(RemoteError(.invalidRequest, "a message exceeds \(limits.line) bytes"))
    case nil: break
    }
  }

  private func take(_ parsed: Parsed) {
    switch parsed {
    case .failure(let error): refuse(.parseError, "\(error)")
    case .success(.array(let all)):
      guard !all.isEmpty else {
        refuse(.invalidRequest, "the batch is empty")
        return
      }
      guard all.count <= limits.batch else {
        refuse(.invalidRequest, "a batch of more than \(limits.batch) requests")
        return
      }
      let batch = Batch(count: all.count, limit: limits.backlog)
      requests = all.reversed().map { ($0, batch) }
    case .success(let json): perform(json, in: nil)
    }
  }

  private func refuse(_ code: RemoteError.Code, _ what: String) {
    send(Array(Response(.null, .failure(RemoteError(code, what))).json.text.utf8))
  }

  private func perform(_ json: JSONValue, in batch: Batch?) {
    let request: Request
    do throws(RemoteError) {
      request = try Request(json)
    } catch {
      let answer = Response(Request.id(ofBroken: json), .failure(error)).json.text
      finish(Array(answer.utf8), in: batch)
      return
    }
    waitingRequests += 1
    let reply = Reply(to: id, id: request.id) { [weak self] answer in
      guard let self else { return }
      waitingRequests -= 1
      finish(answer, in: batch)
    }
    do throws(RemoteError) {
      guard let method = methods[request.method] else {
        throw RemoteError(
          .unknownMethod, "there is no method \"\(request.method.prefix(100))\" (see \"help\")")
      }
      guard waitingRequests <= limits.waitingRequests else {
        throw RemoteError(
          .busy, "\(limits.waitingRequests) requests of this client wait for an answer already")
      }
      if case .done(let result) = try method.call(request.parameters, reply) { reply.give(result) }
    } catch {
      reply.refuse(error)
    }
  }

  private func finish(_ answer: [UInt8]?, in batch: Batch?) {
    let text = batch == nil ? answer : batch?.add(answer)
    if let text, !text.isEmpty { send(text) }
  }

  // MARK: Output

  private func send(_ text: [UInt8]) {
    guard !isLeaving else { return }
    output += text
    output.append(10)
    onOutput()
  }

  /// Sends a notification, whose text is `text` and, where some got lost before it, what
  /// `textAfterLoss` makes of their number.
  func notify(_ text: [UInt8], textAfterLoss: (Int) -> [UInt8]) {
    guard !isLeaving else { return }
    guard backlog < limits.backlog else {
      lost += 1
      return
    }
    send(lost == 0 ? text : textAfterLoss(lost))
    lost = 0
  }

  /// Tells the client why it is not served any more.
  func leave(_ error: RemoteError) {
    refuse(.init(rawValue: error.code.rawValue), error.description)
    isLeaving = true
    requests = []
  }

  /// Sends what the client has room for; false where it has gone.
  func flush() -> Bool {
    guard backlog > 0 else { return true }
    do throws(Errno) {
      sent += try LocalSocket.send(output[sent...], to: socket.rawValue)
    } catch {
      return false
    }
    if sent == output.count {
      output = []
      sent = 0
    } else if sent > limits.backlog {
      output.removeFirst(sent)
      sent = 0
    }
    return true
  }
}
