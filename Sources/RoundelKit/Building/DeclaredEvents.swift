// SPDX-License-Identifier: MIT

internal import Kiosk
internal import KioskFile

/// The names that closures may refer to.
struct DeclaredEvents {
  /// The events by control, or nil if the control's type declares none.
  private let controls: [String: [String]?]

  init(of kiosk: Description, _ types: [ControlType]) {
    controls = kiosk.pages.flatMap(\.controls).reduce(into: [:]) { controls, control in
      // A control of a program may report any event.
      let events = ControlType.named(control.kind, or: types)?.eventNames
      controls[control.id] = .some(events?.isEmpty == true ? nil : events)
    }
  }

  /// Returns the error in an entry, or nil if its names exist.
  func problem(of entry: Handlers.Entry) -> String? {
    guard case .control(let id) = entry.owner else { return nil }
    guard let events = controls[id] else {
      let known = controls.keys.sorted().joined(separator: ", ")
      return "no control is named \"\(id)\" (expected one of \(known))"
    }
    guard let events, let event = entry.event, !events.contains(event) else { return nil }
    return "\(id) has no event \"\(event)\" (expected one of \(events.joined(separator: ", ")))"
  }
}
