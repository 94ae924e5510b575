// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion

/// The law of `reset: all`: the kiosk has the same picture and properties as after a start at that time, and the
/// same input has the same effect on both.
///
/// The manual lists the exceptions. Persistent values, external values and the panel's brightness
/// stay, and a sleeping panel keeps sleeping. Delayed actions of the kiosk keep their due times. A
/// reset runs actions of events such as `hidden`, and a start runs actions of events such as
/// `started`, so the law omits kiosks with such actions or with reactions.
enum ResetLaw {
  /// The events of a reset or a start.
  private static let events: Set<String> = [
    "started", "home", "woken", "shown", "hidden", "opened", "closed", "cancelled", "settled",
    "changed",
    "warned", "failed", "dismissed",
  ]

  /// Returns the difference between the kiosk after a reset and the kiosk after a start, or nil if they are equal.
  static func violation(of engine: Engine, seed: UInt64) -> String? {
    guard applies(to: engine.description), !engine.hasDelayedActions else { return nil }
    var reset = engine
    reset.setBlank(false)
    reset.cancelTouches(at: reset.now)
    guard (try? reset.apply(.reset(nil))) != nil else { return "reset: all is refused" }
    let fresh = Engine(
      engine.description, seed: UInt64(bitPattern: engine.now.microseconds), at: engine.now,
      clock: engine.clock, persistentValues: reset.persistentValues)
    var both = Both(reset: reset, fresh: fresh)
    // External values have the same age in both.
    for value in engine.description.values where value.staleAfter != nil || value.source != nil {
      guard let present = reset.value(of: .value(value.name)) else { continue }
      try? both.reset.set(.value(value.name), to: present)
      try? both.fresh.set(.value(value.name), to: present)
    }
    // A reset isn't user input: the time until sleep counts from the last touch.
    both.handle(Touch(finger: 9, phase: .cancel, position: .zero), after: 0)
    both.forgetEvents()
    // A transition shows the former page until it ends.
    both.advance(by: 3.5)
    if let difference = both.difference { return "after reset: all \(difference)" }
    var fingers = RandomFingers(seed: seed)
    for _ in 0..<12 {
      let touch = fingers.touch(on: both.fresh)
      both.handle(touch, after: fingers.pause)
      if let difference = both.difference {
        return "after reset: all, \(touch.phase) at \(touch.position) and then \(difference)"
      }
    }
    return nil
  }

  private static func applies(to description: Description) -> Bool {
    let controls = description.pages.flatMap(\.controls)
    let actions =
      [description.actions] + description.pages.map(\.actions) + controls.map(\.actions)
      + controls.flatMap { Array($0.itemActions.values) }
    return description.reactions.isEmpty && description.pages.allSatisfy { $0.reactions.isEmpty }
      && actions.allSatisfy { events.isDisjoint(with: $0.keys) }
  }
}

/// The kiosk after a reset, and after a start.
private struct Both {
  var reset: Engine
  var fresh: Engine

  mutating func forgetEvents() {
    _ = reset.takeEvents()
    _ = fresh.takeEvents()
  }

  mutating func advance(by seconds: Double) {
    let time = fresh.now + seconds
    reset.advance(to: time)
    fresh.advance(to: time)
  }

  mutating func handle(_ touch: Touch, after pause: Double) {
    let time = fresh.now + pause
    reset.handle(touch, at: time)
    fresh.handle(touch, at: time)
  }

  /// The first difference in state, picture and events since the last call, or nil if the kiosks are equal.
  var difference: String? {
    mutating get {
      let (events, expected) = (reportedEvents(\.reset), reportedEvents(\.fresh))
      if events != expected {
        let same = zip(events, expected).prefix { $0 == $1 }.count
        return "there is \(events.dropFirst(same).first.map { "\($0)" } ?? "nothing"), not "
          + "\(expected.dropFirst(same).first.map { "\($0)" } ?? "nothing")"
      }
      if reset.isBlank != fresh.isBlank { return "the panel sleeps in one of them" }
      if reset.shownPage != fresh.shownPage { return "page \(reset.shownPage) is shown" }
      if reset.language != fresh.language { return "the language is \(reset.language)" }
      if reset.theme != fresh.theme { return "the theme is another" }
      for value in fresh.description.values {
        let name = Reference.value(value.name)
        let (present, expected) = (reset.value(of: name)?.display, fresh.value(of: name)?.display)
        if present != expected {
          return "\(value.name) is \(present ?? "-"), not \(expected ?? "-")"
        }
      }
      return differenceOfControls
        ?? (reset.displayList == fresh.displayList ? nil : "the picture is another\(parts)")
    }
  }

  /// Returns new events except failures: an undefined binding fails only once, and a reset doesn't
  /// repeat the failure.
  private mutating func reportedEvents(_ one: WritableKeyPath<Both, Engine>) -> [Event] {
    self[keyPath: one].takeEvents().filter { $0.name != "failed" }
  }

  /// The differing stored properties, as a hint.
  private var parts: String {
    zip(reset.pages.flatMap(\.controls), fresh.pages.flatMap(\.controls)).flatMap { one, other in
      zip(Mirror(reflecting: one.control).children, Mirror(reflecting: other.control).children)
        .filter { "\($0.value)" != "\($1.value)" }
        .map { ", \(one.kind) \(one.id) has another \($0.0.label ?? "part")" }
    }.joined()
  }

  private var differenceOfControls: String? {
    for (place, other) in zip(reset.pages.flatMap(\.controls), fresh.pages.flatMap(\.controls)) {
      for name in place.propertyKinds.names(upTo: .max) {
        // Compare strings, because NaN doesn't equal itself.
        let present = reset.value(of: name, of: place.id)?.display
        let expected = fresh.value(of: name, of: other.id)?.display
        if present != expected {
          return "\(place.kind) \(place.id).\(name) is \(present ?? "-"), not \(expected ?? "-")"
        }
      }
      if place.control.items(at: reset.now) != other.control.items(at: fresh.now)
        || place.control.extent != other.control.extent
      {
        return "the \(place.kind) \(place.id) is at another place"
      }
    }
    return nil
  }
}
