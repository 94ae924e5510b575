// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions
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
        return { [unowned self] arguments, reply in
          try set(arguments[property], arguments[value])
          return finish(reply)
        }
      },
      Method("go", "Shows a page.") { parameters in
        let page = parameters.required("page", .text, "Its name.")
        return { [unowned self] arguments, reply in
          try go(to: arguments[page])
          return finish(reply)
        }
      },
      order("spin", "Lets a slot machine spin."),
      order("open", "Opens a menu."),
      order("close", "Closes a menu."),
      Method("blank", "Puts the panel to sleep.") { _ in
        { [unowned self] _, reply in
          setBlank(true)
          return finish(reply)
        }
      },
      Method("unblank", "Wakes the panel.") { _ in
        { [unowned self] _, reply in
          setBlank(false)
          return finish(reply)
        }
      },
      Method("rotate", "Turns the picture on the panel, and the touches with it.") { parameters in
        let degrees = parameters.required("degrees", .rotation, "Clockwise.")
        return { [unowned self] arguments, reply in
          rotate(arguments[degrees])
          return finish(reply)
        }
      },
      Method("reload", "Reads the kiosk's file anew; one with mistakes changes nothing.") { _ in
        { [unowned self] _, reply in
          try reload(reply)
          return .later
        }
      },
      Method(
        "restart", "Makes the kiosk as it is after its start: what was chosen and set is forgotten."
      ) { parameters in
        let seed = parameters.optional(
          "seed", .number(0...0x1p53), "What chance begins with; what it began with.")
        return { [unowned self] arguments, reply in
          cycle.restart(seed: arguments[seed].map { UInt64($0) })
          return finish(reply)
        }
      },
      Method("stop", "Ends the kiosk.") { _ in
        { [unowned self] _, reply in
          try stop()
          return finish(reply)
        }
      },
    ]
  }

  /// A method that has a control do what the method is called.
  private func order(_ command: String, _ summary: String) -> Method {
    Method(command, summary) { parameters in
      let control = parameters.required("control", .text, "Its id.")
      return { [unowned self] arguments, reply in
        try perform(command, on: arguments[control])
        return finish(reply)
      }
    }
  }

  private func set(_ path: PropertyPath, _ json: JSONValue) throws(RemoteError) {
    guard json.memoryBytes(upTo: limits.maximumValueBytes) != nil else {
      throw RemoteError(
        exceeding: "maximumValueBytes", limits.maximumValueBytes, "\"value\" is too long",
        code: .invalidParameters)
    }
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
  }

  private func go(to page: String) throws(RemoteError) {
    guard cycle.perform({ $0.go(to: page) }) else { throw .unknownPage(page, cycle.engine) }
  }

  private func perform(
    _ command: String, on control: String
  ) throws(RemoteError) {
    guard let entry = cycle.engine.entry(control) else {
      throw .unknownControl(control, cycle.engine)
    }
    guard cycle.perform({ $0.perform(command, on: control) }) else {
      throw .invalid("\(control) is a \(entry.kind), which does not \(command)")
    }
  }

  private func setBlank(_ blank: Bool) {
    cycle.perform { $0.setBlank(blank) }
  }

  private func rotate(_ rotation: Rotation) {
    // A finger that is down would leap to where its place is now.
    if rotation != display.rotation { cycle.perform { $0.cancelTouches(at: $0.now) } }
    display.rotation = rotation
  }

  private func reload(_ reply: Reply) throws(RemoteError) {
    guard let onReload else { throw .failed("this kiosk was not read from a file") }
    onReload { [unowned self] problem in
      if let problem { reply.refuse(problem) } else { _ = finish(reply) }
    }
  }

  private func stop() throws(RemoteError) {
    guard let onStop else { throw .failed("this kiosk cannot be stopped from outside") }
    // Once the answer has been sent.
    _ = loop.schedule(at: clock() + 0.05) { onStop() }
  }
}

extension ParameterType where Value == Rotation {
  static let rotation = ParameterType("0, 90, 180 or 270") {
    $0.integer.flatMap { Rotation(rawValue: $0) }
  }
}
