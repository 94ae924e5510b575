// SPDX-License-Identifier: MIT

internal import Declarations
internal import Controls
internal import Drawing
internal import Expressions
internal import Geometry
internal import JSON
internal import Kiosk
internal import KioskHost
internal import LinuxIO
internal import Motion
internal import Raster
internal import Runtime
internal import Session

/// The kiosk that lives beside its source: on a panel and by a clock that pages choose, under their fingers, and with
/// the test that is recorded of it.
final class StudioKiosk {
  typealias Reply = StudioPages.Reply

  /// Called with each event.
  var onEvent: (JSONValue) -> Void = { _ in }
  /// Called with the canvas of another panel; see `StudioPanel`.
  var onCanvas: (PixelSize?) -> Void = { _ in }

  private let pages: StudioPages
  private let loop: EventLoop
  /// Nil until the source has had no mistakes.
  private(set) var stage: Stage?
  /// The kiosk as its file says.
  private var written: Content?
  private var panel = StudioPanel()
  /// The theme that was chosen here, which another version of the file shows as well; nil for the file's.
  private var theme: String?
  private var clock: KioskClock
  /// While a test is recorded.
  private var recorder: TestRecorder?
  /// The steps of that test as pages show them: one may have changed them.
  private var steps = ""

  private static let frame = 1.0 / 60
  static let lacking = "the kiosk has mistakes"

  init(for pages: StudioPages, on loop: EventLoop) {
    self.pages = pages
    self.loop = loop
    clock = KioskClock(at: loop.now)
  }

  var engine: Engine? { stage?.engine }

  /// The kinds of controls in the theme that is shown.
  var palette: StudioPalette {
    let theme = engine?.theme ?? .dark
    if let known = knownPalette, known.theme == theme { return known.palette }
    let palette = StudioPalette(in: theme)
    knownPalette = (theme, palette)
    return palette
  }
  private var knownPalette: (theme: Theme, palette: StudioPalette)?

  /// Goes on as another version of the kiosk.
  func show(_ given: Content) {
    written = given
    let content = panel.shown(given)
    if let stage {
      stage.perform(at: now) { _ in }
      stage.replace(with: content)
      showTheme()
    } else {
      let stage = Stage(
        content, seed: 0, clock: CivilTime(microseconds: WallClock.localMicroseconds))
      stage.onEvent = { [unowned self] event in
        onEvent(.object(SessionLine(event).members))
      }
      self.stage = stage
    }
  }

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

  /// The parts of the picture that have changed since a page showed something of it, each with its place before
  /// its pixels; nil where there is no picture.
  func picture(since old: SeenPicture?) -> (parts: [[UInt8]], seen: SeenPicture)? {
    guard let stage, let face else { return nil }
    let picture = stage.picture(face.canvas)
    let seen = SeenPicture.here(frame: picture.frame, face)
    guard old != seen else { return ([], seen) }
    let whole = PixelRect(size: face.canvas)
    // Another panel shows none of what is there.
    let known: Int? = if case .here(let frame, face)? = old { frame } else { nil }
    let damage = picture.damage(since: known)
    let parts = damage.rects.compactMap { rect -> [UInt8]? in
      let part = rect.intersection(whole)
      return part.isEmpty
        ? nil : PictureMessage.bytes(face.shown(picture.block(part)), of: face.size)
    }
    return (parts, seen)
  }

  // MARK: State

  /// The pages, the controls of the shown one with their places, and the values.
  var stateMessage: JSONValue {
    guard let stage, let face else { return ["type": "kiosk"] }
    let engine = stage.engine
    let viewport = stage.viewport(on: face.canvas)
    let page = engine.pages[engine.shownPage]
    let theme = engine.description.themes.filter { $0.value == engine.theme }.keys.min()
    let origin = face.panelPoint(viewport.canvasPoint(.zero))
    let screen = face.panelRect(viewport.canvasRect(Rect(size: engine.screen.size)))
    return [
      "type": "kiosk", "name": .string(engine.name), "page": .string(page.name),
      "pages": .array(engine.pages.map { .string($0.name) }),
      "languages": .array(engine.description.languages.map { .string($0) }),
      "language": .string(engine.language),
      "themes": .array(engine.description.themes.keys.sorted().map { .string($0) }),
      "theme": theme.map { .string($0) } ?? .null,
      "records": .bool(recorder != nil), "panel": panel.json, "speed": .number(clock.speed),
      "clock": .string("\(engine.clock)"),
      "scale": .number(viewport.scale), "controls": controls(on: face),
      "origin": [.number(origin.x), .number(origin.y)],
      "screen": .array([screen.x0, screen.y0, screen.x1, screen.y1].map { .number($0) }),
      "values": .object(
        engine.description.values.map { value in
          .init(value.name, engine.value(of: .value(value.name)).map { JSONValue($0) } ?? .null)
        }),
    ]
  }

  // MARK: The panel and the clock

  func changePanel(_ json: JSONValue) {
    let old = panel.shape
    panel.take(json)
    if panel.shape != old, let written { show(written) }
    onCanvas(panel.canvas)
    pages.tell(stateMessage)
  }

  func choose(theme: String?) {
    self.theme = theme
    showTheme()
    pages.tell(stateMessage)
  }

  /// Shows the kiosk in the theme that was chosen, where it has that.
  private func showTheme() {
    guard let stage, let theme, stage.content.description.themes[theme] != nil else { return }
    stage.perform(at: now) { $0.show(inTheme: theme) }
    stage.report()
  }

  func setSpeed(_ json: JSONValue) {
    guard let speed = json["speed"]?.number, KioskClock.speeds.contains(speed) else { return }
    clock.run(at: speed, from: loop.now)
    pages.tell(stateMessage)
  }

  /// Sets what a clock on the wall shows; that of this machine where the page says no time.
  func setClock(_ json: JSONValue, _ reply: Reply) {
    let text = json["clock"]?.string ?? ""
    let own = CivilTime(microseconds: WallClock.localMicroseconds)
    guard let time = text.isEmpty ? own : CivilTime(text) else {
      return reply(.problem("\(text) is not a time"))
    }
    tell(recorder?.take("clock: \(JSONValue.string("\(time)").flow)", at: now))
    command { $0.setClock(time) }
  }

  // MARK: Fingers and values

  func touch(_ json: JSONValue) {
    guard let stage, let given = PageTouch(json), let point = designPoint(given.pixel) else {
      return
    }
    let page = stage.engine.shownPage
    let touch = Touch(finger: given.finger, phase: given.phase, position: point)
    let time = max(now, stage.now)
    tell(recorder?.take(touch, at: time, on: stage.engine))
    stage.perform { $0.handle(touch, at: time) }
    stage.report()
    if given.phase != .move || stage.engine.shownPage != page { pages.tell(stateMessage) }
  }

  private func command(_ change: (inout Engine) -> Void) {
    stage?.perform(at: now) { change(&$0) }
    stage?.report()
    pages.tell(stateMessage)
  }

  func go(to page: String) {
    guard let stage, stage.engine.pages.contains(where: { $0.name == page }) else { return }
    tell(recorder?.take(.go(page: page), at: now))
    command { _ = $0.go(to: page) }
  }

  func setValue(_ json: JSONValue, _ reply: Reply) {
    guard let stage, let name = json["name"]?.string, let text = json["text"]?.string,
      let reference = Reference(name)
    else { return }
    do {
      try stage.perform(at: now) { engine in
        let value = try Value(text: text, as: engine.kind(named: reference))
        try engine.set(reference, to: value)
        tell(recorder?.take(.set(reference, value), at: now))
      }
    } catch {
      reply(.problem("\(error)"))
    }
    stage.report()
    pages.tell(stateMessage)
  }

  /// The place of the design that a pixel of the panel shows.
  func designPoint(_ pixel: Point) -> Point? {
    guard let stage, let face else { return nil }
    return stage.viewport(on: face.canvas).designPoint(face.canvasPoint(pixel))
  }

  func restart(_ reply: Reply) {
    guard recorder == nil else { return record(reply) }
    theme = nil
    stage?.restart()
    pages.tell(stateMessage)
  }

  // MARK: Recording

  /// Begins to record a test, of the kiosk as each test begins.
  func record(_ reply: Reply) {
    guard let stage else { return reply(.problem(Self.lacking)) }
    theme = nil
    clock = KioskClock(at: loop.now)
    stage.begin(seed: 0)
    stage.report()
    recorder = TestRecorder(at: now)
    steps = ""
    pages.tell(recordingMessage)
    pages.tell(stateMessage)
  }

  /// Ends it, and lets the kiosk go on.
  func endRecording() {
    recorder = nil
    steps = ""
    command { $0.setClock(CivilTime(microseconds: WallClock.localMicroseconds)) }
  }

  /// Notes what is expected now.
  func expect(_ text: String) { tell(recorder?.take("expect: \(text)", at: now)) }

  private func tell(_ steps: [String]?) {
    guard let steps, !steps.isEmpty else { return }
    let text = steps.map { "- \($0)\n" }.joined()
    self.steps += text
    pages.tell(["type": "steps", "text": .string(text)])
  }

  /// Takes the steps as a page has changed them, and tells the others.
  func change(steps: String, from page: ObjectIdentifier) {
    guard recorder != nil, steps.utf8.count <= Files.Kind.part.maximumBytes else { return }
    self.steps = steps
    pages.tell(recordingMessage, butTo: page)
  }

  /// The test that is recorded.
  var recordingMessage: JSONValue {
    ["type": "recording", "steps": recorder == nil ? .null : .string(steps)]
  }

  /// The expectations that hold for the kiosk as it is, each as a suite writes it.
  var seenMessage: JSONValue {
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
}
