// SPDX-License-Identifier: MIT

public import Controls
public import Drawing
public import Expressions
public import Geometry
public import Kiosk
public import Motion
public import Presentation
public import Raster

/// Brings a kiosk, a display and fingers together.
///
/// After whatever woke the event loop up, `turn` runs once: the engine moves on to now, what happened
/// is told, and if the display takes a frame it gets what changed. Then it says when it wants to be
/// called again; while nothing moves it does not.
public final class FrameCycle {
  public private(set) var content: Content
  public private(set) var engine: Engine
  private let display: any Display
  private var painter: Painter {
    didSet { preparedPages = 0 }
  }
  /// The pages whose images have been ordered.
  private var preparedPages = 0
  /// There is hardly memory for more.
  private static let maximumPreparedPages = 64
  private let seed: UInt64
  /// Moments since an origin of its own.
  private let clock: () -> Instant
  /// What a clock on the wall shows; nil for one that stands at the engine's own.
  private let wallClock: (() -> CivilTime)?
  /// When the engine's clock is next compared with it.
  private var nextClockCheck = Instant.zero
  /// The moment of the clock that the engine calls zero.
  private let start: Instant
  private var isPowered = true
  /// What the display was given last; nil before its first frame.
  private var shown: Picture?
  private var touches = TouchTimes()
  private var schedule = FrameSchedule()
  /// Whether a finger moved since the last frame was begun.
  private var hasMoved = false
  /// Whether more touches are likely for the next frame, since a finger is down that moved for the
  /// last one.
  private var isFollowing = false
  /// When the next frame begins, if one will: what comes of fingers and the display before then can
  /// wait for it.
  public private(set) var nextFrame: Instant?

  /// What lies on top of all that the kiosk shows, in design pixels.
  public var overlay: [DisplayItem] = []
  /// What a finger did, at which moment of the clock, in design pixels; before it takes effect.
  public var onTouch: (Touch, Instant) -> Void = { _, _ in }
  /// A command that was done, and at which moment of the clock.
  public var onCommand: (Command, Instant) -> Void = { _, _ in }
  /// What happened, in order.
  public var onEvent: (Event) -> Void = { _ in }
  /// A program was asked for.
  public var onProgram: ([String]) -> Void = { _ in }
  /// Part of the canvas was painted anew.
  public var onPaint: (Damage) -> Void = { _ in }
  /// The display changed its picture, at a moment of the clock.
  public var onFlip: (Instant) -> Void = { _ in }
  /// The display could not do what it should have.
  public var onDisplayError: (DisplayError) -> Void = { _ in }

  /// Starts the kiosk now, by `clock`, the display's own, with the values that were `kept`. From now on
  /// the display's flips are told here.
  public init(
    _ content: Content, on display: any Display, seed: UInt64, kept: [String: Value] = [:],
    wallClock: (() -> CivilTime)? = nil, clock: @escaping () -> Instant
  ) {
    self.content = content
    self.display = display
    self.seed = seed
    self.clock = clock
    start = clock()
    self.wallClock = wallClock
    engine = Engine(
      content.description, seed: seed, clock: wallClock?() ?? Engine.defaultClock, kept: kept)
    painter = content.painter(canvas: display.canvasSize)
    display.onFlip = { [weak self] in self?.flipped(at: $0) }
  }

  /// What a picture is made of. Two equal ones look the same, but for what moves by itself.
  private struct Picture: Equatable {
    var revision: UInt64
    var overlay: [DisplayItem]
  }

  private var picture: Picture { Picture(revision: engine.revision, overlay: overlay) }

  /// Whether the display was given the engine's picture as it was at the last turn.
  public var isShown: Bool { shown == picture }

  private func engineTime(_ time: Instant) -> Instant {
    Instant(microseconds: time.microseconds - start.microseconds)
  }

  private func clockTime(_ engineTime: Instant) -> Instant {
    Instant(microseconds: engineTime.microseconds + start.microseconds)
  }

  /// A finger did something at a moment of the clock, at a place of the upright canvas.
  public func handle(finger: Int, _ phase: Touch.Phase, at place: Point, time: Instant) {
    handle(
      Touch(finger: finger, phase: phase, position: painter.viewport.designPoint(place)),
      at: time)
  }

  /// A finger did something at a moment of the clock, in design pixels. How long it takes to be seen
  /// is measured from `arrival`, that moment where none is given.
  public func handle(_ touch: Touch, at time: Instant, arrival: Instant? = nil) {
    onTouch(touch, time)
    if touch.phase == .move { hasMoved = true }
    let wasHeld = engine.control(heldBy: touch.finger) != nil
    engine.handle(touch, at: engineTime(time))
    if wasHeld || engine.control(heldBy: touch.finger) != nil {
      touches.add(reported: arrival ?? time, read: clock())
    }
  }

  /// How long touches took to be seen, since the start.
  public var latency: Latency { touches.latency }

  /// How many frames were shown, since the start.
  public var frames: FrameCounts { schedule.counts }

  private func flipped(at instant: Instant) {
    touches.flip(at: instant)
    schedule.flip(
      at: instant, isTimed: display.vblank == instant, interval: display.refreshInterval)
    onFlip(instant)
  }

  /// The present moment of the clock.
  public var now: Instant { clock() }

  /// Does a command, at a moment of the clock that has come; now where none is given.
  public func apply(_ command: Command, at time: Instant? = nil) throws(CommandError) {
    let time = time ?? clock()
    engine.advance(to: engineTime(time))
    try engine.apply(command)
    onCommand(command, time)
  }

  /// Changes the kiosk, now.
  public func perform<Result, Failure: Error>(
    _ command: (inout Engine) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    engine.advance(to: engineTime(clock()))
    return try command(&engine)
  }

  /// What was painted last: what the display shows or is about to show, upright.
  public var canvas: Canvas { painter.canvas }

  /// How the design lies on the canvas.
  public var viewport: Viewport { painter.viewport }

  /// Whether nothing moves and the display has been given all that is to be seen.
  public var isStill: Bool { isShown && engine.isStill && overlay.isEmpty && !painter.isPreparing }

  /// Shows another version of the kiosk; what was chosen stays chosen.
  public func replace(with content: Content) {
    engine.advance(to: engineTime(clock()))
    engine.replace(with: content.description, seed: seed)
    self.content = content
    painter = content.painter(canvas: display.canvasSize, replacing: painter)
  }

  /// What is to be made of images next, for whoever has time: first what is shown, then what the other
  /// pages show.
  package func takeImageWork() -> ImageWork? {
    guard content.imagePreparation == .later else { return nil }
    while true {
      if let work = painter.takeImageWork() { return work }
      guard isShown, preparedPages < min(engine.pages.count, Self.maximumPreparedPages),
        !content.images.isEmpty
      else { return nil }
      painter.prepare(engine.displayList(of: preparedPages))
      preparedPages += 1
    }
  }

  /// Takes what was made, to show it.
  package func finish(_ images: FinishedImages) {
    painter.finish(images)
    shown = nil
  }

  /// Makes the kiosk as it is after its start: what was chosen and set is forgotten, and fingers hold
  /// nothing. With a `seed` chance falls that way from here on.
  public func restart(seed: UInt64? = nil) {
    engine.advance(to: engineTime(clock()))
    engine.restart(content.description, seed: seed ?? self.seed)
  }

  /// Whether a shake would do something.
  public var awaitsShake: Bool { engine.awaitsShake }

  /// The panel was shaken at `time` of the clock.
  public func shake(time: Instant) {
    // It suits every kiosk.
    try? apply(.shake, at: time)
  }

  /// Tells subscribers of something that failed outside of the engine.
  public func reportFailure(_ message: String) {
    engine.reportFailure(message, at: engineTime(clock()))
  }

  /// Does all that is due, and says when it wants to be called again.
  public func turn() -> Instant? {
    let now = engineTime(clock())
    engine.advance(to: now)
    followWallClock(at: now)
    tell()
    do throws(DisplayError) {
      try show()
    } catch {
      onDisplayError(error)
    }
    nextFrame = plannedFrame
    // What happens before the next frame is told with it: a wheel may pass several detents meanwhile,
    // and each event tells its own moment.
    return nextFrame ?? engine.nextChange.map(clockTime)
  }

  /// The wall clock has been set: it is looked at in the next turn.
  public func noteClockStep() { nextClockCheck = .zero }

  /// The two clocks go on together, but for one that is set, and summer time.
  private func followWallClock(at now: Instant) {
    guard let wallClock, now >= nextClockCheck else { return }
    nextClockCheck = now + 1
    let time = wallClock()
    // The two are read one after the other; what a step changes is more.
    if abs(time.microseconds - engine.clock.microseconds) > 50_000 { engine.setClock(time) }
  }

  private func tell() {
    // Whoever is told may command the kiosk, of which there is more to tell; a circle is left to the
    // next turn.
    for _ in 0..<16 {
      let events = engine.takeEvents()
      let programs = engine.takePrograms()
      if events.isEmpty && programs.isEmpty { break }
      for event in events { onEvent(event) }
      // One that cannot be started is an event of this turn: the next may be long in coming.
      for program in programs { onProgram(program) }
    }
  }

  private func show() throws(DisplayError) {
    if isPowered == engine.isBlank {
      isPowered = !engine.isBlank
      try display.setPower(isPowered)
    }
    if display.state != .showing { touches.dropAll() }
    // A panel that sleeps shows all that there is.
    if !isPowered { shown = picture }
    guard display.isReady, wantsFrame else { return }
    let begun = clock()
    let frame = schedule.frame(
      wantedAt: begun, vblank: display.vblank, interval: display.refreshInterval)
    guard frame.begin <= begun else { return }
    isFollowing = hasMoved && !engine.fingers.isEmpty
    hasMoved = false
    guard !isShown || display.needsFrame else { return schedule.forget() }
    shown = picture
    if painter.canvas.size != display.canvasSize {
      painter = content.painter(canvas: display.canvasSize)
    }
    var list = engine.displayList
    if !engine.isBlank { list.items += overlay }
    let damage = painter.show(list)
    if damage.isEmpty { touches.dropWaiting() } else { onPaint(damage) }
    guard !damage.isEmpty || display.needsFrame else {
      return schedule.skip(frame, interval: display.refreshInterval)
    }
    touches.commit(begun: begun, at: clock())
    schedule.begin(frame)
    // The display keeps what it cannot show at once, so each damage is given to it once.
    try display.present(painter.canvas, damage: damage)
    schedule.commit(at: clock(), frame)
  }

  private var wantsFrame: Bool {
    isPowered && (!isShown || engine.isMoving || isFollowing || display.needsFrame)
  }

  /// When the next frame begins, if nothing but time is needed for it.
  private var plannedFrame: Instant? {
    guard wantsFrame else {
      schedule.forget()
      return nil
    }
    // A flip that is under way ends with an event; a pause between frames ends by itself.
    return if display.isReady {
      schedule.frame(
        wantedAt: clock(), vblank: display.vblank, interval: display.refreshInterval
      ).begin
    } else {
      display.readyAt
        ?? schedule.frameAfterFlip(
          at: clock(), hasBlanks: display.vblank != nil, interval: display.refreshInterval
        )?.begin
    }
  }
}
