// SPDX-License-Identifier: MIT

internal import CRoundelMosquitto
internal import Glibc
package import LinuxIO
internal import RoundelMotion
internal import SystemPackage

/// A connection to an MQTT broker, by libmosquitto on an event loop.
///
/// After its end, create a new connection. All handlers are called on the loop.
@safe package final class BrokerConnection {
  /// Seconds for the broker's first answer.
  private static let timeout = 20.0

  package struct Message: Hashable, Sendable {
    package var topic: String
    package var payload: [UInt8]
    /// Whether the broker must retain the message, or has retained a received one.
    package var isRetained: Bool
    package var quality = 0

    package init(topic: String, payload: [UInt8], isRetained: Bool) {
      self.topic = topic
      self.payload = payload
      self.isRetained = isRetained
    }
  }

  /// An error that prevented or ended the connection.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  package var onConnect: () -> Void = {}
  package var onMessage: (Message) -> Void = { _ in }
  /// Called after all published messages were passed to the system.
  package var onWritable: () -> Void = {}
  /// Called once, after the end of the connection.
  package var onEnd: (Failure) -> Void = { _ in }

  package private(set) var isConnected = false

  private let address: BrokerAddress
  private let loop: EventLoop
  private let maximumPayloadBytes: Int
  private var client: OpaquePointer?
  private var watch: EventLoop.Token?
  private var readiness: EventLoop.Readiness = []
  private var timer: EventLoop.Token?
  private let start = MonotonicClock.now
  private var lastSent = MonotonicClock.now
  /// The reason for a failure that will be reported.
  private var reason: String?
  private var isInside = false
  /// Whether the connection ends as soon as libmosquitto returns.
  private var isDropped = false
  private let will: Message
  private let keepAlive: Int
  private var unsubscribed: CInt = 0

  /// Cuts received messages to one byte more than `maximumPayloadBytes`.
  ///
  /// - Parameters:
  ///   - will: The message that the broker publishes if the connection is lost.
  ///   - keepAlive: Seconds. The broker publishes the will after 1.5 times this interval of
  ///     silence.
  package init(
    to address: BrokerAddress, as identity: String, will: Message, keepAlive: Int,
    maximumPayloadBytes: Int, on loop: EventLoop
  ) throws(Failure) {
    self.address = address
    self.loop = loop
    self.will = will
    self.keepAlive = keepAlive
    self.maximumPayloadBytes = maximumPayloadBytes
    // Counts its calls, and fails only without memory.
    mosquitto_lib_init()
    // This object destroys the client, which makes no calls after that.
    let pointer = unsafe Unmanaged.passUnretained(self).toOpaque()
    guard let client = unsafe mosquitto_new(identity, true, pointer) else {
      throw Failure(description: "cannot create a client: \(Errno(rawValue: errno))")
    }
    unsafe self.client = client
    try unsafe setUp(client, will)
    unsafe setHandlers(client)
    // Host names are resolved here. The loop does the rest.
    let result = unsafe mosquitto_connect_async(
      client, address.host, CInt(address.port), CInt(keepAlive))
    guard result == 0 || result == MOSQ_ERR_CONN_PENDING.rawValue else {
      throw Failure(description: words(for: result))
    }
    do throws(Errno) {
      try follow()
    } catch {
      throw Failure(description: "\(error)")
    }
  }

  deinit {
    // The watch must end before its descriptor is closed.
    watch = nil
    if let client = unsafe client { unsafe mosquitto_destroy(client) }
    mosquitto_lib_cleanup()
  }

  private func setUp(_ client: OpaquePointer, _ will: Message) throws(Failure) {
    func check(_ what: String, _ result: CInt) throws(Failure) {
      guard result != 0 else { return }
      throw Failure(description: "\(what): \(words(for: result))")
    }
    // libmosquitto copies all strings.
    try check(
      "last will",
      unsafe mosquitto_will_set(
        client, will.topic, CInt(clamping: will.payload.count), will.payload, 1, will.isRetained))
    if let user = address.user {
      try check("user", unsafe mosquitto_username_pw_set(client, user, address.password))
    }
    guard let encryption = address.encryption else { return }
    let authorities = encryption.authorities ?? "/etc/ssl/certs"
    var status = stat()
    // The call fills a local.
    let isFolder =
      unsafe stat(authorities, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    try check(
      "certificates",
      unsafe mosquitto_tls_set(
        client, isFolder ? nil : authorities, isFolder ? authorities : nil, encryption.certificate,
        encryption.key, nil))
    if encryption.isInsecure {
      try check("--insecure", unsafe mosquitto_tls_insecure_set(client, true))
      // A trusted authority would otherwise have to sign the certificate. 0 is SSL_VERIFY_NONE.
      try check("--insecure", unsafe mosquitto_tls_opts_set(client, 0, nil, nil))
    }
  }

  /// Sets handlers, which libmosquitto calls only within `advance`, while this object lives.
  private func setHandlers(_ client: OpaquePointer) {
    unsafe mosquitto_connect_callback_set(client) { _, object, code in
      unsafe BrokerConnection.of(object)?.recordAnswer(code)
    }
    unsafe mosquitto_message_callback_set(client) { _, object, message in
      guard let message = unsafe message?.pointee, let topic = unsafe message.topic else { return }
      guard let connection = unsafe BrokerConnection.of(object) else { return }
      // The payload lives until this returns. A size is never negative.
      let count = unsafe min(Int(message.payloadlen), connection.maximumPayloadBytes + 1)
      let payload = unsafe UnsafeRawBufferPointer(start: message.payload, count: max(count, 0))
      unsafe connection.onMessage(
        Message(
          topic: String(cString: topic), payload: Array(payload), isRetained: message.retain))
    }
    unsafe mosquitto_unsubscribe_callback_set(client) { _, object, number in
      unsafe BrokerConnection.of(object)?.unsubscribed = number
    }
    unsafe mosquitto_log_callback_set(client) { _, object, level, text in
      guard level == MOSQ_LOG_ERR, let text = unsafe text else { return }
      unsafe BrokerConnection.of(object)?.reason = unsafe String(cString: text)
    }
  }

  private static func of(_ object: UnsafeMutableRawPointer?) -> BrokerConnection? {
    // The pointer comes from `init`.
    unsafe object.map { unsafe Unmanaged<BrokerConnection>.fromOpaque($0).takeUnretainedValue() }
  }

  private func recordAnswer(_ code: CInt) {
    guard code == 0 else {
      reason = unsafe "refused: " + String(cString: mosquitto_connack_string(code))
      return
    }
    isConnected = true
    onConnect()
  }

  // MARK: Sending

  /// Whether some published messages haven't been passed to the system.
  package var isBusy: Bool {
    guard let client = unsafe client else { return false }
    return unsafe mosquitto_want_write(client)
  }

  package func publish(_ message: Message) {
    guard isConnected, let client = unsafe client else { return }
    // The call copies the message. The loop also detects failures.
    _ = unsafe mosquitto_publish(
      client, nil, message.topic, CInt(clamping: message.payload.count), message.payload,
      CInt(message.quality), message.isRetained)
    recordSent()
  }

  package func subscribe(to topic: String) {
    guard isConnected, let client = unsafe client else { return }
    _ = unsafe mosquitto_subscribe(client, nil, topic, 1)
    recordSent()
  }

  package func unsubscribe(from topic: String) {
    guard isConnected, let client = unsafe client else { return }
    _ = unsafe mosquitto_unsubscribe(client, nil, topic)
    recordSent()
  }

  /// Closes cleanly, within at most two seconds.
  package func close() {
    guard isConnected, let client = unsafe client else { return }
    isConnected = false
    watch = nil
    timer = nil
    let deadline = MonotonicClock.now + 2
    // Closing with unread input discards unread output. The answer to this request shows that the
    // broker has read everything.
    var number: CInt = 0
    guard unsafe mosquitto_unsubscribe(client, &number, will.topic) == 0 else { return }
    while unsubscribed != number, MonotonicClock.now < deadline {
      guard unsafe mosquitto_loop(client, 100, 1) == 0 else { return }
    }
    _ = unsafe mosquitto_disconnect(client)
    while unsafe mosquitto_want_write(client), MonotonicClock.now < deadline {
      guard unsafe mosquitto_loop(client, 100, 1) == 0 else { return }
    }
  }

  /// Sends no DISCONNECT, so that the broker publishes the will. Calls no more handlers.
  package func drop() {
    onConnect = {}
    onMessage = { _ in }
    onWritable = {}
    onEnd = { _ in }
    if isInside { isDropped = true } else { end("") }
  }

  // MARK: The loop

  private func recordSent() {
    lastSent = MonotonicClock.now
    guard !isInside else { return }
    do throws(Errno) { try follow() } catch { end("\(error)") }
  }

  /// Lets libmosquitto read, write and call its handlers.
  private func advance() {
    guard let client = unsafe client, !isInside else { return }
    isInside = true
    let result = unsafe mosquitto_loop(client, 0, 1)
    let failure = errno
    isInside = false
    guard !isDropped else { return end("") }
    guard result == 0, unsafe mosquitto_socket(client) >= 0 else {
      errno = failure
      return end(reason ?? words(for: result))
    }
    do throws(Errno) { try follow() } catch { return end("\(error)") }
    if isConnected, !isBusy { onWritable() }
  }

  private func follow() throws(Errno) {
    guard let client = unsafe client else { return }
    let socket = unsafe mosquitto_socket(client)
    guard socket >= 0 else { return }
    let wanted: EventLoop.Readiness =
      unsafe mosquitto_want_write(client) ? [.readable, .writable] : .readable
    if let watch {
      if wanted != readiness { try loop.change(watch, to: wanted) }
    } else {
      watch = try loop.watch(socket, for: wanted) { [unowned self] ready in
        if !isConnected, !ready.isDisjoint(with: [.failed, .hungUp]) { recordError(of: socket) }
        advance()
      }
    }
    readiness = wanted
    schedule()
  }

  /// Records the reason, which the system reports only once.
  private func recordError(of socket: CInt) {
    var (number, size) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
    // The call fills locals.
    guard unsafe getsockopt(socket, SOL_SOCKET, SO_ERROR, &number, &size) == 0, number != 0 else {
      return
    }
    reason = "\(Errno(rawValue: number))"
  }

  /// Wakes up for the next keep-alive message, which other messages postpone.
  private func schedule() {
    let due = isConnected ? lastSent + Double(keepAlive) + 1 : start + Self.timeout
    guard timer == nil else { return }
    timer = loop.schedule(at: due) { [unowned self] in
      timer = nil
      let now = MonotonicClock.now
      if !isConnected {
        guard now < start + Self.timeout else { return end("no answer") }
      } else if now >= lastSent + Double(keepAlive) + 1 {
        lastSent = now
        return advance()
      }
      schedule()
    }
  }

  private func end(_ reason: String) {
    watch = nil
    timer = nil
    isConnected = false
    guard let client = unsafe client else { return }
    unsafe self.client = nil
    unsafe mosquitto_destroy(client)
    let onEnd = onEnd
    self.onEnd = { _ in }
    onEnd(Failure(description: reason))
  }

  private func words(for result: CInt) -> String {
    if let reason { return reason }
    switch result {
    case MOSQ_ERR_ERRNO.rawValue: return "\(Errno(rawValue: errno))"
    case MOSQ_ERR_EAI.rawValue: return "cannot resolve \(address.host)"
    case MOSQ_ERR_CONN_LOST.rawValue: return "the broker closed the connection"
    default: return unsafe String(cString: mosquitto_strerror(result))
    }
  }
}
