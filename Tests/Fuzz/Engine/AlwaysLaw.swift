// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelGeometry
import Kiosk
import RoundelMotion

/// The law of controls that are always available: if one is enabled, visible and on the current page, a touch on it is
/// pressed in the same turn.
enum AlwaysLaw {
  /// A finger that random input doesn't use.
  private static let finger = 9

  /// Returns the first touch without effect, or nil. Adds the number of touches to `count`.
  static func violation(of engine: Engine, _ count: inout Int) -> String? {
    let pages = [engine.overlay, engine.shownPage].compactMap(\.self)
    let controls = pages.flatMap { engine.pages[$0].controls }.filter {
      $0.isAlwaysAvailable && $0.isVisible
    }
    for entry in controls where entry.isEnabled {
      // Another finger may hold the part.
      guard !engine.fingers.contains(where: { engine.control(heldBy: $0) == entry.id }) else {
        continue
      }
      for point in points(of: entry, in: engine) {
        let isCovered = controls.contains { other in
          other.id != entry.id
            && (other.control.distance(to: point, at: engine.now) != nil
              || other.control.pressArea(in: engine.theme)?.frame.contains(point) == true)
        }
        guard !isCovered else { continue }
        count += 1
        var trial = engine
        _ = trial.takeEvents()
        trial.handle(Touch(finger: finger, phase: .down, position: point), at: trial.now)
        let reportsEachPress =
          entry.control is Button || entry.control is Pinwheel || entry.control is Toggle
        // The actions of another start, such as `opened` of a menu, may leave the page.
        let isPressed = trial.takeEvents().contains {
          $0.control == entry.id && ($0.name == "pressed" || !reportsEachPress)
        }
        let isHeld = trial.control(heldBy: finger) == entry.id
        guard isPressed || isHeld && !reportsEachPress else {
          return "a touch at \(point) doesn't press the \(entry.kind) \(entry.id)"
        }
      }
    }
    return nil
  }

  /// Points where the control responds to a touch.
  private static func points(of entry: PlacedControl, in engine: Engine) -> [Point] {
    let (control, now) = (entry.control, engine.now)
    let items = control.items(at: now).filter(\.isEnabled).compactMap(\.place).prefix(8)
    return ([control.place(of: nil, at: now)].compactMap(\.self) + items).filter {
      $0.x.isFinite && $0.y.isFinite && control.distance(to: $0, at: now) == 0
        && control.answers($0, at: now)
    }
  }
}
