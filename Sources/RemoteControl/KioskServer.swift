// SPDX-License-Identifier: MIT

internal import Controls
internal import JSON
public import Kiosk
public import LinuxIO
public import Motion
public import Presentation
public import Remote
public import Runtime
internal import Session

/// Lets clients see, use and ask a running kiosk, over a socket.
///
/// Its owner calls `tell` for each event of the cycle and `turn` after each of the cycle's turns.
public final class KioskServer {
  /// Reads the kiosk's file anew and then tells why it could not, if so; nil where it has none.
  public var onReload: ((_ whenDone: @escaping (RemoteError?) -> Void) -> Void)?
  /// The names of the input devices that the kiosk uses.
  public var inputs: () -> [String] = { [] }
  /// Ends the kiosk in good order.
  public var onStop: (() -> Void)?
  /// The way of the picture to the panel, by names such as `output` and `mode`; empty where there is
  /// none.
  public var output: () -> [(name: String, value: String)] = { [] }

  let cycle: FrameCycle
  let display: any Display
  let loop: EventLoop
  let clock: () -> Instant
  let version: String
  let startTime: Instant
  let screenshots: Screenshots
  /// Packs pictures.
  let worker: Worker
  /// Reads long messages and recordings, which do not wait for pictures.
  let reader: Worker
  let limits: Limits
  let markers: TouchMarkers
  let work: ClientWork
  let budget: ByteBudget
  private(set) var server: Server?

  /// Who wants to be told of events.
  var listeners: Set<ClientID> = []
  /// Who wants to be told of touches, and since when.
  var recorders: [ClientID: Instant] = [:]
  let waits: Waits
  /// What was last seen of that on which waits depend.
  private var seen: (revision: UInt64, isStill: Bool, inputs: [String]) = (0, false, [])
  var players: [TouchPlayer] = []
  /// What is to be done after the cycle's next turn, when all that has happened was told.
  var afterTurn: [() -> Void] = []
  /// What is to be done once the display was given all that is to be seen.
  var whenShown: [() -> Void] = []
  /// Recordings that are being read, by the client that has sent them.
  var unreadRecordings: [ClientID: Int] = [:]
  /// The recordings of which more will come, by the client that sends them.
  var openPlayers: [ClientID: TouchPlayer] = [:]
  /// Who watches the panel.
  var viewers: [ClientID: Viewer] = [:]
  /// Who was sent a frame last; the next one goes to whoever comes after.
  var lastViewer: ClientID?
  var isPacking = false

  /// Serves `cycle`, which shows on `display`, at `path`. `clock` is the cycle's and the loop's,
  /// CLOCK_MONOTONIC.
  public init(
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
    waits = Waits(limits: limits, budget: budget, work: work, loop: loop)
    screenshots = Screenshots(worker, limits: limits, work: work)
    markers = TouchMarkers(loop: loop, clock: clock)
    let server = try Server(
      at: path,
      methods: stateMethods + commandMethods + touchMethods + pictureMethods
        + frameMethods,
      limits: limits, work: work, budget: budget, worker: reader, on: loop)
    server.onLeave = { [unowned self] in forget($0) }
    server.isSubscribed = { [unowned self] in
      listeners.contains($0) || recorders[$0] != nil
    }
    server.isInUse = { [unowned self] client in
      viewers[client] != nil || players.contains { $0.client == client }
    }
    waits.holds = { [unowned self] in holds($0) }
    waits.result = { [unowned self] in result(of: $0, holds: $1) }
    self.server = server
    cycle.onTouch = { [unowned self] in record($0, at: $1) }
    cycle.onPaint = { [unowned self] in notePainting($0) }
    markers.onChange = { [unowned cycle] in cycle.overlay = $0 }
  }

  deinit {
    cycle.onTouch = { _, _ in }
    cycle.onPaint = { _ in }
    cycle.overlay = []
  }

  /// Tells listeners of an event.
  public func tell(_ event: Event) {
    guard !listeners.isEmpty else { return }
    let line = SessionLine(event)
    server?.notify(
      "event", [.init("t", .number(line.time.seconds))] + line.members, to: listeners)
  }

  /// Answers what the turn has brought about, looks whether what clients wait for has happened, and
  /// goes on with what is done for them.
  public func turn() {
    work.measure {
      let due = afterTurn
      afterTurn = []
      for action in due { action() }
      // What is not shown now may never be, without a panel.
      if cycle.isShown || display.state != .showing {
        let due = whenShown
        whenShown = []
        for action in due { action() }
        packFrame()
      }
      if !waits.isEmpty {
        let current = (
          revision: cycle.engine.revision, isStill: cycle.isStill, inputs: inputs()
        )
        if current != seen { waits.noteChange() }
        seen = current
      }
      work.run()
    }
  }

  /// Answers a request once its effects were told and, if the display was ready, shown.
  func finish(_ reply: Reply, _ result: JSONValue = .bool(true)) -> Method.Outcome {
    afterTurn.append { reply.give(result) }
    return .later
  }

  private func forget(_ client: ClientID) {
    listeners.remove(client)
    recorders[client] = nil
    unreadRecordings[client] = nil
    openPlayers[client] = nil
    viewers[client] = nil
    for player in players where player.client == client { player.cancel() }
    waits.forget(client)
    screenshots.forget(client)
  }
}

extension RemoteError {
  static func invalid(_ what: String) -> RemoteError { RemoteError(.invalidParameters, what) }
  static func failed(_ what: String) -> RemoteError { RemoteError(.failed, what) }
}
