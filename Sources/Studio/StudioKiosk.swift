// SPDX-License-Identifier: MIT

internal import Declarations
internal import Controls
internal import Drawing
internal import Expressions
internal import Geometry
internal import JSON
internal import JSONRPC
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
  /// Called with each event.
  var onEvent: ([JSONValue.Member]) -> Void = { _ in }
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
        onEvent(SessionLine(event).members)
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

  /// The state of the kiosk, or nil before its first version without mistakes.
  var state: KioskState? {
    guard let stage, let face else { return nil }
    let engine = stage.engine
    let viewport = stage.viewport(on: face.canvas)
    return KioskState {
      $0.kiosk = engine.name
      $0.page = engine.pages[engine.shownPage].name
      $0.pages = engine.pages.map(\.name)
      $0.languages = engine.description.languages
      $0.language = engine.language
      $0.themes = engine.description.themes.keys.sorted()
      $0.theme = engine.description.themes.filter { $0.value == engine.theme }.keys.min()
      $0.isRecording = recorder != nil
      $0.panel = panel.choices
      $0.speed = clock.speed
      $0.clock = "\(engine.clock)"
      $0.scale = viewport.scale
      $0.controls = controls(on: face)
      $0.origin = face.panelPoint(viewport.canvasPoint(.zero))
      $0.screen = face.panelRect(viewport.canvasRect(Rect(size: engine.screen.size)))
      $0.values = engine.description.values.map { value in
        .init(value.name, engine.value(of: .value(value.name)).map { JSONValue($0) } ?? .null)
      }
    }
  }

  private func tellState() {
    if let state { pages.tell(state) }
  }

  // MARK: The panel and the clock

  func changePanel(_ given: PanelParameters) {
    let old = panel.shape
    panel.take(given)
    if panel.shape != old, let written { show(written) }
    onCanvas(panel.canvas)
    tellState()
  }

  func choose(theme: String?) {
    self.theme = theme
    showTheme()
    tellState()
  }

  /// Shows the kiosk in the theme that was chosen, where it has that.
  private func showTheme() {
    guard let stage, let theme, stage.content.description.themes[theme] != nil else { return }
    stage.perform(at: now) { $0.show(inTheme: theme) }
    stage.report()
  }

  func setSpeed(_ speed: Double) {
    guard KioskClock.speeds.contains(speed) else { return }
    clock.run(at: speed, from: loop.now)
    tellState()
  }

  /// Sets the kiosk's clock. An empty string is this machine's time.
  func setClock(_ text: String) throws {
    let own = CivilTime(microseconds: WallClock.localMicroseconds)
    guard let time = text.isEmpty ? own : CivilTime(text) else {
      throw RemoteError(.failed, "\(text) is not a time")
    }
    tell(recorder?.take("clock: \(JSONValue.string("\(time)").flow)", at: now))
    command { $0.setClock(time) }
  }

  // MARK: Fingers and values

  func touch(_ given: PageTouch) {
    guard let stage, let point = designPoint(given.pixel) else { return }
    let page = stage.engine.shownPage
    let touch = Touch(finger: given.finger, phase: given.phase, position: point)
    let time = max(now, stage.now)
    tell(recorder?.take(touch, at: time, on: stage.engine))
    stage.perform { $0.handle(touch, at: time) }
    stage.report()
    if given.phase != .move || stage.engine.shownPage != page { tellState() }
  }

  private func command(_ change: (inout Engine) -> Void) {
    stage?.perform(at: now) { change(&$0) }
    stage?.report()
    tellState()
  }

  func go(to page: String) {
    guard let stage, stage.engine.pages.contains(where: { $0.name == page }) else { return }
    tell(recorder?.take(.go(page: page), at: now))
    command { _ = $0.go(to: page) }
  }

  func setValue(_ given: ValueParameters) throws {
    guard let stage, let reference = Reference(given.name) else { return }
    defer {
      stage.report()
      tellState()
    }
    try stage.perform(at: now) { engine in
      let value = try Value(text: given.text, as: engine.kind(named: reference))
      try engine.set(reference, to: value)
      tell(recorder?.take(.set(reference, value), at: now))
    }
  }

  /// The place of the design that a pixel of the panel shows.
  func designPoint(_ pixel: Point) -> Point? {
    guard let stage, let face else { return nil }
    return stage.viewport(on: face.canvas).designPoint(face.canvasPoint(pixel))
  }

  func restart() throws {
    guard recorder == nil else { return try record() }
    theme = nil
    stage?.restart()
    tellState()
  }

  // MARK: Recording

  /// Begins to record a test, of the kiosk as each test begins.
  func record() throws {
    guard let stage else { throw RemoteError(.failed, Self.lacking) }
    theme = nil
    clock = KioskClock(at: loop.now)
    stage.begin(seed: 0)
    stage.report()
    recorder = TestRecorder(at: now)
    steps = ""
    pages.tell(recordingNotice)
    tellState()
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
    pages.tell(StepsNotice(text: text))
  }

  /// Takes the steps as a page has changed them, and tells the others.
  func change(steps: String, from page: ClientID) {
    guard recorder != nil, steps.utf8.count <= Files.Kind.part.maximumBytes else { return }
    self.steps = steps
    pages.tell(recordingNotice) { $0 != page }
  }

  /// The test that is recorded.
  var recordingNotice: RecordingNotice { RecordingNotice(steps: recorder == nil ? nil : steps) }

  /// The expectations that hold for the kiosk as it is, each as a suite writes it.
  var seen: SeenAnswer {
    guard let engine = stage?.engine else { return SeenAnswer() }
    let page = engine.pages[engine.shownPage]
    var found: [(name: String, value: Value)] = [("page", .text(page.name))]
    found += engine.description.values.compactMap { value in
      engine.value(of: .value(value.name)).map { (name: value.name, value: $0) }
    }
    for entry in page.controls where entry.isVisible {
      found += entry.control.properties.compactMap { name in
        engine.value(of: name, of: entry.id).map { (name: "\(entry.id).\(name)", value: $0) }
      }
    }
    let all = found.map { JSONValue.object([.init($0.name, JSONValue($0.value))]).flow }
      .filter { $0.utf8.count <= 200 }
    return SeenAnswer(all: Array(all.prefix(100)))
  }
}
