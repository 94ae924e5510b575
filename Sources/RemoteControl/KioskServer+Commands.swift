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
    // `unblank` is the older name of `wake`.
    let wake = CommandKind.named("wake").map { method(of: $0, called: "unblank") }
    return CommandKind.remote.map { method(of: $0) } + [wake].compactMap(\.self) + kioskMethods
  }

  /// What can be done to the kiosk as a whole, beyond what its file can.
  private var kioskMethods: [Method] {
    [
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

  /// The method that does commands of a kind.
  private func method(of kind: CommandKind, called name: String? = nil) -> Method {
    let result =
      kind.argument == .page
      ? "true; {blank: true} where the panel sleeps, and shows the page once it wakes" : "true"
    return Method(name ?? kind.name, kind.summary, result: result) { parameters in
      let commands = commands(of: kind, &parameters)
      return { [unowned self] arguments, reply in
        let commands = try commands(arguments)
        // Either all of them are done or none.
        for command in commands { try check(command) }
        for command in commands { try apply(command) }
        let isUnseen = kind.argument == .page && cycle.engine.isBlank
        return finish(reply, isUnseen ? .object([.init("blank", .bool(true))]) : .bool(true))
      }
    }
  }

  /// What a request for a kind of command stands for.
  private func commands(
    of kind: CommandKind, _ parameters: inout Parameters
  ) -> (Arguments) throws -> [Command] {
    switch kind.argument {
    case .setting:
      let property = parameters.required("property", .property, "Which one.")
      let value = parameters.required("value", .any, "Its new value.")
      return { [unowned self] in [try setting($0[property], $0[value])] }
    case .page:
      let page = parameters.required("page", .text, "Its name.")
      let wakes = parameters.optional(
        "wake", .flag, default: .bool(false), "Whether to wake the panel.")
      return { ($0[wakes] ? [.blank(false)] : []) + [.go(page: $0[page])] }
    case .control:
      let control = parameters.required("control", .text, "Its id.")
      return { [.perform(kind.name, control: $0[control])] }
    case .controlOrAll:
      let control = parameters.optional("control", .text, "Its id; all controls.")
      return { [.reset($0[control].flatMap { $0 == CommandKind.everything ? nil : $0 })] }
    case .event:
      let name = parameters.required("name", .text, "The event's name.")
      let fields = parameters.optional("fields", .any, "{FIELD: value}.")
      return { [unowned self] in [.emit($0[name], try self.fields($0[fields]))] }
    case .flag:
      let on = parameters.optional("on", .flag, default: .bool(true), "False wakes it.")
      return { [.blank($0[on])] }
    case .constant(let constant): return { _ in [constant] }
    // Clients start no programs.
    case .program: return { _ in [] }
    }
  }

  /// The fields of an event of a client's own.
  private func fields(_ json: JSONValue?) throws(RemoteError) -> [Field] {
    guard let json else { return [] }
    guard case .object(let members) = json,
      json.memoryBytes(upTo: limits.maximumValueBytes) != nil
    else {
      throw .invalid("\"fields\" takes {FIELD: value} of at most \(limits.maximumValueBytes) bytes")
    }
    if let member = members.first(where: { CommandKind.reservedFields.contains($0.name) }) {
      throw .invalid("a field cannot be called \"\(member.name)\"")
    }
    return members.compactMap { member in Value(member.value).map { Field(member.name, $0) } }
  }

  private func setting(_ name: Reference, _ json: JSONValue) throws(RemoteError) -> Command {
    guard json.memoryBytes(upTo: limits.maximumValueBytes) != nil else {
      throw RemoteError(
        exceeding: "maximumValueBytes", limits.maximumValueBytes, "\"value\" is too long",
        code: .invalidParameters)
    }
    guard let value = Value(json) else { throw .invalid("\"value\" takes any value but null") }
    guard let kind = cycle.engine.kind(of: name) else { throw .unknown(name, cycle.engine) }
    return .set(name, value.suited(to: kind))
  }

  /// Refuses a command whose names do not exist, with what there is instead.
  private func check(_ command: Command) throws(RemoteError) {
    let engine = cycle.engine
    switch command {
    case .go(let page):
      guard engine.pages.contains(where: { $0.name == page }) else {
        throw .unknownPage(page, engine)
      }
    case .perform(let name, let id):
      guard let entry = engine.placedControl(id) else { throw .unknownControl(id, engine) }
      guard entry.control.commands.contains(name) else {
        throw .invalid("\(id) is a \(entry.kind), which does not \(name)")
      }
    case .reset(let id?):
      guard engine.placedControl(id) != nil else { throw .unknownControl(id, engine) }
    case .set, .reset(nil), .emit, .blank, .run, .shake: break
    }
  }

  private func apply(_ command: Command) throws(RemoteError) {
    do throws(CommandError) {
      try cycle.apply(command)
    } catch {
      throw .invalid("\(error)")
    }
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
    loop.perform(at: clock() + 0.05) { onStop() }
  }
}

extension ParameterType where Value == Rotation {
  static let rotation = ParameterType("0, 90, 180 or 270") {
    $0.integer.flatMap { Rotation(rawValue: $0) }
  }
}
