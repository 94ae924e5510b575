// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions
internal import Geometry
internal import JSON
internal import Kiosk
internal import KioskProtocol
internal import LinuxIO
internal import Motion
internal import Presentation
internal import Remote
internal import Runtime
internal import Session

/// What clients can have done without a finger.
final class Commands: KioskRoom {
  private let house: House

  init(_ house: House) {
    self.house = house
  }

  var methods: [ServedMethod] {
    // `unblank` is the older name of `wake`.
    let older = CommandKind.named("wake").flatMap { method(of: $0, called: "unblank") }
    return CommandKind.all.compactMap { method(of: $0) } + [older].compactMap(\.self) + kioskMethods
  }

  // MARK: Commands of the kiosk's language

  private func method(of kind: CommandKind, called name: String? = nil) -> ServedMethod? {
    func served(_ parameters: (some CommandParameters).Type) -> ServedMethod {
      ServedMethod(kind.method(taking: parameters, called: name)) { [unowned self] request, reply in
        try apply(request, kind)
        let isUnseen = kind.argument == .page && house.cycle.engine.isBlank
        return house.answers.add(CommandAnswer(isUnseen: isUnseen), to: reply)
      }
    }
    return kind.parameters.map { served($0) }
  }

  /// Does all that a request asks for, or nothing of it.
  private func apply(
    _ request: some CommandParameters, _ kind: CommandKind
  ) throws(RemoteError) {
    try check(request)
    guard let commands = request.commands(of: kind) else {
      throw .invalid("\"value\" takes any value but null")
    }
    var checked: [Command] = []
    for command in commands { checked.append(try check(command)) }
    for command in checked {
      do throws(CommandError) {
        try house.cycle.apply(command)
      } catch {
        throw .invalid("\(error)")
      }
    }
  }

  /// Refuses what is too long.
  private func check(_ request: some CommandParameters) throws(RemoteError) {
    let maximum = house.limits.maximumValueBytes
    switch request {
    case let event as EventParameters:
      guard let fields = event.fields else { return }
      guard case .object = fields, fields.memoryBytes(upTo: maximum) != nil else {
        throw .invalid("\"fields\" takes {FIELD: value} of at most \(maximum) bytes")
      }
    case let setting as SettingParameters:
      guard setting.value.memoryBytes(upTo: maximum) != nil else {
        throw RemoteError(
          exceeding: "maximumValueBytes", maximum, "\"value\" is too long",
          code: .invalidParameters)
      }
    default: break
    }
  }

  /// A command as it suits the kiosk; one whose names do not exist is refused, with what there is
  /// instead.
  private func check(_ command: Command) throws(RemoteError) -> Command {
    let engine = house.cycle.engine
    switch command {
    case .set(let name, let value):
      guard let kind = engine.kind(of: name) else { throw .unknown(name, engine) }
      return .set(name, value.suited(to: kind))
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
    case .reset(nil), .emit, .blank, .run, .play, .shake, .key: break
    }
    return command
  }

  // MARK: The kiosk as a whole

  private var kioskMethods: [ServedMethod] {
    [
      ServedMethod(RotateRequest.self) { [unowned self] request, reply in
        rotate(request.degrees)
        return house.answers.add(Done(), to: reply)
      },
      ServedMethod(ReloadRequest.self) { [unowned self] _, reply in
        house.host.reload { [answers = house.answers] problem in
          if let problem { reply.refuse(problem) } else { _ = answers.add(Done(), to: reply) }
        }
        return .later
      },
      ServedMethod(RestartRequest.self) { [unowned self] request, reply in
        house.cycle.restart(seed: request.seed.map { UInt64($0) })
        return house.answers.add(Done(), to: reply)
      },
      ServedMethod(StopRequest.self) { [unowned self] _, reply in
        house.answers.add(Done(), to: reply) { [house] in
          // The answer is sent before the next turn begins.
          house.loop.perform(at: house.clock()) { house.host.stop() }
        }
      },
    ]
  }

  private func rotate(_ rotation: Rotation) {
    // A finger that is down would leap to where its place is now.
    if rotation != house.display.rotation {
      house.cycle.perform { $0.cancelTouches(at: $0.now) }
    }
    house.display.rotation = rotation
  }
}
