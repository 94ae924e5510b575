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
  typealias Reply = StudioPages.Reply

  /// Called with each event.
  var onEvent: (JSONValue) -> Void = { _ in }
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
      onEvent(notice.json)
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
  func stateMessage(besides engine: Engine?) -> JSONValue {
    let shown = engine?.pages.first { $0.name == tree.page }
    let controls = tree.pages.first { $0.name == tree.page }?.controls ?? []
    return [
      "type": "kiosk", "name": .string(engine?.name ?? host), "page": .string(tree.page),
      "pages": .array(tree.pages.map { .string($0.name) }),
      "languages": .array((tree.languages ?? []).map { .string($0) }),
      "language": .string(tree.language ?? ""), "themes": [], "theme": .null, "records": false,
      "panel": StudioPanel().json, "speed": 1, "clock": "",
      "scale": .number(picture.scale),
      "controls": .array(
        controls.map { control in
          var members: [JSONValue.Member] = [
            .init("id", .string(control.id)), .init("kind", .string(control.kind)),
            .init("items", .array(control.items.map { ["id": .string($0.id)] })),
          ]
          if let extent = shown?.controls.first(where: { $0.id == control.id })?.control.extent {
            let rect = picture.rect(of: extent)
            members.append(
              .init("rect", .array([rect.x0, rect.y0, rect.x1, rect.y1].map { .number($0) })))
          }
          return .object(members)
        }),
      "values": .object(tree.values),
    ]
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
  func touch(_ json: JSONValue, _ reply: @escaping Reply) {
    guard let given = PageTouch(json), let point = picture.designPoint(given.pixel),
      given.phase == .down || fingers.contains(given.finger)
    else { return }
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
    connection.ask(request) { [unowned self] in tell($0, reply) }
  }

  func go(to page: String, _ reply: @escaping Reply) { perform(.go(page: page), reply) }

  func setValue(_ json: JSONValue, _ reply: @escaping Reply) {
    guard let name = json["name"]?.string, let text = json["text"]?.string,
      let reference = Reference(name)
    else { return }
    perform(.set(reference, .text(text)), reply)
  }

  private func perform(_ command: Command, _ reply: @escaping Reply) {
    guard let call = command.call() else { return }
    connection.ask(call.method, call.parameters) { [unowned self] in tell($0, reply) }
  }

  func restart(_ reply: @escaping Reply) {
    connection.ask(RestartRequest()) { [unowned self] in tell($0, reply) }
  }

  /// Has the kiosk there read its file again after a save.
  func reload(_ reply: @escaping Reply) {
    connection.ask(ReloadRequest()) { [unowned self] in tell($0, reply) }
  }

  private func tell<Answer>(_ outcome: Result<Answer, KioskError>, _ reply: Reply) {
    if case .failure(let error) = outcome {
      reply(.problem("\(host): \(connection.text(of: error))"))
    }
  }
}
