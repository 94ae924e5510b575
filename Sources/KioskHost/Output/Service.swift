// SPDX-License-Identifier: MIT

package import LinuxIO
internal import RoundelMotion
internal import RoundelPresentation

package final class Service {
  private let notification: ServiceNotification?
  private let loop: EventLoop
  private let watchdog: Double?
  private var isReady = false
  /// The descriptors that outlive this process, or nil without a service manager.
  package let descriptors: DescriptorStore?

  /// Variables that the kiosk's programs must not inherit.
  package static let inheritance = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]

  package init(environment variable: (String) -> String?, on loop: EventLoop) {
    self.loop = loop
    func connect() -> ServiceNotification? {
      guard let socket = variable("NOTIFY_SOCKET") else { return nil }
      return try? ServiceNotification(socket: socket)
    }
    notification = connect()
    if let own = connect() {
      descriptors = DescriptorStore(
        own, process: variable("LISTEN_PID"), count: variable("LISTEN_FDS"),
        names: variable("LISTEN_FDNAMES"))
    } else {
      descriptors = nil
    }
    watchdog = ServiceNotification.watchdogInterval(
      microseconds: variable("WATCHDOG_USEC"), process: variable("WATCHDOG_PID"))
  }

  package var isManaged: Bool { notification != nil }

  func reportReady() {
    guard !isReady else { return }
    isReady = true
    send(.ready)
    ping()
  }

  func report(_ state: DisplayState, fault: String?) {
    switch state {
    case .showing: send(.status(fault.map { "showing a fallback: \($0)" } ?? "showing"))
    case .asleep: send(.status("asleep"))
    case .waiting(let obstacle): send(.status("waiting: \(obstacle)"))
    }
  }

  func reportStopping() { send(.stopping) }

  /// Called from the loop, so that a ping means that drawing and touches work.
  private func ping() {
    guard let watchdog else { return }
    send(.watchdog)
    loop.perform(at: loop.now + watchdog / 2) { [weak self] in self?.ping() }
  }

  private func send(_ message: ServiceNotification.Message) {
    _ = try? notification?.send(message)
  }
}
