// SPDX-License-Identifier: MIT

internal import Declarations
internal import JSON
package import LinuxIO
internal import Kiosk
package import KioskProtocol
internal import Motion
internal import Runtime

/// A kiosk file in the studio, and what pages ask of it: its source, the kiosk that lives beside it, and its suites.
/// Where the kiosk runs on another machine, its panel is seen and touched, too.
package final class StudioSession {
  let pages: StudioPages
  private let source: StudioSource
  private let kiosk: StudioKiosk
  /// The kiosk on another machine; nil where there is none.
  private let remote: RemoteKiosk?
  /// Whether pages show its panel, not the kiosk that lives here.
  private var showsRemote = false

  /// Opens the kiosk file at `path`. A file with mistakes has no picture until they are fixed.
  package convenience init(_ path: String, on loop: EventLoop) throws(Failure) {
    let pages = StudioPages()
    self.init(pages, try StudioSource(path, for: pages, on: loop), nil, on: loop)
  }

  /// Opens the file of the kiosk that runs at `address`, or one of this machine that takes its place when it is saved.
  package convenience init(
    runningAt address: KioskAddress, file: String?, on loop: EventLoop
  ) throws(Failure) {
    let pages = StudioPages()
    let kiosk = try RemoteKiosk(at: address, on: loop)
    if let file, Self.name(of: file) != Self.name(of: kiosk.file) {
      throw Failure(
        .usage,
        "\(kiosk.host) shows \(kiosk.file), which is not called \(Self.name(of: file)); leave that out to "
          + "change what it shows")
    }
    let source = try RemoteSource(kiosk.file, on: kiosk.host, loop)
    kiosk.onReload = { [unowned source] in source.refresh() }
    self.init(
      pages, try StudioSource(file ?? source.copy, of: source, for: pages, on: loop), kiosk,
      on: loop)
  }

  private static func name(of path: String) -> Substring { path.split(separator: "/").last ?? "" }

  private init(
    _ pages: StudioPages, _ source: StudioSource, _ remote: RemoteKiosk?, on loop: EventLoop
  ) {
    self.pages = pages
    self.source = source
    self.remote = remote
    kiosk = StudioKiosk(for: pages, on: loop)
    showsRemote = remote != nil
    source.onContent = { [kiosk] in kiosk.show($0) }
    kiosk.onCanvas = { [source] in source.canvas = $0 }
    source.onChange = { [unowned self] in
      pages.tell(mistakesMessage)
      pages.tell(stateMessage)
    }
    source.onReview = { [unowned self] in pages.tell(mistakesMessage) }
    source.onFilesChange = { [unowned self] in pages.tell(suitesMessage) }
    source.onSave = { [remote] in remote?.reload($0) }
    kiosk.onEvent = { [unowned self] in if !showsRemote { tell(event: $0) } }
    remote?.onEvent = { [unowned self] in if showsRemote { tell(event: $0) } }
    remote?.onChange = { [unowned self] in if showsRemote { pages.tell(stateMessage) } }
    remote?.onProblem = { [unowned self] in pages.tell(hostMessage) }
    source.read()
  }

  // MARK: Picture

  /// Lets time pass; when to call again.
  func advance() -> Timestamp? {
    if let running { return running.advance() }
    kiosk.advance()
    return kiosk.nextChange
  }

  /// The parts of the picture that have changed since a page showed something of it, each with its place before
  /// its pixels; nil where there is no picture.
  func picture(since old: SeenPicture?) -> (parts: [[UInt8]], seen: SeenPicture)? {
    if let running { return running.picture.parts(since: old) }
    return kiosk.picture(since: old)
  }

  /// Shows the panel of the other machine, or the kiosk of the text.
  private func show(remote isWanted: Bool) {
    showsRemote = isWanted && remote != nil
    pages.tell(hostMessage)
    pages.tell(mistakesMessage)
    pages.tell(stateMessage)
  }

  // MARK: Messages

  /// Sends a new page the present state.
  func greet(_ reply: StudioPages.Reply) {
    reply(source.fileMessage)
    reply(hostMessage)
    reply(mistakesMessage)
    reply(stateMessage)
    reply(kiosk.recordingMessage)
  }

  private var mistakesMessage: JSONValue {
    [
      "type": "mistakes", "mistakes": source.mistakesJSON,
      "hasPicture": .bool(showsRemote || kiosk.stage != nil),
    ]
  }

  private var stateMessage: JSONValue {
    if let running { return running.stateMessage(besides: kiosk.engine) }
    return kiosk.stateMessage
  }

  /// Where the kiosk runs that can be shown besides.
  private var hostMessage: JSONValue {
    [
      "type": "host", "name": remote.map { .string($0.host) } ?? .null,
      "shown": .bool(showsRemote), "problem": remote?.problem.map { .string($0) } ?? .null,
    ]
  }

  private func tell(event: JSONValue) { pages.tell(["type": "event", "event": event]) }

  /// Does what a page asks for.
  func take(
    _ message: JSONValue, from page: ObjectIdentifier, _ reply: @escaping StudioPages.Reply
  ) {
    switch message["type"]?.string {
    case "edit": source.edit(message, from: page, reply)
    case "put": source.put(message, reply)
    case "save": source.save(isForced: message["force"]?.bool ?? false, reply)
    case "complete": source.complete(message, reply)
    case "hover": source.hover(message, reply)
    case "select": source.select(message, on: kiosk, reply)
    case "set": source.set(message, on: kiosk, reply)
    case "add": source.add(message, to: kiosk, reply)
    case "begin": source.begin(message, reply)
    case "addPage": source.addPage(message, to: kiosk, reply)
    case "remove": source.remove(message, reply)
    case "move": source.move(message, reply)
    case "duplicate": source.duplicate(message, reply)
    case "addItem": source.addItem(message, reply)
    case "addAction": source.addAction(message, reply)
    case "addReaction": source.addReaction(message, reply)
    case "choose": source.choose(message, reply)
    case "show": show(remote: message["distant"]?.bool ?? false)
    case "touch":
      if let running { running.touch(message, reply) } else { kiosk.touch(message) }
    case "kiosk": reply(stateMessage)
    case "palette": reply(kiosk.paletteMessage)
    case "pages": reply(kiosk.pagesMessage)
    case "go":
      let page = message["page"]?.string ?? ""
      if let running { running.go(to: page, reply) } else { kiosk.go(to: page) }
    case "value":
      if let running { running.setValue(message, reply) } else { kiosk.setValue(message, reply) }
    case "restart":
      if let running { running.restart(reply) } else { kiosk.restart(reply) }
    case "panel": kiosk.changePanel(message)
    case "theme": kiosk.choose(theme: message["theme"]?.string)
    case "speed": kiosk.setSpeed(message)
    case "clock": kiosk.setClock(message, reply)
    case "record": record(reply)
    case "discard": kiosk.endRecording()
    case "steps":
      if let text = message["steps"]?.string { kiosk.change(steps: text, from: page) }
    case "seen": reply(kiosk.seenMessage)
    case "expect": if let text = message["text"]?.string { kiosk.expect(text) }
    case "suites": reply(suitesMessage)
    case "run": run(message, reply)
    case "keep": keep(message, reply)
    default: reply(.problem("the page has sent something unknown"))
    }
  }

  /// The kiosk on another machine while it is shown.
  private var running: RemoteKiosk? { showsRemote ? remote : nil }

  // MARK: Suites

  private var suites: StudioSuites {
    StudioSuites(kiosk: source.path, checker: source.checker, service: source.service)
  }

  private var suitesMessage: JSONValue {
    [
      "type": "suites", "suites": .array(suites.paths.map { .string($0) }),
      "own": .array(suites.ownPaths.map { .string($0) }),
      // They are removed when this program ends, so the page hands them out.
      "areCopies": .bool(source.isCopy),
    ]
  }

  /// Runs a suite on the kiosk as its text is now.
  private func run(_ message: JSONValue, _ reply: StudioPages.Reply) {
    guard let file = message["path"]?.string else { return }
    guard kiosk.stage != nil else { return reply(.problem(StudioKiosk.lacking)) }
    do throws(StudioSuites.Refusal) {
      reply(try suites.run(file, on: source.content, accepting: message["accepted"]?.string))
    } catch {
      reply(.problem(error.text))
    }
  }

  /// Begins to record a test, of the kiosk that lives here.
  private func record(_ reply: StudioPages.Reply) {
    show(remote: false)
    kiosk.record(reply)
  }

  /// Writes what was recorded into a suite.
  private func keep(_ message: JSONValue, _ reply: StudioPages.Reply) {
    guard let name = message["name"]?.string, let steps = message["steps"]?.string else { return }
    guard let screen = kiosk.engine?.screen else { return reply(.problem(StudioKiosk.lacking)) }
    do throws(StudioSuites.Refusal) {
      // Places are those of one of several sizes.
      let suite = try suites.keep(
        name, steps: steps, in: message["path"]?.string,
        at: screen.sizes.isEmpty ? nil : source.canvas, of: source.content)
      kiosk.endRecording()
      pages.tell(suitesMessage)
      let text = source.isCopy ? suites.text(of: suite) : nil
      reply([
        "type": "kept", "path": .string(suite), "text": text.map { .string($0) } ?? .null,
      ])
    } catch {
      reply(.problem(error.text))
    }
  }
}
