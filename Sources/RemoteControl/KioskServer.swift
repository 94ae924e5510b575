// SPDX-License-Identifier: MIT

package import Kiosk
package import LinuxIO
package import Motion
package import Presentation
package import Remote
package import Runtime
internal import Session

/// Lets clients see, use and ask a running kiosk, over a socket: a list of rooms, and the wire.
///
/// Its owner calls `report` for each event of the cycle and `turn` after each of the cycle's turns.
package final class KioskServer {
  private let house: House
  private let subscribers: Subscribers
  /// In the order in which they have their turns.
  private let rooms: [any KioskRoom]
  private let server: Server

  /// Serves `cycle`, which shows on `display`, at `path`. `clock` is the cycle's and the loop's,
  /// CLOCK_MONOTONIC.
  package init(
    at path: String, for cycle: FrameCycle, on display: any Display, host: KioskHost,
    version: String, loop: EventLoop, limits: Limits = Limits(),
    clock: @escaping () -> Timestamp
  ) throws(ServerError) {
    house = try House(cycle, on: display, host: host, loop: loop, limits: limits, clock: clock)
    subscribers = Subscribers(house)
    let screenshots = Screenshots(house)
    rooms = [
      screenshots, Viewers(house), Conditions(house), subscribers, Touches(house, screenshots),
      Commands(house), State(house, version: version),
    ]
    server = try Server(
      at: path, rooms: rooms, limits: limits, clients: house.clients, work: house.work,
      budget: house.budget, worker: house.reader, on: loop)
    cycle.onTouch = { [subscribers] in subscribers.record($0.json, at: $1) }
    cycle.onCommand = { [subscribers] in subscribers.record($0.json, at: $1) }
  }

  deinit {
    house.cycle.onTouch = { _, _ in }
    house.cycle.onCommand = { _, _ in }
    house.cycle.overlay = []
  }

  /// Reports an event to subscribers.
  package func report(_ event: Event) { subscribers.report(event) }

  /// Answers what the turn has brought about, looks whether what clients wait for has happened, and
  /// goes on with what is done for them.
  package func turn() {
    let cycle = house.cycle
    house.work.measure {
      house.answers.turn()
      // What is not shown now may never be, without a panel.
      let isShown = cycle.isShown || house.display.state != .showing
      for room in rooms { room.turn(isShown: isShown) }
      let revision = cycle.engine.revision
      house.work.run()
      // What clients have changed now is reported and shown by a turn of its own: a client that
      // leaves lifts its fingers, and nothing else may come for long.
      if cycle.engine.hasNews || cycle.engine.revision != revision || !house.answers.isEmpty {
        house.loop.perform(at: house.clock()) {}
      }
    }
  }
}

extension RemoteError {
  static func invalid(_ what: String) -> RemoteError { RemoteError(.invalidParameters, what) }
  static func failed(_ what: String) -> RemoteError { RemoteError(.failed, what) }
}
