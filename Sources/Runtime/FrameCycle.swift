// SPDX-License-Identifier: MIT

package import Controls
package import Drawing
package import Expressions
package import Geometry
package import Kiosk
package import Motion
package import Presentation
package import Raster

/// Brings a kiosk, a display and fingers together.
///
/// After whatever woke the event loop up, `turn` runs once: the engine moves on to now, what happened
/// is reported, and if the display takes a frame it gets what changed. Then it says when it wants to be
/// called again; while nothing moves it does not.
package final class FrameCycle {
  private let stage: Stage
  private let display: any Display
  /// Moments since an origin of its own.
  private let clock: () -> Timestamp
  /// The time of a clock on the wall; nil where the engine's own is right.
  private let wallClock: (() -> CivilTime)?
  /// When the engine's clock is next compared with it.
  private var nextClockCheck = Instant.zero
  /// The moment of the clock that the engine calls zero.
  private let start: Timestamp
  /// Whether the display is awake.
  private var power = HeldState<Bool, DisplayError>(true)
  /// The look of the picture that was made last; nil before the first frame.
  private var shown: Look? {
    didSet { lookCount &+= 1 }
  }
  /// Grows with each change of `shown`.
  private var lookCount = 0
  /// The counts of which canvases of other sizes show the looks.
  private var mirroredLooks: [PixelSize: Int] = [:]
  private var touches = TouchTimes()
  private var schedule = FrameSchedule()
  /// Whether a finger moved since the last frame was begun.
  private var hasMoved = false
  /// Whether more touches are likely for the next frame, since a finger is down that moved for the
  /// last one.
  private var isFollowing = false
  /// When the next frame begins, if one will: what comes of fingers and the display before then can
  /// wait for it.
  package private(set) var nextFrame: Timestamp?

  /// Where the fingers of a panel are drawn between their samples; nil for where they were sampled.
  /// Nothing but the picture depends on it.
  package var resampler: TouchResampler?

  /// Called with what a finger did, at which moment of the clock, in design pixels; not of one that
  /// belongs to a control where that is secret.
  package var onTouch: (Touch, Timestamp) -> Void = { _, _ in }
  /// Called when everything under way has ended, before a restart and the end of the process.
  package var onFinish: () -> Void = {}
  /// Called with a command that was done, and at which moment of the clock.
  package var onCommand: (Command, Timestamp) -> Void = { _, _ in }
  /// Called when the display changed its picture, with the moment of the clock.
  package var onFlip: (Timestamp) -> Void = { _ in }
  /// Called when the display could not do what it should have.
  package var onDisplayError: (DisplayError) -> Void = { _ in }

  /// The display's last refusal to sleep or to wake, or nil if it took its state. The cycle tries again.
  package var powerFailure: DisplayError? { power.failure }

  /// Starts the kiosk now, by `clock`, the display's own, with the values that were `kept`, or goes on with
  /// a `past`. From now on the display's flips are reported here.
  package init(
    _ content: Content, on display: any Display, seed: UInt64, kept: [String: Value] = [:],
    continuing past: Continuation? = nil, wallClock: (() -> CivilTime)? = nil,
    clock: @escaping () -> Timestamp
  ) {
    self.display = display
    self.clock = clock
    start = clock()
    self.wallClock = wallClock
    stage = Stage(
      content, seed: seed, clock: wallClock?() ?? Engine.defaultClock, kept: kept, continuing: past)
    display.onFlip = { [weak self] in self?.flipped(at: $0, frame: $1) }
  }

  package var content: Content { stage.content }
  package var engine: Engine { stage.engine }

  /// Shapes in front of all that the kiosk shows, in design pixels.
  package var overlay: [DisplayItem] {
    get { stage.overlay }
    set { stage.overlay = newValue }
  }

  /// Where an arrow stands for a mouse, in pixels of the upright canvas; nil for none.
  package var pointer: Point? {
    get { stage.pointer }
    set { stage.pointer = newValue }
  }

  /// Called with each event, in order.
  package var onEvent: (Event) -> Void {
    get { stage.onEvent }
    set { stage.onEvent = newValue }
  }

  /// Called with each program that the kiosk wants to run.
  package var onProgram: ([String]) -> Void {
    get { stage.onProgram }
    set { stage.onProgram = newValue }
  }

  /// Called with each sound file that the kiosk plays.
  package var onSound: (String) -> Void {
    get { stage.onSound }
    set { stage.onSound = newValue }
  }

  /// Called with what the kiosk says.
  package var onUtterances: ([Utterance]) -> Void {
    get { stage.onUtterances }
    set { stage.onUtterances = newValue }
  }

  /// A summary of a picture. Where two are equal, the pictures are, too.
  private struct Look: Equatable {
    var engine: Engine.Look
    var overlay: [DisplayItem]
    var pointer: Point?
    /// Whether fingers are drawn elsewhere than they were sampled last.
    var isResampled = false
  }

  /// The present look, with fingers where they were sampled last. O(n) in the controls of the page and
  /// the shapes of the overlay.
  private var look: Look { Look(engine: engine.look, overlay: overlay, pointer: pointer) }

  /// Whether the picture shows all that has changed up to the last turn.
  package var isShown: Bool {
    guard var shown else { return false }
    shown.isResampled = false
    return shown == look
  }

  /// Whether the picture shows the engine as it was at the last turn, and fingers as they were sampled.
  private var isCurrent: Bool { shown == look }

  private func engineTime(_ time: Timestamp) -> Instant {
    Instant(microseconds: time.microseconds - start.microseconds)
  }

  private func clockTime(_ engineTime: Instant) -> Timestamp {
    Timestamp(microseconds: engineTime.microseconds + start.microseconds)
  }

  /// A finger did something at a moment of the clock, at a place of the upright canvas.
  package func handle(finger: Int, _ phase: Touch.Phase, at place: Point, time: Timestamp) {
    let touch = Touch(finger: finger, phase: phase, position: viewport.designPoint(place))
    resampler?.add(touch, at: time)
    handle(touch, at: time)
  }

  /// A finger did something at a moment of the clock, in design pixels. How long it takes to be seen
  /// is measured from `arrival`, that moment where none is given. Returns what received the touch.
  @discardableResult
  package func handle(
    _ touch: Touch, at time: Timestamp, arrival: Timestamp? = nil
  ) -> TouchReceiver {
    if touch.phase == .move { hasMoved = true }
    let receiver = stage.perform { $0.handle(touch, at: engineTime(time)) }
    if !receiver.isSecret { onTouch(touch, time) }
    if receiver.control != nil || receiver.isPage {
      touches.add(reported: arrival ?? time, read: clock())
    }
    return receiver
  }

  /// How long touches took to be seen, since the start.
  package var latency: Latency { touches.latency }

  /// How many frames were shown, since the start.
  package var frames: FrameCounts { schedule.counts }

  /// Bytes of pixels that the display was given for them; see `Display.sentBytes`.
  package private(set) var sentBytes = 0
  /// The part of the display's own count that is included in it.
  private var countedBytes = 0

  private func flipped(at instant: Timestamp, frame: Int) {
    touches.flip(at: instant, frame: frame)
    schedule.flip(
      at: instant, isTimed: display.vblank == instant, interval: display.refreshInterval)
    onFlip(instant)
  }

  /// The present moment of the clock.
  package var now: Timestamp { clock() }

  /// Does a command, at a moment of the clock that has come; now where none is given.
  package func apply(_ command: Command, at time: Timestamp? = nil) throws(CommandError) {
    let time = time ?? clock()
    let isSecret = command.kind == .key && engine.keysAreSecret
    try stage.perform(at: engineTime(time)) { engine throws(CommandError) in
      try engine.apply(command)
    }
    if !isSecret { onCommand(command, time) }
  }

  /// Changes the kiosk, now.
  @discardableResult
  package func perform<Result, Failure: Error>(
    _ command: (inout Engine) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try stage.perform(at: engineTime(clock()), command)
  }

  /// The picture that the display shows or is about to show, upright.
  package var picture: Painter { stage.shownPicture(display.canvasSize) }

  /// The moment of the engine that `picture` shows.
  package var pictureMoment: Instant { stage.pictureMoment }

  /// How the design lies on the display's canvas.
  package var viewport: Viewport { stage.viewport(on: display.canvasSize) }

  /// Whether nothing moves and the display has been given all that is to be seen.
  package var isStill: Bool {
    isCurrent && engine.isStill && overlay.isEmpty && !picture.isPreparing
  }

  /// Shows another version of the kiosk; what was chosen stays chosen.
  package func replace(with content: Content, by cause: Cause = .time) {
    stage.perform(at: engineTime(clock())) { _ in }
    stage.replace(with: content, by: cause)
  }

  /// The threads that compose a frame, 1 ….
  package var threadCount: Int { stage.threadCount }

  /// The images to prepare next, where there is time: first those that are shown, then those of the other
  /// pages.
  package func takeImageWork() -> ImageWork? {
    stage.takeImageWork(on: display.canvasSize, withOtherPages: isShown)
  }

  /// Takes what was made, to show it.
  package func finish(_ images: FinishedImages) {
    stage.finish(images)
    shown = nil
  }

  /// Makes the kiosk as it is after its start: what was chosen and set is forgotten, and fingers hold
  /// nothing. With a `seed` chance falls that way from here on.
  package func restart(seed: UInt64? = nil) {
    stage.perform(at: engineTime(clock())) { _ in }
    stage.restart(seed: seed, whenEnded: onFinish)
  }

  /// Ends everything under way and reports it, before the process ends; see `Engine.finish(by:)`.
  package func finish() {
    stage.perform(at: engineTime(clock())) { $0.finish() }
    stage.report()
    onFinish()
  }

  /// Whether a shake would do something.
  package var awaitsShake: Bool { engine.awaitsShake }

  /// The panel was shaken at `time` of the clock.
  package func shake(time: Timestamp) {
    // It suits every kiosk.
    try? apply(.shake, at: time)
  }

  /// A key was pressed at `time` of the clock.
  package func press(_ key: Keystroke, time: Timestamp) {
    // It suits every kiosk.
    try? apply(.key(key), at: time)
  }

  /// Reports something that failed outside of the engine, as an event.
  package func reportFailure(_ message: String, by cause: Cause) {
    stage.perform { $0.reportFailure(message, at: engineTime(clock()), by: cause) }
  }

  /// Does all that is due, and says when it wants to be called again. O(n) in the controls of all pages,
  /// and in the shapes of the page where its picture changes.
  package func turn() -> Timestamp? {
    let now = clock()
    stage.perform(at: engineTime(now)) { _ in }
    followWallClock(at: engineTime(now))
    stage.report()
    let powerRetry = keepPower(at: now)
    var end = now
    do throws(DisplayError) {
      end = try show(at: now)
    } catch {
      onDisplayError(error)
    }
    let mirrorsReadyAt = mirror()
    nextFrame = plannedFrame(at: end)
    // Events before the next frame are reported with it: a wheel may pass several detents meanwhile, and each
    // event says its own moment.
    let next = nextFrame ?? engine.nextChange.map(clockTime)
    return [next, mirrorsReadyAt, powerRetry].compactMap(\.self).min()
  }

  private var isPowered: Bool { !engine.isDark }

  /// Keeps the display asleep or awake, like the kiosk. Returns the time of the next try, or nil if it took its state.
  private func keepPower(at now: Timestamp) -> Timestamp? {
    if !display.holdsPower { power.release() }
    let before = power.failure
    let next = power.hold(isPowered, at: now) { isOn throws(DisplayError) in
      try display.setPower(isOn)
    }
    if let failure = power.failure, failure != before { onDisplayError(failure) }
    return next
  }

  /// Gives the displays that show the same what they lack, as far as they take it now. Returns when others do, by
  /// the passing of time alone.
  private func mirror() -> Timestamp? {
    let mirrors = display.mirrors
    guard !mirrors.isEmpty else {
      stage.keepMirrors([])
      return nil
    }
    stage.keepMirrors(mirrors.map(\.canvasSize))
    // The first picture is made for the display that leads.
    guard isPowered, shown != nil else { return nil }
    for mirror in mirrors where mirror.isReady {
      let size = mirror.canvasSize
      let picture = stage.mirroredPicture(size, isCurrent: mirroredLooks[size] == lookCount)
      mirroredLooks[size] = lookCount
      guard picture.frame != mirror.shownFrame else { continue }
      do throws(DisplayError) {
        _ = try mirror.present(picture)
      } catch {
        onDisplayError(error)
      }
    }
    return mirrors.compactMap(\.readyAt).min()
  }

  /// The wall clock has been set: it is looked at in the next turn.
  package func noteClockStep() { nextClockCheck = .zero }

  /// The two clocks go on together, but for one that is set, and summer time.
  private func followWallClock(at now: Instant) {
    guard let wallClock, now >= nextClockCheck else { return }
    nextClockCheck = now + 1
    let time = wallClock()
    // The two are read one after the other; what a step changes is more.
    if abs(time.microseconds - engine.clock.microseconds) > 50_000 {
      stage.perform { $0.setClock(time) }
    }
  }

  /// Gives the display what it is due at the moment `now`; returns the moment at which that is done.
  private func show(at now: Timestamp) throws(DisplayError) -> Timestamp {
    if display.state != .showing { touches.dropAll() }
    // A panel that sleeps shows all that there is.
    if !isPowered { shown = look }
    guard display.isReady, wantsFrame else { return now }
    let frame = schedule.frame(
      wantedAt: now, vblank: display.vblank, interval: display.refreshInterval)
    guard frame.begin <= now else { return now }
    isFollowing = hasMoved && !engine.fingers.isEmpty
    hasMoved = false
    guard !isCurrent || !isOnDisplay else {
      schedule.forget()
      return now
    }
    shown = look
    let before = picture.frame
    var isResampled = false
    let picture = stage.picture(display.canvasSize) { finger in
      let place = resampler?.position(of: finger, at: frame.begin)
      if place != nil { isResampled = true }
      return place
    }
    shown?.isResampled = isResampled
    if picture.frame == before { touches.dropWaiting() }
    guard picture.frame != display.shownFrame else {
      schedule.skip(frame, interval: display.refreshInterval)
      return now
    }
    schedule.begin(frame)
    let flip = try display.present(picture)
    let end = clock()
    // A panel that was attached meanwhile starts counting again.
    sentBytes += max(0, display.sentBytes - countedBytes)
    countedBytes = display.sentBytes
    touches.commit(picture.frame, begun: now, at: end)
    schedule.commit(at: end, frame)
    if let flip { flipped(at: flip, frame: picture.frame) }
    return end
  }

  /// Whether the display shows the picture as it was made last.
  private var isOnDisplay: Bool { display.shownFrame == picture.frame }

  private var wantsFrame: Bool {
    isPowered && (!isCurrent || engine.isMoving || isFollowing || !isOnDisplay)
  }

  /// When the next frame begins, if nothing but time is needed for it.
  private func plannedFrame(at now: Timestamp) -> Timestamp? {
    guard wantsFrame else {
      schedule.forget()
      return nil
    }
    // A flip that is under way ends with an event; a pause between frames ends by itself.
    return if display.isReady {
      schedule.frame(
        wantedAt: now, vblank: display.vblank, interval: display.refreshInterval
      ).begin
    } else {
      display.readyAt
        ?? schedule.frameAfterFlip(
          at: now, hasBlanks: display.vblank != nil, interval: display.refreshInterval
        )?.begin
    }
  }
}
