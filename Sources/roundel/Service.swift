// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import Logging
import Motion
import Presentation

/// What the service manager is told, where there is one.
final class Service {
  private let notification: ServiceNotification?
  private let loop: EventLoop
  private let log: Logger
  private let watchdog: Double?
  private var isReady = false

  init(_ loop: EventLoop, _ log: Logger) {
    self.loop = loop
    self.log = log
    func variable(_ name: String) -> String? {
      unsafe getenv(name).map { unsafe String(cString: $0) }
    }
    notification = variable("NOTIFY_SOCKET").flatMap { try? ServiceNotification(socket: $0) }
    watchdog = ServiceNotification.watchdogInterval(
      microseconds: variable("WATCHDOG_USEC"), process: variable("WATCHDOG_PID"))
  }

  /// Whether a service manager looks after this process.
  var isManaged: Bool { notification != nil }

  func reportReady() {
    guard !isReady else { return }
    isReady = true
    send(.ready)
    ping()
  }

  func report(_ state: DisplayState) {
    switch state {
    case .showing: send(.status("showing"))
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
