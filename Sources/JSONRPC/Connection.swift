// SPDX-License-Identifier: MIT

internal import RoundelJSON
internal import LinuxIO
internal import RoundelMotion
internal import SystemPackage

/// The server's side of one client, with its pending requests and unread output.
final class Connection: ClientTask {
  let client: ClientID
  private let channel: Channel
  let notices: NoticeForm
  private let limits: Limits
  private let methods: MethodTable
  private let messages: MessageReader

  private var reader: LineReader
  /// The reservation for unserved input beyond a chunk.
  private let input: Reservation
  private let budget: ByteBudget
  /// The unserved requests of a batch, in reverse order.
  private var requests: [(json: JSONValue, batch: Batch)] = []
  /// The output, in order. Each entry contains one or more messages.
  private var output: [[UInt8]] = []
  /// The number of bytes of the first entry already sent.
  private var sent = 0
  private(set) var unreadBytes = 0
  /// The number of lost notifications since the last sent one.
  private var lost = 0
  private var waitingRequests = 0
  private var isReading = false
  private var parsed: MessageReader.Outcome?
  /// The memory of the served message in bytes.
  private var parsedBytes = 0
  private var isInputEnded = false
  /// Whether the client is only served until it reads its output.
  private var isLeaving = false
  private(set) var lastHeard = MonotonicClock.now

  var onOutput: () -> Void = {}
  var onRefusal: (RemoteError) -> Void = { _ in }
  var isSubscribed: () -> Bool = { false }

  init(
    _ client: ClientID, _ channel: consuming Channel, notices: NoticeForm, limits: Limits,
    budget: ByteBudget, methods: MethodTable, reader messages: MessageReader
  ) {
    self.client = client
    self.channel = channel
    self.notices = notices
    self.limits = limits
    self.methods = methods
    self.messages = messages
    self.budget = budget
    input = budget.reservation(for: client)
    reader = LineReader(limit: limits.maximumLineBytes)
  }

  func watch(
    on loop: EventLoop, _ handler: @escaping (EventLoop.Readiness) -> Void
  ) throws(Errno) -> ChannelWatch {
    try channel.watch(on: loop, handler)
  }

  /// Whether unread output makes the client lose notifications and service.
  var isBehind: Bool { unreadBytes >= limits.maximumUnreadBytes }

  /// A batch is always completed, because its memory is reserved.
  var isServable: Bool {
    !isLeaving && !isReading
      && (parsed != nil || !requests.isEmpty || (reader.hasLine && !isBehind))
  }

  var wantsInput: Bool { !isLeaving && !isInputEnded && isIdle && !isBehind }

  var wantsOutput: Bool { unreadBytes > 0 }

  var outputDescriptor: CInt { channel.outputDescriptor }

  /// A client that has only ended its input may still wait for answers.
  var isDone: Bool {
    guard unreadBytes == 0 else { return false }
    return isLeaving || (isInputEnded && isIdle && waitingRequests == 0 && !isSubscribed())
  }

  var isIdle: Bool { !isReading && parsed == nil && requests.isEmpty && !reader.hasLine }

  /// Whether the client may be disconnected for another one.
  var isUnused: Bool { isIdle && waitingRequests == 0 && !isSubscribed() }

  // MARK: Input

  private static let chunkBytes = 64 << 10

  /// Returns false if the client has disconnected.
  func receive() -> Bool {
    var end = false
    let chunk: [UInt8]
    do throws(Errno) {
      chunk = try channel.receive(upTo: Self.chunkBytes)
      end = chunk.isEmpty
    } catch .resourceTemporarilyUnavailable {
      return true
    } catch {
      return false
    }
    lastHeard = MonotonicClock.now
    if end {
      isInputEnded = true
      reader.end()
    } else {
      reader.append(chunk)
      countInput()
    }
    return true
  }

  /// Stops serving the client above its limit.
  private func countInput() {
    // A batch needs the memory of its message until its end.
    guard requests.isEmpty else { return }
    do throws(RemoteError) {
      try resizeInput()
    } catch {
      leave(error)
    }
  }

  private func resizeInput() throws(RemoteError) {
    // Each client may use a chunk without a reservation, and as much again for the array's growth.
    try input.resize(to: max(0, reader.capacity + parsedBytes - 2 * Self.chunkBytes))
  }

  /// Above the limit, replaces the message with an error.
  private func record(_ outcome: MessageReader.Outcome) {
    isReading = false
    parsed = outcome
    guard case .success(let message) = outcome else { return }
    parsedBytes = message.bytes
    do throws(RemoteError) {
      try resizeInput()
    } catch {
      parsedBytes = 0
      parsed = .failure(error)
    }
  }

  func proceed() -> Bool {
    serve()
    return isServable
  }

  private func serve() {
    guard isServable else { return }
    if parsed != nil { return takeParsed() }
    if let (json, batch) = requests.popLast() {
      perform(json, in: batch)
      if requests.isEmpty { parsedBytes = 0 }
      countInput()
      return
    }
    switch reader.next() {
    case .text(let text)?:
      guard text.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return }
      isReading = true
      messages.read(text) { [weak self] outcome in
        guard let self else { return }
        record(outcome)
        onOutput()
      }
      if parsed != nil { takeParsed() }
    case .tooLong?:
      leave(
        RemoteError(
          exceeding: "maximumLineBytes", limits.maximumLineBytes,
          "a message exceeds \(limits.maximumLineBytes) bytes", code: .invalidRequest))
    case nil: break
    }
  }

  private func takeParsed() {
    guard let parsed = parsed.take() else { return }
    take(parsed)
    if requests.isEmpty { parsedBytes = 0 }
    countInput()
  }

  private func take(_ parsed: MessageReader.Outcome) {
    do throws(RemoteError) {
      let message = try parsed.get()
      switch message.json {
      case .array(let all):
        guard !all.isEmpty else { throw RemoteError(.invalidRequest, "the batch is empty") }
        guard all.count <= limits.maximumBatchRequests else {
          throw RemoteError(
            exceeding: "maximumBatchRequests", limits.maximumBatchRequests,
            "the batch has more than \(limits.maximumBatchRequests) requests", code: .invalidRequest
          )
        }
        let batch = Batch(
          count: all.count, limits: limits, budget.reservation(for: client))
        requests = all.reversed().map { ($0, batch) }
      default: perform(message.json, in: nil)
      }
    } catch {
      refuse(error)
    }
  }

  private func refuse(_ error: RemoteError) {
    onRefusal(error)
    send(Array(Response(.null, .failure(error)).json.text.utf8))
  }

  private func perform(_ json: JSONValue, in batch: Batch?) {
    let request: Request
    do throws(RemoteError) {
      request = try Request(json, limits: limits)
    } catch {
      let answer = Response(Request.id(ofBroken: json), .failure(error)).json.text
      finish(Array(answer.utf8), in: batch)
      return
    }
    waitingRequests += 1
    let reply = ReplySlot(to: client, id: request.id) { [weak self] answer in
      guard let self else { return }
      waitingRequests -= 1
      finish(answer, in: batch)
    }
    do throws(RemoteError) {
      guard let method = methods[request.method] else {
        throw RemoteError(
          .unknownMethod, "there is no method \"\(request.method.prefix(100))\" (see \"help\")")
      }
      guard waitingRequests <= limits.maximumWaitingRequests else {
        throw RemoteError(
          exceeding: "maximumWaitingRequests", limits.maximumWaitingRequests,
          "too many requests of this client are waiting for an answer")
      }
      try method.call(request.parameters, reply)
    } catch {
      reply.give(.failure(error))
    }
  }

  private func finish(_ answer: [UInt8]?, in batch: Batch?) {
    let text = batch == nil ? answer : batch?.add(answer)
    if let text, !text.isEmpty { send(text) }
  }

  // MARK: Output

  private func send(_ text: consuming [UInt8]) {
    guard !isLeaving else { return }
    text.append(10)
    unreadBytes += text.count
    // Short messages are sent together.
    if let last = output.indices.last, output[last].count + text.count <= Self.chunkBytes {
      output[last] += text
    } else {
      output.append(text)
    }
    onOutput()
  }

  /// Sends `text`, or `textAfterLoss` for the number of lost notifications.
  func notify(_ text: [UInt8], textAfterLoss: (Int) -> [UInt8]) {
    guard !isLeaving else { return }
    guard !isBehind else {
      lost += 1
      return
    }
    send(lost == 0 ? text : textAfterLoss(lost))
    lost = 0
  }

  func leave(_ error: RemoteError) {
    refuse(error)
    isLeaving = true
    parsed = nil
    requests = []
  }

  func flush() -> Bool {
    var count = 0
    defer { output.removeFirst(count) }
    while count < output.count {
      let message = output[count]
      do throws(Errno) {
        let taken = try channel.send(message[sent...])
        sent += taken
        unreadBytes -= taken
      } catch {
        return false
      }
      guard sent == message.count else { break }
      sent = 0
      count += 1
    }
    return true
  }
}
