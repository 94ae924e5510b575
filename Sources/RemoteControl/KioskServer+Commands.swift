// SPDX-License-Identifier: MIT

internal import Controls
internal import Geometry
internal import JSON
internal import Kiosk
internal import LinuxIO
internal import Motion
internal import Presentation
internal import Remote
internal import Runtime
internal import Session

/// What clients can have done without a finger.
extension KioskServer {
  var commandMethods: [Method] {
    [
      Method("set", "Sets a property.") { parameters in
        let property = parameters.required("property", .property, "Which one.")
        let value = parameters.required("value", .any, "Its new value.")
        return { [unowned self] arguments, _ in
          try set(arguments[property], arguments[value])
        }
      },
      Method("go", "Shows a page.") { parameters in
        let page = parameters.required("page", .text, "Its name.")
        return { [unowned self] arguments, _ in try go(to: arguments[page]) }
      },
      Method("spin", "Lets a slot machine spin.") { parameters in
        let control = parameters.required("control", .text, "Its id.")
        return { [unowned self] arguments, _ in try perform("spin", on: arguments[control]) }
      },
      Method("open", "Opens a menu.") { parameters in
        let control = parameters.required("control", .text, "Its id.")
        return { [unowned self] arguments, _ in try perform("open", on: arguments[control]) }
      },
      Method("close", "Closes a menu.") { parameters in
        let control = parameters.required("control", .text, "Its id.")
        return { [unowned self] arguments, _ in try perform("close", on: arguments[control]) }
      },
      Method("blank", "Puts the panel to sleep.") { _ in
        { [unowned self] _, _ in setBlank(true) }
      },
      Method("unblank", "Wakes the panel.") { _ in
        { [unowned self] _, _ in setBlank(false) }
      },
      Method("rotate", "Turns the picture on the panel, and the touches with it.") { parameters in
        let degrees = parameters.required("degrees", .rotation, "Clockwise.")
        return { [unowned self] arguments, _ in rotate(arguments[degrees]) }
      },
      Method("reload", "Reads the kiosk's file anew; one with mistakes changes nothing.") { _ in
        { [unowned self] _, _ in try reload() }
      },
      Method("stop", "Ends the kiosk.") { _ in
        { [unowned self] _, _ in try stop() }
      },
    ]
  }

  private func set(_ path: PropertyPath, _ json: JSONValue) throws(RemoteError) -> Method.Outcome {
    guard let value = Value(json) else { throw .invalid("\"value\" takes any value but null") }
    guard cycle.engine.entry(path.control) != nil else {
      throw .unknownControl(path.control, cycle.engine)
    }
    do throws(PropertyError) {
      try cycle.perform { (engine) throws(PropertyError) in
        try engine.set(path.property, of: path.control, to: value)
      }
    } catch {
      throw .invalid("\(path.control): \(error)")
    }
    return .done(.bool(true))
  }

  private func go(to page: String) throws(RemoteError) -> Method.Outcome {
    guard cycle.perform({ $0.go(to: page) }) else { throw .unknownPage(page, cycle.engine) }
    return .done(.bool(true))
  }

  private func perform(
    _ command: String, on control: String
  ) throws(RemoteError) -> Method.Outcome {
    guard let entry = cycle.engine.entry(control) else {
      throw .unknownControl(control, cycle.engine)
    }
    guard cycle.perform({ $0.perform(command, on: control) }) else {
      throw .invalid("\(control) is a \(entry.kind), which does not \(command)")
    }
    return .done(.bool(true))
  }

  private func setBlank(_ blank: Bool) -> Method.Outcome {
    cycle.perform { $0.setBlank(blank) }
    return .done(.bool(true))
  }

  private func rotate(_ rotation: Rotation) -> Method.Outcome {
    // A finger that is down would leap to where its place is now.
    if rotation != display.rotation { cycle.perform { $0.cancelTouches(at: $0.now) } }
    display.rotation = rotation
    return .done(.bool(true))
  }

  private func reload() throws(RemoteError) -> Method.Outcome {
    guard let onReload else { throw .failed("this kiosk was not read from a file") }
    try onReload()
    return .done(.bool(true))
  }

  private func stop() throws(RemoteError) -> Method.Outcome {
    guard let onStop else { throw .failed("this kiosk cannot be stopped from outside") }
    // Once the answer has been sent.
    _ = loop.schedule(at: clock() + 0.05) { onStop() }
    return .done(.bool(true))
  }
}

extension ParameterType where Value == Rotation {
  static let rotation = ParameterType("0, 90, 180 or 270") {
    $0.integer.flatMap { Rotation(rawValue: $0) }
  }
}
