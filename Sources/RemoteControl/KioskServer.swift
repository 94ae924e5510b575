// SPDX-License-Identifier: MIT

internal import Controls
internal import JSON
package import Kiosk
package import LinuxIO
package import Motion
package import Presentation
package import Remote
package import Runtime
internal import Session

/// Lets clients see, use and ask a running kiosk, over a socket.
///
/// Its owner calls `tell` for each event of the cycle and `turn` after each of the cycle's turns.
package final class KioskServer {
  /// Reads the kiosk's file anew and then tells why it could not, if so; nil where it has none.
  package var onReload: ((_ whenDone: @escaping (RemoteError?) -> Void) -> Void)?
  /// The names of the input devices that the kiosk uses.
  package var inputs: () -> [String] = { [] } {
    didSet { conditions.inputs = inputs }
  }
  /// Ends the kiosk in good order.
  package var onStop: (() -> Void)?
  /// The way of the picture to the panel, by names such as `output` and `mode`; empty where there is
  /// none.
  package var output: () -> [(name: String, value: String)] = { [] }

  let cycle: FrameCycle
  let display: any Display
  let loop: EventLoop
  let clock: () -> Instant
  let version: String
  let startTime: Instant
  let screenshots: Screenshots
  /// Packs pictures.
  private let worker: Worker
  /// Reads long messages and recordings, which do not wait for pictures.
  let reader: Worker
  let limits: Limits
  let markers: TouchMarkers
  let work: ClientWork
  let budget: ByteBudget
  private(set) var server: Server?

  let subscribers: Subscribers
  let conditions: Conditions
  var players: [TouchPlayer] = []
  /// What is to be done after the cycle's next turn, when all that has happened was told.
  var afterTurn: [() -> Void] = []
  /// What is to be done once the display was given all that is to be seen.
  var whenShown: [() -> Void] = []
  /// Recordings that are being read, by the client that has sent them.
  var unreadRecordings: [ClientID: Int] = [:]
  /// The recordings of which more will come, by the client that sends them.
  var openPlayers: [ClientID: TouchPlayer] = [:]
  let viewers: Viewers

  /// Serves `cycle`, which shows on `display`, at `path`. `clock` is the cycle's and the loop's,
  /// CLOCK_MONOTONIC.
  package init(
    at path: String, for cycle: FrameCycle, on display: any Display, version: String,
    loop: EventLoop, limits: Limits = Limits(), clock: @escaping () -> Instant
  ) throws(ServerError) {
    self.cycle = cycle
    self.display = display
    self.loop = loop
    self.clock = clock
    self.version = version
    startTime = clock()
    self.limits = limits
    do {
      worker = try Worker(on: loop)
      reader = try Worker(on: loop)
    } catch {
      throw ServerError("cannot start the server's threads: \(error)")
    }
    work = ClientWork(on: loop, limits: limits)
    budget = ByteBudget(limits)
    conditions = Conditions(
      cycle, limits: limits, budget: budget, work: work, loop: loop, clock: clock)
    subscribers = Subscribers(cycle, clock: clock)
    viewers = Viewers(cycle, limits: limits, budget: budget, work: work, worker: worker)
    screenshots = Screenshots(worker, limits: limits, work: work)
    markers = TouchMarkers(loop: loop, clock: clock)
    let server = try Server(
      at: path,
      methods: stateMethods + commandMethods + touchMethods + pictureMethods
        + rooms.flatMap(\.methods),
      limits: limits, work: work, budget: budget, worker: reader, on: loop)
    server.onLeave = { [unowned self] in forget($0) }
    server.isSubscribed = { [unowned self] in
      subscribers.contains($0) || conditions.isWatching($0)
    }
    server.isInUse = { [unowned self] client in
      viewers.contains(client) || players.contains { $0.client == client }
    }
    subscribers.notify = { [unowned server] in server.notify($0, $1, to: $2) }
    conditions.notify = { [unowned server] in server.notify("watch", $0, to: [$1]) }
    conditions.isBehind = { [unowned server] in server.isBehind($0) }
    self.server = server
    cycle.onTouch = { [unowned self] in subscribers.record($0.json, at: $1) }
    cycle.onCommand = { [unowned self] in subscribers.record($0.json, at: $1) }
    markers.onChange = { [unowned cycle] in cycle.overlay = $0 }
  }

  deinit {
    cycle.onTouch = { _, _ in }
    cycle.onCommand = { _, _ in }
    cycle.overlay = []
  }

  private var rooms: [any Room] { [subscribers, conditions, viewers] }

  /// Tells subscribers of an event.
  package func tell(_ event: Event) { subscribers.tell(event) }

  /// Answers what the turn has brought about, looks whether what clients wait for has happened, and
  /// goes on with what is done for them.
  package func turn() {
    work.measure {
      let due = afterTurn
      afterTurn = []
      for action in due { action() }
      // What is not shown now may never be, without a panel.
      if cycle.isShown || display.state != .showing {
        let due = whenShown
        whenShown = []
        for action in due { action() }
        viewers.turn()
      }
      conditions.turn()
      let revision = cycle.engine.revision
      work.run()
      // What clients have changed now is told and shown by a turn of its own: a client that leaves
      // lifts its fingers, and nothing else may come for long.
      if cycle.engine.hasNews || cycle.engine.revision != revision || !afterTurn.isEmpty {
        loop.perform(at: clock()) {}
      }
    }
  }

  /// Answers a request once its effects were told and, if the display was ready, shown.
  func finish(_ reply: Reply, _ result: JSONValue = .bool(true)) -> Method.Outcome {
    afterTurn.append { reply.give(result) }
    return .later
  }

  private func forget(_ client: ClientID) {
    for room in rooms { room.forget(client) }
    unreadRecordings[client] = nil
    openPlayers[client] = nil
    for player in players where player.client == client { player.cancel() }
    screenshots.forget(client)
  }
}

extension RemoteError {
  static func invalid(_ what: String) -> RemoteError { RemoteError(.invalidParameters, what) }
  static func failed(_ what: String) -> RemoteError { RemoteError(.failed, what) }
}
