// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import Kiosk
import RoundelMotion

/// The law that reloading an equal file has no observable effect, immediately or later, and that reloading a file
/// with one changed declaration has no other effect.
struct IdentityLaw {
  private var fingers: RandomFingers
  private var kiosks: RandomKiosk

  /// Takes the inputs after the reload from `fingers` and `kiosks`.
  init(_ fingers: RandomFingers, _ kiosks: RandomKiosk) {
    self.fingers = fingers
    self.kiosks = kiosks
  }

  /// Returns the first difference after a reload of `description`, or nil.
  ///
  /// - Parameter hasSamePicture: Whether the description also has the same appearance as the engine's.
  mutating func violation(
    of engine: Engine, _ description: Description, hasSamePicture: Bool = true
  ) -> String? {
    var (left, reloaded) = (engine, engine)
    _ = left.takeEvents()
    _ = reloaded.takeEvents()
    reloaded.replace(with: description, seed: 1)
    let events = reloaded.takeEvents()
    guard events.map(\.name) == ["reloaded"] else {
      return "a reload of the same file reports \(events.map { "\($0)" })"
    }
    if hasSamePicture, let difference = Self.pictureDifference(left, reloaded) {
      return "at once, \(difference)"
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
      var (events, others) = (left.takeEvents(), reloaded.takeEvents())
      // A different number of controls needs a different amount of work.
      if ContractLaw.isExcused(by: events + others) { return nil }
      if hasSamePicture, let difference = Self.pictureDifference(left, reloaded) {
        return "later, \(difference)"
      }
      if let difference = Self.difference(left, reloaded) { return "later, \(difference)" }
      if !hasSamePicture {
        // Messages contain the kiosk's controls.
        for index in events.indices where events[index].name == "failed" {
          events[index].fields = []
        }
        for index in others.indices where others[index].name == "failed" {
          others[index].fields = []
        }
      }
      guard events == others else {
        let place = zip(events, others).prefix { $0 == $1 }.count
        return "later, event number \(place) is "
          + "\(others.dropFirst(place).first.map { "\($0)" } ?? "none"), not "
          + "\(events.dropFirst(place).first.map { "\($0)" } ?? "none")"
      }
    }
    return nil
  }

  static func pictureDifference(_ left: Engine, _ reloaded: Engine) -> String? {
    let (list, other) = (left.displayList, reloaded.displayList)
    guard list != other else { return nil }
    let place = zip(list.items, other.items).prefix { $0 == $1 }.count
    return "the picture differs from shape \(place) of \(list.items.count) onwards: "
      + "\(list.items.dropFirst(place).first.map { "\($0)" } ?? "nothing") is now "
      + "\(other.items.dropFirst(place).first.map { "\($0)" } ?? "nothing")"
  }

  private static func difference(_ left: Engine, _ reloaded: Engine) -> String? {
    for entry in left.pages.flatMap(\.controls) {
      let next = entry.control.nextChange(after: left.now)
      let other = reloaded.placedControl(entry.id)
      guard other?.control.nextChange(after: left.now) == next else {
        return "the next change of the \(entry.kind) \(entry.id) differs"
      }
    }
    guard left.fingers == reloaded.fingers else { return "other fingers are down" }
    for finger in left.fingers {
      let (holder, other) = (left.control(heldBy: finger), reloaded.control(heldBy: finger))
      if holder != other {
        return "\(finger) holds \(other ?? "nothing"), not \(holder ?? "nothing")"
      }
    }
    guard left.focusedControl == reloaded.focusedControl else {
      return "the focus is on \(reloaded.focusedControl ?? "nothing"), not on "
        + "\(left.focusedControl ?? "nothing")"
    }
    if let difference = left.handoverState.difference(from: reloaded.handoverState) {
      return "another process would continue with another \(difference)"
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

extension HandoverState {
  /// Returns the first name with a different value in `other`, or nil.
  func difference(from other: HandoverState) -> String? {
    if page != other.page { return "page" }
    if language != other.language { return "language" }
    // A message that waited on a sleeping panel opens in the next process.
    func opened(_ state: HandoverState) -> [String] {
      state.overlays.map { overlay in
        guard case .record(let fields) = overlay else { return "" }
        return fields.filter { $0.name != "reported" }.map { $0.value.display }.joined(
          separator: " ")
      }
    }
    if opened(self) != opened(other) { return "page over others" }
    // Compare strings, because NaN doesn't equal itself.
    if let name = values.keys.first(where: { values[$0]?.display != other.values[$0]?.display }) {
      return name
    }
    return properties.keys.first {
      properties[$0]?.display != other.properties[$0]?.display
    }.map {
      "\($0): \(other.properties[$0]?.display ?? "none"), not \(properties[$0]?.display ?? "none")"
    }
  }
}
