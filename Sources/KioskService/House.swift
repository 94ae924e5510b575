// SPDX-License-Identifier: MIT

internal import JSON
internal import LinuxIO
internal import Motion
internal import Presentation
internal import JSONRPC
internal import Runtime

/// The objects that all rooms of a kiosk's server share.
struct House {
  let cycle: FrameCycle
  let display: any Display
  let host: HostAccess
  let loop: EventLoop
  /// The cycle's and the loop's.
  let clock: () -> Timestamp
  let limits: Limits
  let work: ClientWork
  let budget: ByteBudget
  let clients: Clients
  let answers: Answers
  /// Reads long messages and recordings, which do not wait for pictures.
  let reader: Worker
  /// Packs pictures.
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

/// A room of a kiosk's server.
protocol KioskRoom: Room {
  /// Done after a turn of the kiosk. `isShown` says that the display was given all that is to be seen,
  /// or never will be.
  func turn(isShown: Bool)
}

extension KioskRoom {
  func turn(isShown: Bool) {}
}

/// Answers to requests that have changed the kiosk. They go out in the kiosk's next turn, once what was
/// changed is reported and, if the display is ready, shown.
final class Answers {
  private var due: [() -> Void] = []

  var isEmpty: Bool { due.isEmpty }

  /// Adds an answer, with something to do after it.
  func add<Answer>(
    _ answer: Answer, to reply: Reply<Answer>, then next: @escaping () -> Void = {}
  ) -> Outcome<Answer> {
    due.append {
      reply.give(answer)
      next()
    }
    return .later
  }

  /// Adds one that was written as JSON already; `reservation` counts its bytes.
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
