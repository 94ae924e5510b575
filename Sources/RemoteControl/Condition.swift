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
    for condition: Condition, bytes: Int, timeout: Double, _ reply: Reply
  ) throws(RemoteError) -> Method.Outcome {
    if holds(condition) { return .done(result(of: condition, holds: true)) }
    try waits.add(condition, bytes: bytes, until: clock() + timeout, reply)
    return .later
  }

  func result(of condition: Condition, holds: Bool) -> JSONValue {
    .object([
      .init("holds", .bool(holds)), .init("value", state(of: condition)),
      .init("t", .number(cycle.engine.now.seconds)),
    ])
  }
}
