// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import Expressions
internal import Geometry
internal import JSON
internal import JSONRPC
internal import Kiosk
internal import KioskProtocol
internal import LinuxIO
internal import Motion
internal import Session

/// A kiosk that runs on another machine: its picture, its state, and touches on it.
final class RemoteKiosk {
  /// Called with each event.
  var onEvent: ([JSONValue.Member]) -> Void = { _ in }
  /// Called when it is in another state, by `advance`.
  var onChange: () -> Void = {}
  /// Called when the reason why it is not reached has changed, or is gone.
  var onProblem: () -> Void = {}
  /// Called when the kiosk may have another file: it was reloaded or refused to be, or it is reached again.
  var onReload: () -> Void = {}

  private let connection: RemoteConnection
  /// The path of its file.
  let file: String
  private let loop: EventLoop
  private(set) var picture = RemotePicture()
  private var tree = TreeAnswer()
  /// Why it is not reached; nil where it is.
  private(set) var problem: String? {
    didSet { if problem != oldValue { onProblem() } }
  }
  /// Whether its state has changed since it was last reported.
  private var hasNews = false
  /// Requests for frames without an answer.
  private var openFrames = 0
  private var nextFrame = Timestamp.zero
  /// When the first of the present fingers came down, and which fingers are down.
  private var touchStart = Timestamp.zero
  private var fingers: Set<Int> = []

  /// Seconds between two requests for frames. Each is answered once something has changed.
  private static let interval = 1.0 / 30
  /// The way there and back costs no time with one that is asked for ahead.
  private static let maximumLead = 2

  init(at address: KioskAddress, on loop: EventLoop) throws(Failure) {
    self.loop = loop
    do throws(KioskError) {
      connection = try RemoteConnection(to: address, on: loop)
      guard let path = try connection.call(StatusRequest()).file else {
        throw KioskError(
          .unavailable, "the kiosk was not read from a file, or its roundel is too old")
      }
      file = path
    } catch {
      throw Failure(error)
    }
    connection.onNotification = { [unowned self] in take($0) }
    connection.onReturn = { [unowned self] in
      begin()
      onReload()
    }
    connection.onLoss = { [unowned self] reason in
      problem = reason
      fingers = []
    }
    begin()
  }

  var host: String { connection.host }

  private func begin() {
    problem = nil
    openFrames = 0
    connection.ask(EventsRequest()) { _ in }
    askForAll()
  }

  // MARK: State

  /// Asks for its controls and values, and has changes told from then on.
  private func askForAll() {
    connection.ask(TreeRequest()) { [unowned self] outcome in
      switch outcome {
      case .success(let tree):
        self.tree = tree
        problem = nil
        hasNews = true
        watch()
      case .failure(let error): problem = connection.text(of: error)
      }
    }
  }

  private func watch() {
    connection.ask(WatchRequest { $0.on = false }) { _ in }
    let names = tree.values.prefix(Limits().maximumWatches - 1).map(\.name) + ["page"]
    for start in stride(from: 0, to: names.count, by: WatchRequest.maximumExpressions) {
      let some = names[start...].prefix(WatchRequest.maximumExpressions)
      connection.ask(WatchRequest { $0.expressions = Array(some) }) { _ in }
    }
  }

  private func take(_ notification: Request) {
    guard let notice = Notice(notification), case .object(let members) = notice.json else { return }
    switch notice.kind {
    case .event:
      onEvent(members)
      switch members.kioskEvent {
      case "reloaded":
        askForAll()
        onReload()
      case "restarted": askForAll()
      case "failed": onReload()
      default: break
      }
    case .watch:
      guard let name = notice.json["watch"]?.string, let value = notice.json["value"] else {
        return
      }
      if let index = tree.values.firstIndex(where: { $0.name == name }) {
        tree.values[index].value = value
      } else if name == "page", let page = value.string {
        tree.page = page
      }
      hasNews = true
    case .touch, .shot: break
    }
  }

  /// The same as of a kiosk that lives here; `engine` is that of the same file, which knows where its controls are.
  func state(besides engine: Engine?) -> KioskState {
    let shown = engine?.pages.first { $0.name == tree.page }
    let controls = tree.pages.first { $0.name == tree.page }?.controls ?? []
    return KioskState {
      $0.kiosk = engine?.name ?? host
      $0.page = tree.page
      $0.pages = tree.pages.map(\.name)
      $0.languages = tree.languages ?? []
      $0.language = tree.language ?? ""
      $0.scale = picture.scale
      $0.controls = controls.map { control in
        let extent = shown?.controls.first { $0.id == control.id }?.control.extent
        return .init(
          id: control.id, kind: control.kind, items: control.items.map { .init(id: $0.id) },
          rect: extent.map { picture.rect(of: $0) })
      }
      $0.values = tree.values
    }
  }

  // MARK: Picture

  /// Tells what has changed, and asks for what changes next on the panel; when to call again.
  func advance() -> Timestamp? {
    if hasNews {
      hasNews = false
      onChange()
    }
    guard connection.isThere, openFrames < Self.maximumLead else { return nil }
    guard loop.now >= nextFrame else { return nextFrame }
    nextFrame = loop.now + Self.interval
    openFrames += 1
    connection.ask(FrameRequest(), patience: nil) { [unowned self] outcome in
      openFrames = max(openFrames - 1, 0)
      guard case .success(let frame) = outcome else { return }
      let old = (picture.size, picture.area)
      picture.take(frame)
      if old != (picture.size, picture.area) { hasNews = true }
    }
    return openFrames < Self.maximumLead ? nextFrame : nil
  }

  // MARK: Fingers and commands

  /// Lets a finger touch the panel, as a piece of a recording whose times begin with the first finger.
  func touch(_ given: PageTouch, _ reply: Reply<Done>) {
    guard let point = picture.designPoint(given.pixel),
      given.phase == .down || fingers.contains(given.finger)
    else { return reply.give(Done()) }
    if fingers.isEmpty { touchStart = loop.now }
    switch given.phase {
    case .down, .move: fingers.insert(given.finger)
    case .up, .cancel: fingers.remove(given.finger)
    }
    let touch = Touch(finger: given.finger, phase: given.phase, position: point)
    let step = JSONValue.object([.init("t", .number(loop.now - touchStart)), touch.json])
    let request = TouchRequest {
      $0.recording = .lines([step])
      $0.more = !fingers.isEmpty
    }
    connection.ask(request) { [unowned self] in tell($0, Done(), reply) }
  }

  func go(to page: String, _ reply: Reply<Done>) { perform(.go(page: page), reply) }

  func setValue(_ given: ValueParameters, _ reply: Reply<Done>) {
    guard let reference = Reference(given.name) else { return reply.give(Done()) }
    perform(.set(reference, .text(given.text)), reply)
  }

  private func perform(_ command: Command, _ reply: Reply<Done>) {
    guard let call = command.call() else { return reply.give(Done()) }
    connection.ask(call.method, call.parameters) { [unowned self] in tell($0, Done(), reply) }
  }

  func restart(_ reply: Reply<Done>) {
    connection.ask(RestartRequest()) { [unowned self] in tell($0, Done(), reply) }
  }

  /// Has the kiosk there read its file again after a save.
  func reload(_ reply: Reply<SaveAnswer>) {
    connection.ask(ReloadRequest()) { [unowned self] in tell($0, SaveAnswer(), reply) }
  }

  private func tell<Answer, Own>(
    _ outcome: Result<Answer, KioskError>, _ answer: Own, _ reply: Reply<Own>
  ) {
    switch outcome {
    case .success: reply.give(answer)
    case .failure(let error):
      reply.refuse(RemoteError(.failed, "\(host): \(connection.text(of: error))"))
    }
  }
}
