// SPDX-License-Identifier: MIT

import Exchange
import HomeBridge
import LinuxIO
import RoundelDeclarations
import RoundelJSON
import RoundelMotion
import SystemPackage

/// Checks names in Home Assistant, and prints `{"connected": …, "problems": […]}`.
final class ExaminationRun {
  private let loop: EventLoop
  private let home: HomeConnections
  private var examination: HomeExamination

  init(_ names: HomeNames, at place: String, _ home: HomeConnections, on loop: EventLoop) {
    self.loop = loop
    self.home = home
    examination = HomeExamination(names, at: place, now: loop.now)
    home.onInput = { [unowned self] input, connection in
      examination.receive(input, from: connection, at: loop.now)
      performActions()
    }
  }

  func run() throws(Errno) {
    examination.advance(to: loop.now)
    performActions()
    while examination.problems == nil {
      try loop.turn(until: examination.deadline)
      examination.advance(to: loop.now)
      performActions()
    }
    let problems = (examination.problems ?? []).map { JSONValue.string($0) }
    let answer: JSONValue = [
      "connected": .bool(examination.isConnected), "problems": .array(problems),
    ]
    _ = try? FileDescriptor.standardOutput.writeAll((answer.text + "\n").utf8)
  }

  private func performActions() {
    while let action = examination.nextAction() {
      if case .kiosk(.log(let line)) = action { log.write(line) } else { home.perform(action) }
    }
  }
}
