// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelJSON
internal import Kiosk
internal import KioskProtocol
internal import LinuxIO
internal import RoundelMotion
internal import RoundelPresentation
internal import JSONRPC
internal import RoundelRuntime
internal import RoundelSession

final class Commands: KioskComponent {
  private let context: ServerContext
  private var keys: [ClientID: ClientKeys] = [:]

  init(_ context: ServerContext) {
    self.context = context
  }

  var methods: [ServedMethod] { CommandKind.methods.map(served) + kioskMethods }

  func forget(_ client: ClientID) {
    var held = keys.removeValue(forKey: client)
    held?.cancel(on: context.cycle)
  }

  // MARK: Commands of the kiosk's language

  private func served(
    _ kind: CommandKind, _ method: Method<CommandRequest, CommandAnswer>
  ) -> ServedMethod {
    ServedMethod(method) { [unowned self] request, reply in
      let refusals = try apply(request, kind, for: reply.client)
      let isUnseen = kind.mayWake && context.cycle.engine.isBlank
      return context.answers.add(CommandAnswer(isUnseen: isUnseen, refusals: refusals), to: reply)
    }
  }

  /// Applies all or nothing. Returns reasons for refused values of bound properties.
  private func apply(
    _ request: CommandRequest, _ kind: CommandKind, for client: ClientID
  ) throws(RemoteError) -> [String] {
    try check(request)
    guard let commands = kind.commands(of: request) else {
      throw .invalid("\"value\" must not be null")
    }
    var checked: [Command] = []
    for command in commands { checked.append(try check(command)) }
    var refusals: [String] = []
    for command in checked {
      do throws(CommandError) {
        try context.cycle.apply(command)
        if command.keyPress != nil { keys[client, default: ClientKeys()].record(command) }
        refusals += context.cycle.engine.refusals
      } catch {
        throw .invalid("\(error)")
      }
    }
    return refusals
  }

  /// Throws if the request is too long.
  private func check(_ request: CommandRequest) throws(RemoteError) {
    let maximum = context.limits.maximumValueBytes
    if let fields = request.values["fields"] {
      guard case .object = fields, fields.memoryBytes(upTo: maximum) != nil else {
        throw .invalid("\"fields\" must be {FIELD: value} of at most \(maximum) bytes")
      }
    }
    if let value = request.values["value"], !value.isArray, value.memoryBytes(upTo: maximum) == nil
    {
      throw RemoteError(
        exceeding: "maximumValueBytes", maximum, "\"value\" is too long",
        code: .invalidParameters)
    }
  }

  /// Doesn't convert long strings, as the loop's thread parses JSON. A long list is an error.
  private func suited(_ value: Value, to kind: Value.Kind) throws(RemoteError) -> Value {
    let maximum = context.limits.maximumPromptBytes
    guard case .text(let text) = value, kind != .text, text.utf8.count > maximum else {
      return value.suited(to: kind)
    }
    guard kind != .list, kind != .record else {
      throw RemoteError(
        exceeding: "maximumPromptBytes", maximum,
        "\(kind) in a string may have at most \(maximum) bytes; send it as JSON",
        code: .invalidParameters
      )
    }
    return value
  }

  /// Converts the values. Suggests names for unknown ones.
  private func check(_ command: Command) throws(RemoteError) -> Command {
    let setting: (name: Reference, value: Value, kind: Value.Kind)? =
      try context.cycle.engine.found {
        (engine) throws(UnknownName) -> (name: Reference, value: Value, kind: Value.Kind)? in
        try engine.find(namesOf: command)
        guard let (name, value) = command.setting else { return nil }
        return (name, value, try engine.kind(named: name))
      }
    guard let (name, value, kind) = setting else { return command }
    return .set(name, try suited(value, to: kind))
  }

  // MARK: Requests to the kiosk

  private var kioskMethods: [ServedMethod] {
    [
      ServedMethod(RotateRequest.self) { [unowned self] request, reply in
        rotate(request.degrees)
        return context.answers.add(Done(), to: reply)
      },
      ServedMethod(ReloadRequest.self) { [unowned self] _, reply in
        context.host.reload { [answers = context.answers] problem in
          if let problem { reply.refuse(problem) } else { _ = answers.add(Done(), to: reply) }
        }
        return .later
      },
      ServedMethod(RestartRequest.self) { [unowned self] request, reply in
        context.cycle.restart(seed: request.seed.map { UInt64($0) })
        return context.answers.add(Done(), to: reply)
      },
      ServedMethod(FailedRequest.self) { [unowned self] request, reply in
        context.cycle.reportFailure(request.message, by: .command)
        return context.answers.add(Done(), to: reply)
      },
      ServedMethod(StopRequest.self) { [unowned self] _, reply in
        // Handles the other requests of this iteration first.
        context.answers.add(Done(), to: reply) { [context] in context.host.stop() }
      },
    ]
  }

  private func rotate(_ rotation: Rotation) {
    // Otherwise a touch would jump to another position.
    if rotation != context.display.rotation {
      context.cycle.perform { $0.cancelTouches(at: $0.now) }
    }
    context.display.rotation = rotation
  }
}
