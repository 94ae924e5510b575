// SPDX-License-Identifier: MIT

package import LinuxIO
internal import Motion
internal import Presentation

/// The service manager that looks after a kiosk, where there is one.
package final class Service {
  private let notification: ServiceNotification?
  private let loop: EventLoop
  private let watchdog: Double?
  private var isReady = false
  /// The descriptors that outlive this process; nil where no service manager looks after it.
  package let descriptors: DescriptorStore?

  /// The variables of descriptors that are inherited, which are not meant for the programs that the kiosk
  /// starts.
  package static let inheritance = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]

  /// The service manager that the variables of the process name.
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

  /// Whether there is one.
  package var isManaged: Bool { notification != nil }

  /// Reports, once, that the kiosk does all that it can.
  func reportReady() {
    guard !isReady else { return }
    isReady = true
    send(.ready)
    ping()
  }

  /// Reports what the display does, and why it does not show the kiosk's file, if so.
  func report(_ state: DisplayState, fault: String?) {
    switch state {
    case .showing: send(.status(fault.map { "showing a stand-in: \($0)" } ?? "showing"))
    case .asleep: send(.status("asleep"))
    case .waiting(let obstacle): send(.status("waiting: \(obstacle)"))
    }
  }

  func reportStopping() { send(.stopping) }

  /// From the loop that draws and reads fingers, so that a ping says that both still work.
  private func ping() {
    guard let watchdog else { return }
    send(.watchdog)
    loop.perform(at: loop.now + watchdog / 2) { [weak self] in self?.ping() }
  }

  private func send(_ message: ServiceNotification.Message) {
    // A service manager that does not listen is no reason to stop.
    _ = try? notification?.send(message)
  }
}
