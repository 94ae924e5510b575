// SPDX-License-Identifier: MIT

import Exchange
import HomeBridge
import LinuxIO
import RoundelMotion

/// Performs a bridge's actions, and passes it input and deadlines.
final class HomeRun {
  /// Seconds between the last message and the release of unused memory.
  private static let restSeconds = 3.0

  private let loop: EventLoop
  private var bridge: HomeBridge
  private let kiosk: KioskConnections
  private let home: HomeConnections
  private var timer: (time: Timestamp, token: EventLoop.Token)?
  private var rest: EventLoop.Token?

  init(at place: String, _ home: HomeConnections, kiosk socket: String, on loop: EventLoop) {
    self.loop = loop
    self.home = home
    bridge = HomeBridge(place, at: loop.now)
    kiosk = KioskConnections(to: socket, on: loop)
    kiosk.onLog = { log.write($0) }
    kiosk.onInput = { [unowned self] input, connection in
      bridge.receive(input, from: connection, at: loop.now)
      performActions()
    }
    home.onInput = { [unowned self] input, connection in
      bridge.receive(input, from: connection, at: loop.now)
      performActions()
      giveBackMemorySoon()
    }
  }

  func start() {
    bridge.advance(to: loop.now)
    performActions()
  }

  func stop() {
    bridge.stop(at: loop.now)
    performActions()
  }

  private func performActions() {
    while let action = bridge.nextAction(at: loop.now) {
      if case .kiosk(let action) = action { kiosk.perform(action) } else { home.perform(action) }
    }
    let deadline = bridge.deadline
    guard deadline != timer?.time else { return }
    timer = deadline.map { time in
      let token = loop.schedule(at: time) { [unowned self] in
        timer = nil
        bridge.advance(to: loop.now)
        performActions()
      }
      return (time, token)
    }
  }

  private func giveBackMemorySoon() {
    guard rest == nil else { return }
    rest = loop.schedule(at: loop.now + Self.restSeconds) { [unowned self] in
      rest = nil
      FreedMemory.giveBack()
      FreedMemory.giveBackCode()
    }
  }
}
