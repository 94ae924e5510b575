// SPDX-License-Identifier: MIT

package import Kiosk
package import LinuxIO
package import Motion
package import Presentation
package import JSONRPC
package import Runtime
internal import Session

/// Lets clients see, use and ask a running kiosk, over a socket or the pipes of its own program: a list
/// of rooms, and the wire.
///
/// Its owner calls `report` for each event of the cycle and `turn` after each of the cycle's turns.
package final class KioskServer {
  private let house: House
  private let subscribers: Subscribers
  private let conditions: Conditions
  /// In the order in which they have their turns.
  private let rooms: [any KioskRoom]
  private let server: Server

  /// The kiosk's own program. None runs yet.
  package let logic: LogicProgram

  /// Serves `cycle`, which shows on `display`, to nobody yet. `clock` is the cycle's and the loop's,
  /// CLOCK_MONOTONIC; `log` takes messages about the kiosk's own program.
  package init(
    for cycle: FrameCycle, on display: any Display, host: HostAccess,
    version: String, loop: EventLoop, limits: Limits = Limits(),
    log: @escaping (_ message: String, _ isWarning: Bool) -> Void = { _, _ in },
    clock: @escaping () -> Timestamp
  ) throws(ServerError) {
    house = try House(cycle, on: display, host: host, loop: loop, limits: limits, clock: clock)
    subscribers = Subscribers(house)
    conditions = Conditions(house)
    let screenshots = Screenshots(house)
    let state = State(house, version: version)
    let bridges = Bridges()
    state.isBridged = { [unowned bridges] in bridges.isConnected }
    rooms = [
      screenshots, Viewers(house), conditions, subscribers, Touches(house, screenshots),
      Commands(house), Calibrations(house), state, Trees(house), bridges,
    ]
    server = Server(
      // Cast one by one: a cast of the array looks for each room's conformance among all of the program's.
      rooms: rooms.map { $0 as any Room }, limits: limits, clients: house.clients, work: house.work,
      budget: house.budget, worker: house.reader, on: loop)
    logic = LogicProgram(house, server, subscribers, log: log)
    server.onLeave = { [logic] client in logic.hasLeft(client) }
    state.logic = { [unowned logic] in logic.status }
    // Whoever watches a value sees its end before a restart gives it its first value.
    cycle.onFinish = { [conditions] in conditions.lookAtWatches() }
    cycle.onTouch = { [subscribers] in subscribers.record($0.json, at: $1) }
    cycle.onCommand = { [subscribers] in subscribers.record($0.json, at: $1) }
  }

  /// Serves clients that connect to a socket at `path`, too.
  package func listen(at path: String) throws(ServerError) { try server.listen(at: path) }

  deinit {
    logic.end(by: house.clock())
    house.cycle.onFinish = {}
    house.cycle.onTouch = { _, _ in }
    house.cycle.onCommand = { _, _ in }
    house.cycle.overlay = []
  }

  /// Reports an event to subscribers.
  package func report(_ event: Event) { subscribers.report(event) }

  /// Gives the answers that are due and sends what clients have not read, until `deadline`. Call it before the
  /// process ends: nothing else sends the answers of the last turn.
  package func finish(until deadline: Timestamp) {
    house.answers.turn()
    server.finish(until: deadline)
  }

  /// Gives the answers that the turn has brought about, evaluates the conditions that clients wait for,
  /// and goes on with their work.
  package func turn() {
    let cycle = house.cycle
    house.work.measure {
      house.answers.turn()
      // Without a panel, a frame that is not shown now may never be.
      let isShown = cycle.isShown || house.display.state != .showing
      for room in rooms { room.turn(isShown: isShown) }
      let revision = cycle.engine.revision
      house.work.run()
      // A turn of its own reports and shows the changes that clients have made now: a client that
      // leaves lifts its fingers, and nothing else may come for long.
      if cycle.engine.hasNews || cycle.engine.revision != revision || !house.answers.isEmpty {
        house.loop.wakeUp()
      }
    }
  }
}

extension RemoteError {
  static func invalid(_ what: String) -> RemoteError { RemoteError(.invalidParameters, what) }
  static func failed(_ what: String) -> RemoteError { RemoteError(.failed, what) }
}
