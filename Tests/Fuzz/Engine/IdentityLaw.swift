// SPDX-License-Identifier: MIT

import Controls
import Drawing
import Expressions
import Kiosk
import Motion

/// The law that a reload of an equal file changes nothing that can be observed, at once or later.
///
/// Known differences: a reload ends what fingers hold and have thrown, closes menus, and takes the focus from a part
/// of a control to the control.
struct IdentityLaw {
  private var fingers: RandomFingers
  private var kiosks: RandomKiosk

  /// The inputs that follow the reload are those that `fingers` and `kiosks` make next.
  init(_ fingers: RandomFingers, _ kiosks: RandomKiosk) {
    self.fingers = fingers
    self.kiosks = kiosks
  }

  /// Whether the known differences do not count now.
  static func applies(to engine: Engine) -> Bool {
    engine.fingers.isEmpty && engine.focusedControl == nil
      && engine.pages.allSatisfy { page in
        page.controls.allSatisfy { entry in
          engine.value(of: "open", of: entry.id) != .flag(true)
            && (entry.control is Slots || !entry.control.isMoving(at: engine.now))
        }
      }
  }

  /// Returns the first difference, or nil.
  mutating func violation(of engine: Engine, _ description: Description) -> String? {
    var (left, reloaded) = (engine, engine)
    _ = left.takeEvents()
    _ = reloaded.takeEvents()
    reloaded.replace(with: description, seed: 1)
    let events = reloaded.takeEvents()
    guard events.map(\.name) == ["reloaded"] else {
      return "a reload of the same file reports \(events.map { "\($0)" })"
    }
    if let difference = Self.difference(left, reloaded) { return "at once, \(difference)" }
    for _ in 0..<6 {
      let target = left.now + fingers.pause
      let touch = fingers.touch(on: left)
      let command = kiosks.command()
      left.advance(to: target)
      reloaded.advance(to: target)
      if Int(target.microseconds) % 3 == 0 {
        _ = try? left.apply(command)
        _ = try? reloaded.apply(command)
      } else {
        left.handle(touch, at: target)
        reloaded.handle(touch, at: target)
      }
      if let difference = Self.difference(left, reloaded) { return "later, \(difference)" }
      let (events, others) = (left.takeEvents(), reloaded.takeEvents())
      guard events == others else {
        let place = zip(events, others).prefix { $0 == $1 }.count
        return "later, event number \(place) is "
          + "\(others.dropFirst(place).first.map { "\($0)" } ?? "none"), not "
          + "\(events.dropFirst(place).first.map { "\($0)" } ?? "none")"
      }
    }
    return nil
  }

  private static func difference(_ left: Engine, _ reloaded: Engine) -> String? {
    let (list, other) = (left.displayList, reloaded.displayList)
    guard list == other else {
      let place = zip(list.items, other.items).prefix { $0 == $1 }.count
      return "the picture differs from shape \(place) of \(list.items.count) onwards"
    }
    for (entry, other) in zip(left.pages.flatMap(\.controls), reloaded.pages.flatMap(\.controls)) {
      let next = entry.control.nextChange(after: left.now)
      guard other.control.nextChange(after: left.now) == next else {
        return "the next change of the \(entry.kind) \(entry.id) differs"
      }
    }
    guard left.nextChange == reloaded.nextChange else {
      return "the next change is at \(reloaded.nextChange.map { "\($0.seconds)" } ?? "never"), not "
        + "\(left.nextChange.map { "\($0.seconds)" } ?? "never")"
    }
    for entry in left.pages.flatMap(\.controls) {
      for property in entry.control.properties + ["enabled", "visible"] {
        let value = left.value(of: property, of: entry.id)?.display
        let other = reloaded.value(of: property, of: entry.id)?.display
        guard value == other else {
          return
            "\(entry.kind) \(entry.id).\(property) is \(other ?? "none"), not \(value ?? "none")"
        }
      }
    }
    for value in left.description.values {
      let name = Reference.value(value.name)
      guard left.value(of: name)?.display == reloaded.value(of: name)?.display else {
        return "the value \(value.name) differs"
      }
    }
    return nil
  }
}
