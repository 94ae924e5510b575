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
  let worker: Worker
  let markers: TouchMarkers
  private(set) var server: Server?

  /// Fingers and recordings at a time; more than any hand has.
  static let greatestPlayers = 32
  /// Waits at a time, each of which is looked at in every turn.
  static let greatestWaits = 256

  /// Who wants to be told of events.
  var listeners: Set<ClientID> = []
  /// Who wants to be told of touches, and since when.
  var recorders: [ClientID: Instant] = [:]
  var waits: [UInt64: Wait] = [:]
  var lastWait: UInt64 = 0
  var players: [TouchPlayer] = []
  /// What is to be done after the cycle's next turn, when all that has happened was told.
  var afterTurn: [() -> Void] = []
  /// What is to be done once the display was given all that is to be seen.
  var whenShown: [() -> Void] = []
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
    do {
      worker = try Worker(on: loop)
    } catch {
      throw ServerError("cannot start the server's thread: \(error)")
    }
    screenshots = Screenshots(worker)
    markers = TouchMarkers(loop: loop, clock: clock)
    let server = try Server(
      at: path,
      methods: stateMethods + commandMethods + touchMethods + pictureMethods
        + frameMethods,
      limits: limits, worker: worker, on: loop)
    server.onLeave = { [unowned self] in forget($0) }
    server.isSubscribed = { [unowned self] in
      listeners.contains($0) || recorders[$0] != nil
    }
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

  /// Answers what the turn has brought about, and looks whether what clients wait for has happened.
  public func turn() {
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
    for (id, wait) in waits where holds(wait.condition) {
      end(id, wait, holds: true)
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
    openPlayers[client] = nil
    viewers[client] = nil
    for player in players where player.client == client { player.cancel() }
    for (id, wait) in waits where wait.reply.client == client {
      loop.cancel(wait.timeout)
      waits[id] = nil
    }
    screenshots.forget(client)
  }
}

extension RemoteError {
  static func invalid(_ what: String) -> RemoteError { RemoteError(.invalidParameters, what) }
  static func failed(_ what: String) -> RemoteError { RemoteError(.failed, what) }
}
