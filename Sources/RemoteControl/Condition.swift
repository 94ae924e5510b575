// SPDX-License-Identifier: MIT

internal import Controls
internal import JSON
internal import Kiosk
internal import LinuxIO
internal import Motion
internal import Remote
internal import Runtime
internal import Session

/// Something that a client waits for.
enum Condition {
  /// A property is as the pattern says.
  case property(PropertyPath, ValuePattern)
  /// The page of this name is shown.
  case page(String)
  /// An input device of this name is used.
  case input(String)
  /// Nothing moves, and the display has been given all that is to be seen.
  case still
}

/// A client that waits.
struct Wait {
  let condition: Condition
  let reply: Reply
  let timeout: EventLoop.Token
}

extension KioskServer {
  func holds(_ condition: Condition) -> Bool {
    switch condition {
    case .property(let path, let wanted): wanted.matches(cycle.engine.value(of: path))
    case .page(let name): cycle.engine.pages[cycle.engine.shownPage].name == name
    case .input(let name): inputs().contains(name)
    case .still: cycle.isStill
    }
  }

  /// What it is instead, or as well.
  private func state(of condition: Condition) -> JSONValue {
    switch condition {
    case .property(let path, _): cycle.engine.value(of: path).map { JSONValue($0) } ?? .null
    case .page: .string(cycle.engine.pages[cycle.engine.shownPage].name)
    case .input: .array(inputs().map { .string($0) })
    case .still: .bool(cycle.isStill)
    }
  }

  func wait(
    for condition: Condition, timeout: Double, _ reply: Reply
  ) throws(RemoteError) -> Method.Outcome {
    if holds(condition) { return .done(result(of: condition, holds: true)) }
    guard waits.count < Self.greatestWaits else {
      throw RemoteError(.busy, "\(Self.greatestWaits) requests wait already; try again later")
    }
    lastWait += 1
    let id = lastWait
    let token = loop.schedule(at: clock() + timeout) { [unowned self] in
      guard let wait = waits[id] else { return }
      end(id, wait, holds: self.holds(wait.condition))
    }
    waits[id] = Wait(condition: condition, reply: reply, timeout: token)
    return .later
  }

  func end(_ id: UInt64, _ wait: Wait, holds: Bool) {
    waits[id] = nil
    loop.cancel(wait.timeout)
    wait.reply.give(result(of: wait.condition, holds: holds))
  }

  private func result(of condition: Condition, holds: Bool) -> JSONValue {
    .object([
      .init("holds", .bool(holds)), .init("value", state(of: condition)),
      .init("t", .number(cycle.engine.now.seconds)),
    ])
  }
}
