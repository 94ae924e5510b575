// SPDX-License-Identifier: MIT

internal import RoundelJSON
internal import LinuxIO
internal import RoundelMotion
internal import RoundelPresentation
internal import JSONRPC
internal import RoundelRuntime

/// The state shared by all components.
struct ServerContext {
  let cycle: FrameCycle
  let display: any Display
  let host: HostAccess
  let loop: EventLoop
  let clock: () -> Timestamp
  let limits: Limits
  let work: ClientWork
  let budget: ByteBudget
  let clients: Clients
  /// The client of `logic`, which gets private values.
  let insiders = Insiders()
  let answers: Answers
  /// The parser of long messages and recordings.
  let reader: Worker
  /// The compressor of pictures.
  let packer: Worker

  init(
    _ cycle: FrameCycle, on display: any Display, host: HostAccess, loop: EventLoop,
    limits: Limits, clock: @escaping () -> Timestamp
  ) throws(ServerError) {
    self.cycle = cycle
    self.display = display
    self.host = host
    self.loop = loop
    self.clock = clock
    self.limits = limits
    work = ClientWork(on: loop, limits: limits)
    budget = ByteBudget(limits)
    clients = Clients(work)
    answers = Answers()
    do {
      reader = try Worker(on: loop)
      packer = try Worker(on: loop)
    } catch {
      throw ServerError("cannot start the server's threads: \(error)")
    }
  }
}

/// The clients that get private values.
final class Insiders {
  private var clients: Set<ClientID> = []

  func add(_ client: ClientID) { clients.insert(client) }
  func remove(_ client: ClientID) { clients.remove(client) }
  func contains(_ client: ClientID) -> Bool { clients.contains(client) }
}

protocol KioskComponent: ServerComponent {
  /// `isShown` is true if the display has the current picture, or will never get one.
  func turn(isShown: Bool)
}

extension KioskComponent {
  func turn(isShown: Bool) {}
}

/// Answers to requests that changed the kiosk, sent after the changes have been reported and, if
/// possible, shown.
final class Answers {
  private var due: [() -> Void] = []

  var isEmpty: Bool { due.isEmpty }

  func add<Answer>(
    _ answer: Answer, to reply: Reply<Answer>, then next: @escaping () -> Void = {}
  ) -> Outcome<Answer> {
    due.append {
      reply.give(answer)
      next()
    }
    return .later
  }

  /// `reservation` covers the size of the JSON.
  func add<Answer>(
    encoded answer: [UInt8], to reply: Reply<Answer>, _ reservation: Reservation
  ) {
    due.append { withExtendedLifetime(reservation) { reply.give(encoded: answer) } }
  }

  func turn() {
    let due = due
    self.due = []
    for answer in due { answer() }
  }
}
