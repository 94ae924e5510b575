// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelControls
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelJSON
internal import JSONRPC
internal import Kiosk
internal import KioskHost
internal import LinuxIO
internal import RoundelMotion
internal import RoundelRaster
internal import RoundelRuntime
internal import RoundelSession

/// The live kiosk of the source, and the recorded test.
final class StudioKiosk {
  var onEvent: ([JSONValue.Member]) -> Void = { _ in }
  /// Called with another panel's canvas size; see `StudioPanel`.
  var onCanvas: (PixelSize?) -> Void = { _ in }

  private let pages: StudioPages
  private let loop: EventLoop
  /// The stage, or nil until the source has been valid.
  private(set) var stage: Stage?
  private var written: Content?
  private var panel = StudioPanel()
  /// The chosen theme, which new versions of the file keep, or nil to use the file's.
  private var theme: String?
  private var clock: KioskClock
  private var recorder: TestRecorder?
  /// The steps of the recorded test, which a page may have edited.
  private var steps = ""

  private static let frame = 1.0 / 60
  static let lacking = "the kiosk has errors"

  init(for pages: StudioPages, on loop: EventLoop) {
    self.pages = pages
    self.loop = loop
    clock = KioskClock(at: loop.now)
  }

  var engine: Engine? { stage?.engine }

  var palette: StudioPalette {
    let theme = engine?.theme ?? .dark
    if let known = knownPalette, known.theme == theme { return known.palette }
    let palette = StudioPalette(in: theme)
    knownPalette = (theme, palette)
    return palette
  }
  private var knownPalette: (theme: Theme, palette: StudioPalette)?

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

  private var now: Instant { clock.instant(at: loop.now) }

  private var face: PanelFace? { stage.map { panel.face(of: $0.content) } }

  func advance() {
    guard let stage else { return }
    stage.perform(at: now) { _ in }
    stage.report()
  }

  /// The time of the picture's next change, or nil.
  var nextChange: Timestamp? {
    guard let stage, clock.speed > 0 else { return nil }
    if stage.engine.isMoving { return loop.now + Self.frame }
    return stage.engine.nextChange.flatMap { clock.time(of: $0) }
  }

  func picture(since old: SeenPicture?) -> (parts: [[UInt8]], seen: SeenPicture)? {
    guard let stage, let face else { return nil }
    let picture = stage.picture(face.canvas)
    let seen = SeenPicture.here(frame: picture.frame, face)
    guard old != seen else { return ([], seen) }
    let whole = PixelRect(size: face.canvas)
    // On another panel, everything has changed.
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

  /// The kiosk's state, or nil before its first valid version.
  var state: KioskState? {
    guard let stage, let face else { return nil }
    let engine = stage.engine
    let viewport = stage.viewport(on: face.canvas)
    return KioskState {
      $0.kiosk = engine.name
      $0.page = engine.pages[engine.activePage].name
      $0.pages = engine.declaredPages.map(\.name)
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

  private func publishState() {
    if let state { pages.notify(state) }
  }

  // MARK: The panel and the clock

  func changePanel(_ given: PanelParameters) {
    let old = panel.shape
    panel.take(given)
    if panel.shape != old, let written { show(written) }
    onCanvas(panel.canvas)
    publishState()
  }

  func choose(theme: String?) {
    self.theme = theme
    showTheme()
    publishState()
  }

  private func showTheme() {
    guard let stage, let theme, stage.content.description.themes[theme] != nil else { return }
    stage.perform(at: now) { $0.show(inTheme: theme) }
    stage.report()
  }

  func setSpeed(_ speed: Double) {
    guard KioskClock.speeds.contains(speed) else { return }
    clock.run(at: speed, from: loop.now)
    publishState()
  }

  /// An empty string selects this machine's time.
  func setClock(_ text: String) throws {
    let own = CivilTime(microseconds: WallClock.localMicroseconds)
    guard let time = text.isEmpty ? own : CivilTime(text) else {
      throw RemoteError(.failed, "\(text) is not a time")
    }
    publish(recorder?.take("clock: \(JSONValue.string("\(time)").flow)", at: now))
    command { $0.setClock(time) }
  }

  // MARK: Touches and values

  func touch(_ given: PageTouch) {
    guard let stage, let point = designPoint(given.pixel) else { return }
    let page = stage.engine.activePage
    let touch = Touch(finger: given.finger, phase: given.phase, position: point)
    let time = max(now, stage.now)
    publish(recorder?.take(touch, at: time, on: stage.engine))
    stage.perform { $0.handle(touch, at: time) }
    stage.report()
    if given.phase != .move || stage.engine.activePage != page { publishState() }
  }

  private func command(_ change: (inout Engine) -> Void) {
    stage?.perform(at: now) { change(&$0) }
    stage?.report()
    publishState()
  }

  func go(to page: String) {
    guard let stage, stage.engine.has(page: page) else { return }
    let order = stage.engine.isOver(page: page) ? Command.show(page: page) : .go(page: page)
    publish(recorder?.take(order, at: now))
    command { _ = try? $0.apply(order) }
  }

  func setValue(_ given: ValueParameters) throws {
    guard let stage, let reference = Reference(given.name) else { return }
    defer {
      stage.report()
      publishState()
    }
    try stage.perform(at: now) { engine in
      let value = try Value(text: given.text, as: engine.kind(named: reference))
      try engine.set(reference, to: value)
      publish(recorder?.take(.set(reference, value), at: now))
    }
  }

  func designPoint(_ pixel: Point) -> Point? {
    guard let stage, let face else { return nil }
    return stage.viewport(on: face.canvas).designPoint(face.canvasPoint(pixel))
  }

  func restart() throws {
    guard recorder == nil else { return try record() }
    theme = nil
    stage?.restart()
    publishState()
  }

  // MARK: Recording

  /// The kiosk begins in the same state as for each test.
  func record() throws {
    guard let stage else { throw RemoteError(.failed, Self.lacking) }
    theme = nil
    clock = KioskClock(at: loop.now)
    stage.begin(seed: 0)
    stage.report()
    recorder = TestRecorder(at: now)
    steps = ""
    pages.notify(recordingNotice)
    publishState()
  }

  func endRecording() {
    recorder = nil
    steps = ""
    command { $0.setClock(CivilTime(microseconds: WallClock.localMicroseconds)) }
  }

  func expect(_ text: String) { publish(recorder?.take("expect: \(text)", at: now)) }

  private func publish(_ steps: [String]?) {
    guard let steps, !steps.isEmpty else { return }
    let text = steps.map { "- \($0)\n" }.joined()
    self.steps += text
    pages.notify(StepsNotice(text: text))
  }

  /// Sends a page's edited steps to the other pages.
  func change(steps: String, from page: ClientID) {
    guard recorder != nil, steps.utf8.count <= Files.Kind.part.maximumBytes else { return }
    self.steps = steps
    pages.notify(recordingNotice) { $0 != page }
  }

  var recordingNotice: RecordingNotice { RecordingNotice(steps: recorder == nil ? nil : steps) }

  /// The satisfied expectations in the syntax of suites.
  var seen: SeenAnswer {
    guard let engine = stage?.engine else { return SeenAnswer() }
    let page = engine.pages[engine.activePage]
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
