// SPDX-License-Identifier: MIT

internal import Authoring
internal import Controls
internal import Declarations
internal import Drawing
internal import Expressions
internal import Geometry
package import JSON
internal import Kiosk
internal import KioskFile
internal import KioskHost
internal import LanguageServer
package import LinuxIO
internal import Motion
internal import Raster
internal import Runtime
internal import Session

/// A kiosk file in the studio: its text, saved or not, the kiosk that lives beside it, and what pages ask.
///
/// Pages hold the text, too, and send each change; what is changed on the picture goes to a page as a change of its
/// text, and comes back. So there is one way for changes, and the page's undo knows all of them.
package final class StudioSession {
  package typealias Reply = (JSONValue) -> Void

  /// Sends a message to all pages but one.
  var send: (_ message: JSONValue, _ excepted: ObjectIdentifier?) -> Void = { _, _ in }

  private let path: String
  private let loop: EventLoop
  private let checker = FileChecker()
  private let service: LanguageService
  /// As it is on the disk.
  private var saved: [UInt8]
  private var watch: FileWatch?
  /// Grows with each change.
  private var revision = 0
  private var mistakes: [Mistake] = []
  private var stage: Stage?
  private var panel = StudioPanel()
  /// The theme that was chosen here, which another version of the file shows as well; nil for the file's.
  private var theme: String?
  private var clock: KioskClock
  /// While a test is recorded.
  private var recorder: TestRecorder?
  private var review: EventLoop.Token?

  /// Seconds after the last change until it is looked at how the kiosk shows.
  private static let pause = 0.4
  private static let frame = 1.0 / 60
  /// Pixels of the longer side of a page's small picture.
  private static let thumbnail = 200.0
  private static let maximumThumbnails = 64
  private static let lacking = "the kiosk has mistakes"

  /// Opens the kiosk file at `path`. One with mistakes has no picture until they are mended.
  package init(_ path: String, on loop: EventLoop) throws(Failure) {
    self.path = path
    self.loop = loop
    saved = try Files.read(path, .init("the kiosk file", maximumBytes: 4 << 20))
    service = LanguageService(checker.workspace)
    clock = KioskClock(at: loop.now)
    checker.workspace.put(saved, at: path)
    read(isThorough: false)
    watch = try? FileWatch([path], on: loop) { [unowned self] in changedOnDisk() }
  }

  private var bytes: [UInt8] { checker.workspace.bytes(path) ?? saved }
  private var source: SourceFile { checker.workspace.document(path)?.source ?? SourceFile(saved) }

  // MARK: The kiosk

  private var now: Instant { clock.moment(at: loop.now) }

  private var face: PanelFace? { stage.map { panel.face(of: $0.content) } }

  /// Lets the kiosk's time pass, and tells what happens.
  func advance() {
    guard let stage else { return }
    stage.perform(at: now) { _ in }
    stage.report()
  }

  /// When the picture changes next; nil where it does not by itself.
  var nextChange: Timestamp? {
    guard let stage, clock.speed > 0 else { return nil }
    if stage.engine.isMoving { return loop.now + Self.frame }
    return stage.engine.nextChange.flatMap { clock.time(of: $0) }
  }

  /// What a page shows of the picture.
  struct Shown: Hashable {
    fileprivate var frame: Int
    fileprivate var face: PanelFace
  }

  /// What has changed of the picture since a page showed something of it, each part with its place before its
  /// pixels; nil where there is no picture.
  func picture(since old: Shown?) -> (parts: [[UInt8]], shown: Shown)? {
    guard let stage, let face else { return nil }
    let picture = stage.picture(face.canvas)
    let shown = Shown(frame: picture.frame, face: face)
    guard old != shown else { return ([], shown) }
    let whole = PixelRect(size: face.canvas)
    // Another panel shows none of what is there.
    let damage = picture.damage(since: old?.face == face ? old?.frame : nil)
    let parts = damage.rects.compactMap { rect -> [UInt8]? in
      let part = rect.intersection(whole)
      return part.isEmpty ? nil : Self.message(face.shown(picture.block(part)), of: face.size)
    }
    return (parts, shown)
  }

  /// Six numbers of 16 bits, the lower byte first: the picture's size, the part's place and size; then red, green, blue
  /// and 255 for each of its pixels.
  private static func message(_ block: PixelBlock, of size: PixelSize) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(12 + 4 * block.pixels.count)
    let rect = block.rect
    for number in [size.width, size.height, rect.x0, rect.y0, rect.width, rect.height] {
      bytes.append(UInt8(truncatingIfNeeded: number))
      bytes.append(UInt8(truncatingIfNeeded: number >> 8))
    }
    for pixel in block.pixels {
      bytes.append(UInt8(truncatingIfNeeded: pixel >> 16))
      bytes.append(UInt8(truncatingIfNeeded: pixel >> 8))
      bytes.append(UInt8(truncatingIfNeeded: pixel))
      bytes.append(255)
    }
    return bytes
  }

  /// Reads the text as it is now. Where it has mistakes, the kiosk goes on as it was.
  private func read(isThorough: Bool) {
    let reading = checker.read(path, bytes, isThorough: isThorough)
    mistakes = reading.kiosk.mistakes
    guard !isThorough else { return }
    if let description = reading.kiosk.description {
      let content = Content(
        description, fonts: reading.assets.fonts, images: reading.assets.images,
        sounds: reading.assets.sounds)
      if let stage {
        stage.perform(at: now) { _ in }
        stage.replace(with: content)
        showTheme()
      } else {
        let stage = Stage(
          content, seed: 0, clock: CivilTime(microseconds: WallClock.localMicroseconds))
        stage.onEvent = { [unowned self] event in
          send(["type": "event", "event": .object(SessionLine(event).members)], nil)
        }
        self.stage = stage
      }
    }
    review = loop.schedule(at: loop.now + Self.pause) { [unowned self] in
      read(isThorough: true)
      send(mistakesMessage, nil)
    }
  }

  // MARK: Messages

  /// Tells a page that has come what there is.
  func greet(_ page: ObjectIdentifier, _ reply: Reply) {
    reply(fileMessage)
    reply(mistakesMessage)
    reply(kioskMessage)
  }

  private var fileMessage: JSONValue {
    [
      "type": "file", "path": .string(path),
      "text": .string(String(decoding: bytes, as: UTF8.self)),
      "revision": .number(Double(revision)), "saved": .bool(bytes == saved),
    ]
  }

  private var mistakesMessage: JSONValue {
    let all = mistakes.map { mistake -> JSONValue in
      let isOwn = Workspace.normal(mistake.file) == Workspace.normal(path)
      var members: [JSONValue.Member] = [
        .init("severity", .string(mistake.severity.rawValue)),
        .init("message", .string(mistake.message)),
        .init("file", isOwn ? .null : .string(mistake.file)),
        .init("line", .number(Double(mistake.line))),
      ]
      if isOwn, let document = checker.workspace.document(path) {
        members += span(service.place(of: mistake, in: document))
      }
      return .object(members)
    }
    return ["type": "mistakes", "mistakes": .array(all), "hasPicture": .bool(stage != nil)]
  }

  private func span(_ range: Range<Int>) -> [JSONValue.Member] {
    [
      .init("from", json(source.position(at: range.lowerBound))),
      .init("to", json(source.position(at: range.upperBound))),
    ]
  }

  private func json(_ position: TextPosition) -> JSONValue {
    ["line": .number(Double(position.line)), "ch": .number(Double(position.column))]
  }

  private func json(_ edits: [TextEdit]) -> JSONValue {
    .array(edits.map { .object(span($0.range) + [.init("text", .string($0.text))]) })
  }

  private func offset(_ json: JSONValue?) -> Int? {
    guard let line = json?["line"]?.integer, let column = json?["ch"]?.integer else { return nil }
    return source.offset(of: TextPosition(line: line, column: column))
  }

  /// The pages, the controls of the shown one with their places, and the values.
  private var kioskMessage: JSONValue {
    guard let stage, let face else { return ["type": "kiosk"] }
    let engine = stage.engine
    let viewport = stage.viewport(on: face.canvas)
    let page = engine.pages[engine.shownPage]
    let theme = engine.description.themes.filter { $0.value == engine.theme }.keys.min()
    let controls = page.controls.map { entry -> JSONValue in
      var members: [JSONValue.Member] = [
        .init("id", .string(entry.id)), .init("kind", .string(entry.kind)),
        .init("items", .array(entry.control.items(at: engine.now).map { .string($0.id) })),
      ]
      if let extent = entry.control.extent {
        let rect = face.panelRect(viewport.canvasRect(extent))
        members.append(
          .init("rect", .array([rect.x0, rect.y0, rect.x1, rect.y1].map { .number($0) })))
      }
      if let place = entry.control.place(of: nil, at: engine.now) {
        let point = face.panelPoint(viewport.canvasPoint(place))
        members.append(.init("place", .array([.number(point.x), .number(point.y)])))
      }
      return .object(members)
    }
    return [
      "type": "kiosk", "name": .string(engine.name), "page": .string(page.name),
      "pages": .array(engine.pages.map { .string($0.name) }),
      "languages": .array(engine.description.languages.map { .string($0) }),
      "language": .string(engine.language),
      "themes": .array(engine.description.themes.keys.sorted().map { .string($0) }),
      "theme": theme.map { .string($0) } ?? .null,
      "records": .bool(recorder != nil), "panel": panel.json, "speed": .number(clock.speed),
      "clock": .string("\(engine.clock)"),
      "scale": .number(viewport.scale), "controls": .array(controls),
      "kinds": .array(KioskDraft.controlTypes.map { .string($0) }),
      "values": .object(
        engine.description.values.map { value in
          .init(value.name, engine.value(of: .value(value.name)).map { JSONValue($0) } ?? .null)
        }),
    ]
  }

  /// Pictures of all pages, and where they lead.
  private var pagesMessage: JSONValue {
    guard let stage else { return ["type": "pages", "pages": [], "links": []] }
    let design = stage.content.description.screen.size
    let scale = Self.thumbnail / max(design.width, design.height)
    let size = PixelSize(
      max(Int((design.width * scale).rounded()), 1), max(Int((design.height * scale).rounded()), 1))
    let painter = Painter(
      size: size, viewport: stage.viewport(on: size), fonts: stage.content.fonts,
      images: stage.content.images)
    let pages = stage.engine.pages.enumerated().map { index, page -> JSONValue in
      guard index < Self.maximumThumbnails else { return ["name": .string(page.name)] }
      painter.show(stage.engine.displayList(of: index))
      let png = PNG.encode(painter.canvas())
      return ["name": .string(page.name), "picture": .string(PictureAddress.of(png: png))]
    }
    let links = stage.content.description.pageLinks.map { link -> JSONValue in
      [
        "from": link.from.map { .string($0) } ?? .null, "to": .string(link.to),
        "cause": .string(link.cause),
      ]
    }
    return [
      "type": "pages", "pages": .array(pages), "links": .array(links),
      "width": .number(Double(size.width)), "height": .number(Double(size.height)),
    ]
  }

  /// Does what a page asks for.
  func take(_ message: JSONValue, from page: ObjectIdentifier, _ reply: Reply) {
    switch message["type"]?.string {
    case "edit": edit(message, from: page, reply)
    case "save": save(isForced: message["force"]?.bool ?? false, reply)
    case "touch": touch(message)
    case "kiosk": reply(kioskMessage)
    case "pages": reply(pagesMessage)
    case "complete": complete(message, reply)
    case "hover": hover(message, reply)
    case "select": select(message, reply)
    case "set": set(message, reply)
    case "add": add(message, reply)
    case "remove": remove(message, reply)
    case "go": go(to: message["page"]?.string ?? "")
    case "value": setValue(message, reply)
    case "restart": restart(reply)
    case "panel":
      panel = StudioPanel(message)
      send(kioskMessage, nil)
    case "theme":
      theme = message["theme"]?.string
      showTheme()
      send(kioskMessage, nil)
    case "speed": setSpeed(message)
    case "clock": setClock(message, reply)
    case "suites": reply(suitesMessage)
    case "run": run(message, reply)
    case "record": record(reply)
    case "discard": endRecording()
    case "seen": reply(seenMessage)
    case "expect":
      if let text = message["text"]?.string { tell(recorder?.take("expect: \(text)", at: now)) }
    case "keep": keep(message, reply)
    default: reply(["type": "problem", "text": "the page has sent something unknown"])
    }
  }

  private func problem(_ text: String, _ reply: Reply) {
    reply(["type": "problem", "text": .string(text)])
  }

  // MARK: Text

  private func edit(_ message: JSONValue, from page: ObjectIdentifier, _ reply: Reply) {
    guard message["revision"]?.integer == revision, case .array(let changes)? = message["changes"]
    else {
      // Another page was faster.
      return reply(fileMessage)
    }
    var new = source
    // New lines end as those of the file do.
    let lineBreak = new.lineBreakText
    for change in changes {
      guard let from = TextPosition(page: change["from"]),
        let to = TextPosition(page: change["to"]),
        let text = change["text"]?.string
      else { return reply(fileMessage) }
      let start = new.offset(of: from)
      let own = text.split(separator: "\n", omittingEmptySubsequences: false)
        .joined(separator: lineBreak)
      new.replace(start..<max(start, new.offset(of: to)), with: own)
    }
    guard new.bytes.count <= 4 << 20 else {
      problem("the file would be larger than 4 MiB", reply)
      return reply(fileMessage)
    }
    revision += 1
    checker.workspace.put(new.bytes, at: path)
    reply(["type": "revision", "revision": .number(Double(revision))])
    send(fileMessage, page)
    read(isThorough: false)
    send(mistakesMessage, nil)
    send(kioskMessage, nil)
  }

  private func save(isForced: Bool, _ reply: Reply) {
    let bytes = bytes
    let onDisk = try? Files.read(path, .init("the kiosk file", maximumBytes: 64 << 20))
    if !isForced, onDisk != saved {
      return reply([
        "type": "conflict",
        "text": "the file has changed on the disk since it was read",
      ])
    }
    do throws(Failure) {
      // Nothing is written where nothing has changed.
      if onDisk != bytes { try Files.write(bytes, to: path) }
      saved = bytes
      checker.workspace.refresh()
      send(["type": "saved"], nil)
    } catch {
      problem(error.message, reply)
    }
  }

  private func changedOnDisk() {
    guard let onDisk = try? Files.read(path, .init("the kiosk file", maximumBytes: 4 << 20)),
      onDisk != saved
    else { return }
    guard bytes == saved else {
      return send(
        ["type": "conflict", "text": "the file has changed on the disk, and here, too"], nil)
    }
    saved = onDisk
    revision += 1
    checker.workspace.put(onDisk, at: path)
    read(isThorough: false)
    send(fileMessage, nil)
    send(mistakesMessage, nil)
    send(kioskMessage, nil)
  }

  private func complete(_ message: JSONValue, _ reply: Reply) {
    guard let place = offset(message["at"]) else { return }
    let found = service.completions(path, at: place)
    let items = found.items.prefix(300).map { item -> JSONValue in
      [
        "label": .string(item.label), "text": .string(item.text),
        "detail": item.detail.map { .string($0) } ?? .null,
        "about": item.documentation.map { .string($0) } ?? .null,
      ]
    }
    let members = span(found.range)
    reply(
      .object(
        members + [
          .init("type", "completions"), .init("id", message["id"] ?? .null),
          .init("items", .array(Array(items))),
        ]))
  }

  private func hover(_ message: JSONValue, _ reply: Reply) {
    guard let place = offset(message["at"]) else { return }
    let found = service.hover(path, at: place)
    reply([
      "type": "hover", "id": message["id"] ?? .null,
      "text": found.map { .string($0.text) } ?? .null,
    ])
  }

  // MARK: Keys

  /// Tells the keys of a control, and where it stands.
  private func select(_ message: JSONValue, _ reply: Reply) {
    guard let id = message["control"]?.string else { return }
    let item = message["item"]?.string
    do throws(EditRefusal) {
      let keys = try service.keys(ofControl: id, item: item, in: path).map { key -> JSONValue in
        var members: [JSONValue.Member] = [
          .init("name", .string(key.name)), .init("input", .string(key.input.name)),
          .init("written", key.written.map { .string($0) } ?? .null),
          .init("text", key.text.map { .string($0) } ?? .null),
          .init("default", key.defaultText.map { .string($0) } ?? .null),
          .init("about", key.line.map { .string($0) } ?? .null),
          .init("required", .bool(key.isRequired)),
        ]
        switch key.input {
        case .number(let minimum, let maximum):
          members.append(.init("minimum", minimum.map { .number($0) } ?? .null))
          members.append(.init("maximum", maximum.map { .number($0) } ?? .null))
        case .choice(let words):
          members.append(.init("words", .array(words.map { .string($0) })))
        default: break
        }
        return .object(members)
      }
      var members: [JSONValue.Member] = [
        .init("type", "keys"), .init("control", .string(id)),
        .init("item", item.map { .string($0) } ?? .null), .init("keys", .array(keys)),
      ]
      if let place = service.place(ofControl: id, in: path), place.path == path {
        members += span(place.range)
      }
      reply(.object(members))
    } catch {
      reply([
        "type": "keys", "control": .string(id), "item": .null, "keys": [],
        "text": .string(error.description),
      ])
    }
  }

  /// Tells the page how its text changes for a key to have a value.
  private func set(_ message: JSONValue, _ reply: Reply) {
    var edits: [TextEdit] = []
    defer {
      reply([
        "type": "apply", "id": message["id"] ?? .null, "gesture": message["gesture"] ?? .null,
        "revision": .number(Double(revision)), "edits": json(edits),
      ])
    }
    guard message["revision"]?.integer == revision, let id = message["control"]?.string,
      let key = message["key"]?.string
    else { return }
    if let name = message["value"]?.string, message["item"]?.string == nil,
      stage?.engine.placedControl(id)?.kind == key
    {
      return rename(id, to: name, reply)
    }
    let value: KeyValue
    switch message["value"] {
    case .number(let number)?: value = .number(number)
    case .bool(let flag)?: value = .flag(flag)
    case .string(let text)?: value = .text(text)
    case .array(let numbers)?:
      let both = numbers.compactMap(\.number)
      guard both.count == 2 else { return }
      // Places come in pixels of the panel.
      let given = Point(both[0], both[1])
      guard let point = message["unit"]?.string == "pixels" ? designPoint(given) : given else {
        return
      }
      value = .point(point.x.rounded(), point.y.rounded())
    default: return
    }
    do throws(EditRefusal) {
      let (file, found) = try service.edits(
        setting: key, of: id, item: message["item"]?.string, to: value, in: path)
      guard file == path else {
        return problem("\(id) stands in \(file), which is not open here", reply)
      }
      edits = found
    } catch {
      problem(error.description, reply)
    }
  }

  /// Tells the page how its text changes for the shown page to have one more control.
  private func add(_ message: JSONValue, _ reply: Reply) {
    guard message["revision"]?.integer == revision, let kind = message["kind"]?.string,
      let engine = stage?.engine
    else { return }
    let known = Set(engine.controlIDs)
    var number = 1
    while known.contains("\(kind)\(number)") { number += 1 }
    let size = engine.screen.size
    let id = "\(kind)\(number)"
    guard
      let text = LanguageService.newControl(
        kind, id: id, at: ((size.width / 2).rounded(), (size.height / 2).rounded()))
    else { return problem("there is no control of the type \(kind)", reply) }
    change(id, reply) { () throws(EditRefusal) in
      try service.edits(adding: text, toPage: engine.pages[engine.shownPage].name, in: path)
    }
  }

  /// Tells the page how its text changes for a control to go.
  private func remove(_ message: JSONValue, _ reply: Reply) {
    guard message["revision"]?.integer == revision, let id = message["control"]?.string else {
      return
    }
    change(nil, reply) { () throws(EditRefusal) in try service.edits(removing: id, in: path) }
  }

  /// Tells the page how its text changes, and which control is chosen from then on.
  private func change(
    _ id: String?, _ reply: Reply,
    _ edits: () throws(EditRefusal) -> (path: String, edits: [TextEdit])
  ) {
    do throws(EditRefusal) {
      let (file, edits) = try edits()
      guard file == path else {
        return problem("that stands in \(file), which is not open here", reply)
      }
      reply([
        "type": "renamed", "control": id.map { .string($0) } ?? .null,
        "revision": .number(Double(revision)), "edits": json(edits),
      ])
    } catch {
      problem(error.description, reply)
    }
  }

  /// Tells the page how its text changes for a control to have another id, wherever that stands.
  private func rename(_ id: String, to name: String, _ reply: Reply) {
    guard let place = service.place(ofControl: id, in: path) else { return }
    do throws(RenameRefusal) {
      let edits = try service.rename(place.path, at: place.range.lowerBound, to: name)
      let others = edits.keys.filter { $0 != path }.sorted()
      guard others.isEmpty else {
        return problem(
          "\(id) also stands in \(others.joined(separator: ", ")): rename it in an editor", reply)
      }
      reply([
        "type": "renamed", "control": .string(name), "revision": .number(Double(revision)),
        "edits": json(edits[path] ?? []),
      ])
    } catch {
      problem(error.description, reply)
    }
  }

  // MARK: Fingers and state

  private func touch(_ message: JSONValue) {
    guard let stage, let x = message["x"]?.number, let y = message["y"]?.number,
      let point = designPoint(Point(x, y)),
      let phase = ["down": Touch.Phase.down, "move": .move, "up": .up, "cancel": .cancel][
        message["phase"]?.string ?? ""]
    else { return }
    let finger = min(max(message["finger"]?.integer ?? 0, 0), 9)
    let page = stage.engine.shownPage
    let touch = Touch(finger: finger, phase: phase, position: point)
    let time = max(now, stage.now)
    tell(recorder?.take(touch, at: time, on: stage.engine))
    stage.perform { $0.handle(touch, at: time) }
    stage.report()
    if phase != .move || stage.engine.shownPage != page { send(kioskMessage, nil) }
  }

  private func command(_ change: (inout Engine) -> Void) {
    stage?.perform(at: now) { change(&$0) }
    stage?.report()
    send(kioskMessage, nil)
  }

  private func go(to page: String) {
    guard let stage, stage.engine.pages.contains(where: { $0.name == page }) else { return }
    tell(recorder?.take(.go(page: page), at: now))
    command { _ = $0.go(to: page) }
  }

  private func setValue(_ message: JSONValue, _ reply: Reply) {
    guard let stage, let name = message["name"]?.string, let text = message["text"]?.string,
      let reference = Reference(name)
    else { return }
    do {
      try stage.perform(at: now) { engine in
        let value = try Value(text: text, as: engine.kind(named: reference))
        try engine.set(reference, to: value)
        tell(recorder?.take(.set(reference, value), at: now))
      }
    } catch {
      problem("\(error)", reply)
    }
    stage.report()
    send(kioskMessage, nil)
  }

  /// The place of the design that a pixel of the panel shows.
  private func designPoint(_ pixel: Point) -> Point? {
    guard let stage, let face else { return nil }
    return stage.viewport(on: face.canvas).designPoint(face.canvasPoint(pixel))
  }

  private func restart(_ reply: Reply) {
    guard recorder == nil else { return record(reply) }
    theme = nil
    stage?.restart()
    send(kioskMessage, nil)
  }

  /// Shows the kiosk in the theme that was chosen, where it has that.
  private func showTheme() {
    guard let stage, let theme, stage.content.description.themes[theme] != nil else { return }
    stage.perform(at: now) { $0.show(inTheme: theme) }
    stage.report()
  }

  private func setSpeed(_ message: JSONValue) {
    guard let speed = message["speed"]?.number, KioskClock.speeds.contains(speed) else { return }
    clock.run(at: speed, from: loop.now)
    send(kioskMessage, nil)
  }

  /// Sets what a clock on the wall shows; that of this machine where the page says no time.
  private func setClock(_ message: JSONValue, _ reply: Reply) {
    let text = message["clock"]?.string ?? ""
    let own = CivilTime(microseconds: WallClock.localMicroseconds)
    guard let time = text.isEmpty ? own : CivilTime(text) else {
      return problem("\(text) is no time", reply)
    }
    tell(recorder?.take("clock: \(JSONValue.string("\(time)").flow)", at: now))
    command { $0.setClock(time) }
  }

  // MARK: Suites

  private var suites: StudioSuites {
    StudioSuites(kiosk: path, checker: checker, service: service)
  }

  private var suitesMessage: JSONValue {
    [
      "type": "suites", "suites": .array(suites.paths.map { .string($0) }),
      "own": .array(suites.ownPaths.map { .string($0) }),
    ]
  }

  /// Runs a suite on the kiosk as its text is now.
  private func run(_ message: JSONValue, _ reply: Reply) {
    guard let file = message["path"]?.string else { return }
    guard let content = stage?.content else { return problem(Self.lacking, reply) }
    do throws(StudioSuites.Refusal) {
      reply(try suites.run(file, on: content, accepting: message["accepted"]?.string))
    } catch {
      problem(error.text, reply)
    }
  }

  // MARK: Recording

  /// Begins to record a test, of the kiosk as each test begins.
  private func record(_ reply: Reply) {
    guard let stage else { return problem(Self.lacking, reply) }
    theme = nil
    clock = KioskClock(at: loop.now)
    stage.begin(seed: 0)
    stage.report()
    recorder = TestRecorder(at: now)
    send(["type": "recording"], nil)
    send(kioskMessage, nil)
  }

  /// Ends it, and lets the kiosk go on.
  private func endRecording() {
    recorder = nil
    command { $0.setClock(CivilTime(microseconds: WallClock.localMicroseconds)) }
  }

  private func tell(_ steps: [String]?) {
    guard let steps, !steps.isEmpty else { return }
    send(["type": "steps", "steps": .array(steps.map { .string($0) })], nil)
  }

  /// What may be expected of the kiosk as it is, each as a suite writes it.
  private var seenMessage: JSONValue {
    guard let engine = stage?.engine else { return ["type": "seen", "all": []] }
    let page = engine.pages[engine.shownPage]
    var seen: [(name: String, value: Value)] = [("page", .text(page.name))]
    seen += engine.description.values.compactMap { value in
      engine.value(of: .value(value.name)).map { (name: value.name, value: $0) }
    }
    for entry in page.controls where entry.isVisible {
      seen += entry.control.properties.compactMap { name in
        engine.value(of: name, of: entry.id).map { (name: "\(entry.id).\(name)", value: $0) }
      }
    }
    let all = seen.map { JSONValue.object([.init($0.name, JSONValue($0.value))]).flow }
      .filter { $0.utf8.count <= 200 }
    return ["type": "seen", "all": .array(all.prefix(100).map { .string($0) })]
  }

  private func keep(_ message: JSONValue, _ reply: Reply) {
    guard let name = message["name"]?.string, let steps = message["steps"]?.string else { return }
    guard let description = stage?.content.description else {
      return problem(Self.lacking, reply)
    }
    do throws(StudioSuites.Refusal) {
      let suite = try suites.keep(
        name, steps: steps, in: message["path"]?.string, of: description)
      endRecording()
      send(suitesMessage, nil)
      reply(["type": "kept", "path": .string(suite)])
    } catch {
      problem(error.text, reply)
    }
  }
}

extension TextPosition {
  fileprivate init?(page json: JSONValue?) {
    guard let line = json?["line"]?.integer, let column = json?["ch"]?.integer else { return nil }
    self.init(line: line, column: column)
  }
}

extension KeyState.Input {
  fileprivate var name: String {
    switch self {
    case .number: "number"
    case .flag: "flag"
    case .choice: "choice"
    case .color: "color"
    case .text: "text"
    case .structure: "structure"
    }
  }
}
