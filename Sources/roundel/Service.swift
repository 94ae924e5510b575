// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import Logging
import Motion
import Presentation
import SystemPackage

/// What the service manager is told, where there is one.
final class Service {
  private let notification: ServiceNotification?
  private let loop: EventLoop
  private let log: Logger
  private let watchdog: Double?
  private var isReady = false
  /// What outlives this process; nil where no service manager looks after it.
  let descriptors: DescriptorStore?

  init(_ loop: EventLoop, _ log: Logger) {
    self.loop = loop
    self.log = log
    func variable(_ name: String) -> String? {
      unsafe getenv(name).map { unsafe String(cString: $0) }
    }
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
    // They are not meant for the programs that the kiosk starts.
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsafe unsetenv(name) }
    watchdog = ServiceNotification.watchdogInterval(
      microseconds: variable("WATCHDOG_USEC"), process: variable("WATCHDOG_PID"))
  }

  func reportReady() {
    guard !isReady else { return }
    isReady = true
    send(.ready)
    ping()
  }

  /// Whether a service manager looks after the kiosk.
  var isManaged: Bool { notification != nil }

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
    loop.perform(at: MonotonicClock.now + watchdog / 2) { [weak self] in self?.ping() }
  }

  private func send(_ message: ServiceNotification.Message) {
    // A service manager that does not listen is no reason to stop.
    _ = try? notification?.send(message)
  }
}
