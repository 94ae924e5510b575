// SPDX-License-Identifier: MIT

internal import JSON
internal import LinuxIO
internal import Motion
internal import Presentation
internal import JSONRPC
internal import Runtime

/// The state shared by all components of the kiosk's server.
struct ServerContext {
  let cycle: FrameCycle
  let display: any Display
  let host: HostAccess
  let loop: EventLoop
  /// The clock of `cycle` and `loop`.
  let clock: () -> Timestamp
  let limits: Limits
  let work: ClientWork
  let budget: ByteBudget
  let clients: Clients
  let answers: Answers
  /// Parses long messages and recordings, independently of pictures.
  let reader: Worker
  /// Compresses pictures.
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

/// A component of the kiosk's server.
protocol KioskComponent: ServerComponent {
  /// Called after each update of the kiosk. `isShown` is true if the display has the current picture, or will never
  /// get one.
  func turn(isShown: Bool)
}

extension KioskComponent {
  func turn(isShown: Bool) {}
}

/// The answers to requests that changed the kiosk. They are sent in the kiosk's next update, after the changes have
/// been reported and, if the display is ready, shown.
final class Answers {
  private var due: [() -> Void] = []

  var isEmpty: Bool { due.isEmpty }

  /// Adds an answer and an action that follows it.
  func add<Answer>(
    _ answer: Answer, to reply: Reply<Answer>, then next: @escaping () -> Void = {}
  ) -> Outcome<Answer> {
    due.append {
      reply.give(answer)
      next()
    }
    return .later
  }

  /// Adds an answer in JSON. `reservation` covers its size.
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
