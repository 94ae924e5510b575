// SPDX-License-Identifier: MIT

internal import CRoundelWayland
internal import Glibc
internal import LinuxIO
internal import RoundelMotion
internal import RoundelPresentation
internal import SystemPackage

/// A connection to a compositor.
///
/// Events are passed to their proxies after the library has returned. Nothing blocks, except
/// `wait`, which is used at startup.
// Safe: the library owns the display until `deinit`, and it is used on one thread.
@safe final class WaylandConnection {
  /// Dispatched events that are not passed on yet.
  var received: [(proxy: WaylandProxy, event: WaylandEvent)] = []
  private(set) var failure: DisplayError?
  var onFailure: (DisplayError) -> Void = { _ in }

  /// The compositor's socket, human-readable.
  let place: String

  private let display: OpaquePointer
  private var watch: EventLoop.Token?
  private weak var loop: EventLoop?
  private var isBlocked = false

  /// Global to the process.
  private static var lastMessage: String {
    // Thread-local memory, terminated by a zero.
    let text = unsafe String(cString: roundel_last_message())
    return String(text.prefix { $0 != "\n" })
  }

  init() throws(DisplayError) {
    roundel_note_messages()
    place = Self.socketPath
    guard let display = unsafe wl_display_connect(nil) else {
      let error = Errno.current
      let isRefused = error == .permissionDenied || error == .notPermitted
      throw DisplayError(
        isRefused ? .permission : .unavailable,
        "no Wayland compositor at \(place): \(error); "
          + (isRefused
            ? "run as the compositor's user"
            : "start a compositor, or set WAYLAND_DISPLAY to its socket"))
    }
    unsafe self.display = display
  }

  deinit {
    watch = nil
    unsafe wl_display_disconnect(display)
  }

  private static func variable(_ name: String) -> String? {
    // The value is copied before it can change.
    unsafe getenv(name).map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  static var isNamed: Bool {
    variable("WAYLAND_DISPLAY") != nil || variable("WAYLAND_SOCKET") != nil
  }

  private static var socketPath: String {
    if variable("WAYLAND_SOCKET") != nil { return "the inherited socket" }
    let name = variable("WAYLAND_DISPLAY") ?? "wayland-0"
    if name.hasPrefix("/") { return name }
    return (variable("XDG_RUNTIME_DIR") ?? "$XDG_RUNTIME_DIR, which is not set") + "/" + name
  }

  func attach(to loop: EventLoop) throws(DisplayError) {
    self.loop = loop
    do throws(Errno) {
      watch = try loop.watch(unsafe wl_display_get_fd(display)) { [unowned self] readiness in
        if readiness != .writable { receive() }
        flush()
      }
    } catch {
      throw DisplayError(.failed, "cannot wait for events of the compositor: \(error)")
    }
    flush()
  }

  func makeRegistry() -> WaylandProxy { make("get_registry", .registry) }

  /// Creates a callback that reports `done` after all previous requests were handled.
  func makeCallback() -> WaylandProxy { make("sync", .callback) }

  private func make(_ request: String, _ interface: WaylandInterface) -> WaylandProxy {
    var argument = unsafe wl_argument()
    unsafe argument.o = nil
    // The display is a proxy itself, and both requests have one argument, the new object.
    let made = unsafe wl_proxy_marshal_array_flags(
      display, WaylandInterface.display.opcode(of: request), interface.table, 1, 0, &argument)
    return unsafe WaylandProxy(made, interface, version: 1, of: self)
  }

  private func receive() {
    guard failure == nil else { return }
    while unsafe wl_display_prepare_read(display) != 0 {
      guard unsafe wl_display_dispatch_pending(display) >= 0 else { return fail() }
    }
    // Reads without blocking. Complete events can be dispatched even if the read ends the
    // connection.
    let isRead = unsafe wl_display_read_events(display) == 0 || errno == EAGAIN
    let isDispatched = unsafe wl_display_dispatch_pending(display) >= 0
    handOver()
    if !isRead || !isDispatched { fail() }
  }

  private func handOver() {
    while !received.isEmpty {
      let batch = received
      received = []
      // An earlier event of the batch may have destroyed the object of a later one.
      for (proxy, event) in batch where proxy.isAlive { proxy.onEvent(event) }
    }
  }

  /// Sends pending requests. If the socket is full, the rest is sent when it becomes writable.
  func flush() {
    guard failure == nil else { return }
    let isBlocked = unsafe wl_display_flush(display) < 0
    // The compositor may have sent an error before it exited.
    if isBlocked, errno != EAGAIN, errno != EPIPE { return fail() }
    guard isBlocked != self.isBlocked, let watch, let loop else { return }
    self.isBlocked = isBlocked && errno == EAGAIN
    try? loop.change(watch, to: self.isBlocked ? [.readable, .writable] : .readable)
  }

  /// Blocks until `condition` holds. Returns false after `seconds`.
  func wait(seconds: Double, until condition: () -> Bool) throws(DisplayError) -> Bool {
    let deadline = MonotonicClock.now + seconds
    while !condition() {
      flush()
      let left = deadline - MonotonicClock.now
      guard failure == nil, left > 0 else { break }
      var descriptor = pollfd(
        fd: unsafe wl_display_get_fd(display), events: Int16(POLLIN), revents: 0)
      // One descriptor, which is a local.
      if unsafe poll(&descriptor, 1, CInt(left * 1000) + 1) > 0 { receive() }
    }
    if let failure { throw failure }
    return condition()
  }

  private func fail() {
    guard failure == nil else { return }
    watch = nil
    let code = unsafe wl_display_get_error(display)
    let message = Self.lastMessage
    let why: String
    if code == EPROTO {
      var interface: UnsafePointer<wl_interface>?
      var object: UInt32 = 0
      // Writes into the two locals.
      let number = unsafe wl_display_get_protocol_error(display, &interface, &object)
      let name = unsafe interface.map { unsafe String(cString: $0.pointee.name) } ?? "wl_display"
      why = "reports a protocol error of \(name), object \(object), code \(number): \(message)"
    } else {
      why = "has exited: \(Errno(rawValue: code == 0 ? EPIPE : code))"
    }
    let failure = DisplayError(.unavailable, "the Wayland compositor at \(place) \(why)")
    self.failure = failure
    onFailure(failure)
  }
}
