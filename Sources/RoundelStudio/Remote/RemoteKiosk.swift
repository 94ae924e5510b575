// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelJSON
internal import JSONRPC
internal import Kiosk
internal import KioskProtocol
internal import LinuxIO
internal import RoundelMotion
internal import RoundelSession

final class RemoteKiosk {
  var onEvent: ([JSONValue.Member]) -> Void = { _ in }
  var onChange: () -> Void = {}
  var onProblem: () -> Void = {}
  /// Called after a reload, a failed reload, or a reconnection, because the file may have changed.
  var onReload: () -> Void = {}

  private let connection: RemoteConnection
  let file: String
  private let loop: EventLoop
  private(set) var picture = RemotePicture()
  private var tree = TreeAnswer()
  /// The reason for a lost connection, or nil while connected.
  private(set) var problem: String? {
    didSet { if problem != oldValue { onProblem() } }
  }
  private var hasNews = false
  private var openFrames = 0
  private var nextFrame = Timestamp.zero
  /// The time of the first touch, and the current touches.
  private var touchStart = Timestamp.zero
  private var fingers: Set<Int> = []

  /// Seconds between requests for frames, which the kiosk answers after a change.
  private static let interval = 1.0 / 30
  /// A request in advance hides the network latency.
  private static let maximumLead = 2

  init(at address: KioskAddress, on loop: EventLoop) throws(Failure) {
    self.loop = loop
    do throws(KioskError) {
      connection = try RemoteConnection(to: address, on: loop)
      guard let path = try connection.call(StatusRequest()).file else {
        throw KioskError(
          .unavailable, "the kiosk was not read from a file, or its version of roundel is too old")
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

  /// Requests the controls and values, then changes.
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

  /// `engine` runs the same file, and knows the controls' positions.
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

  func advance() -> Timestamp? {
    if hasNews {
      hasNews = false
      onChange()
    }
    guard connection.isThere, openFrames < Self.maximumLead else { return nil }
    guard loop.now >= nextFrame else { return nextFrame }
    nextFrame = loop.now + Self.interval
    openFrames += 1
    connection.ask(FrameRequest(), timeout: nil) { [unowned self] outcome in
      openFrames = max(openFrames - 1, 0)
      guard case .success(let frame) = outcome else { return }
      let old = (picture.size, picture.area)
      picture.take(frame)
      if old != (picture.size, picture.area) { hasNews = true }
    }
    return openFrames < Self.maximumLead ? nextFrame : nil
  }

  // MARK: Touches and commands

  /// Sends a recording whose times are relative to the first touch.
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
    connection.ask(request) { [unowned self] in complete($0, Done(), reply) }
  }

  func go(to page: String, _ reply: Reply<Done>) { perform(.go(page: page), reply) }

  func setValue(_ given: ValueParameters, _ reply: Reply<Done>) {
    guard let reference = Reference(given.name) else { return reply.give(Done()) }
    perform(.set(reference, .text(given.text)), reply)
  }

  private func perform(_ command: Command, _ reply: Reply<Done>) {
    guard let call = command.call() else { return reply.give(Done()) }
    connection.ask(call.method, call.parameters) { [unowned self] in complete($0, Done(), reply) }
  }

  func restart(_ reply: Reply<Done>) {
    connection.ask(RestartRequest()) { [unowned self] in complete($0, Done(), reply) }
  }

  func reload(_ reply: Reply<SaveAnswer>) {
    connection.ask(ReloadRequest()) { [unowned self] in complete($0, SaveAnswer(), reply) }
  }

  private func complete<Answer, Own>(
    _ outcome: Result<Answer, KioskError>, _ answer: Own, _ reply: Reply<Own>
  ) {
    switch outcome {
    case .success: reply.give(answer)
    case .failure(let error):
      reply.refuse(RemoteError(.failed, "\(host): \(connection.text(of: error))"))
    }
  }
}
