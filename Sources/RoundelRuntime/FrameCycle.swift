// SPDX-License-Identifier: MIT

package import RoundelControls
package import RoundelDrawing
package import RoundelExpressions
package import RoundelGeometry
package import Kiosk
package import RoundelMotion
package import RoundelPresentation
package import RoundelRaster

/// Passes touches to the engine, and presents its frames. Call `turn` once per wake-up of the event
/// loop.
package final class FrameCycle {
  private let stage: Stage
  private let display: any Display
  /// The display's clock.
  private let clock: () -> Timestamp
  /// The wall clock, or nil to use the engine's own clock.
  private let wallClock: (() -> CivilTime)?
  private var nextClockCheck = Instant.zero
  /// The clock's time at the engine's time zero.
  private let start: Timestamp
  /// True means awake.
  private var power = HeldState<Bool, DisplayError>(true)
  /// The last picture, or nil before the first frame.
  private var shown: PictureSummary? {
    didSet { pictureRevision &+= 1 }
  }
  /// Incremented by each change of `shown`.
  private var pictureRevision = 0
  /// The picture revision last shown by each mirror's canvas size.
  private var mirroredRevisions: [PixelSize: Int] = [:]
  private var touches = TouchTimes()
  private var schedule = FrameSchedule()
  /// Whether a finger moved since the start of the last frame.
  private var hasMoved = false
  /// Whether a finger moved for the last frame and is still down, so that more touches are likely.
  private var isFollowing = false
  /// The start of the next planned frame. Earlier changes by touches and the display can wait for
  /// it.
  package private(set) var nextFrame: Timestamp?

  /// Computes the displayed positions of touches. Affects only the picture.
  package var resampler: TouchResampler?

  /// Called with each touch in design pixels and its time on the clock, except on a secret control.
  package var onTouch: (Touch, Timestamp) -> Void = { _, _ in }
  /// Called when all activity has ended, before a restart and before the process exits.
  package var onFinish: () -> Void = {}
  /// Called with each executed command and its time on the clock.
  package var onCommand: (Command, Timestamp) -> Void = { _, _ in }
  package var onFlip: (Timestamp) -> Void = { _ in }
  package var onDisplayError: (DisplayError) -> Void = { _ in }

  /// The last error of `setPower`, which the cycle retries, or nil.
  package var powerFailure: DisplayError? { power.failure }

  /// Starts the kiosk at the time of `clock`, the display's, with `persistentValues`, or continues
  /// a `past`. Takes over `onFlip`.
  package init(
    _ content: Content, on display: any Display, seed: UInt64,
    persistentValues: [String: Value] = [:],
    continuing past: HandoverState? = nil, wallClock: (() -> CivilTime)? = nil,
    clock: @escaping () -> Timestamp
  ) {
    self.display = display
    self.clock = clock
    start = clock()
    self.wallClock = wallClock
    stage = Stage(
      content, seed: seed, clock: wallClock?() ?? Engine.defaultClock,
      persistentValues: persistentValues, continuing: past)
    display.onFlip = { [weak self] in self?.flipped(at: $0, frame: $1) }
  }

  package var content: Content { stage.content }
  package var engine: Engine { stage.engine }

  /// In design pixels.
  package var overlay: [DisplayItem] {
    get { stage.overlay }
    set { stage.overlay = newValue }
  }

  /// The position of the mouse cursor in pixels of the unrotated canvas, or nil to hide the cursor.
  package var pointer: Point? {
    get { stage.pointer }
    set { stage.pointer = newValue }
  }

  package var onEvent: (Event) -> Void {
    get { stage.onEvent }
    set { stage.onEvent = newValue }
  }

  package var onProgram: ([String]) -> Void {
    get { stage.onProgram }
    set { stage.onProgram = newValue }
  }

  package var onSound: (String) -> Void {
    get { stage.onSound }
    set { stage.onSound = newValue }
  }

  package var onUtterances: ([Utterance]) -> Void {
    get { stage.onUtterances }
    set { stage.onUtterances = newValue }
  }

  /// A summary of a picture. Equal summaries mean equal pictures.
  private struct PictureSummary: Equatable {
    var engine: Engine.PictureSummary
    var overlay: [DisplayItem]
    var pointer: Point?
    /// Whether touches are displayed at positions other than their last samples.
    var isResampled = false
  }

  /// The summary of the current picture. O(n) in the controls of the page and the shapes of the
  /// overlay.
  private var pictureSummary: PictureSummary {
    PictureSummary(engine: engine.pictureSummary, overlay: overlay, pointer: pointer)
  }

  /// Whether the picture shows all changes up to the last turn.
  package var isShown: Bool {
    guard var shown else { return false }
    shown.isResampled = false
    return shown == pictureSummary
  }

  /// Like `isShown`, with touches at their sampled positions.
  private var isCurrent: Bool { shown == pictureSummary }

  private func engineTime(_ time: Timestamp) -> Instant {
    Instant(microseconds: time.microseconds - start.microseconds)
  }

  private func clockTime(_ engineTime: Instant) -> Timestamp {
    Timestamp(microseconds: engineTime.microseconds + start.microseconds)
  }

  /// Handles a touch at a point of the unrotated canvas.
  package func handle(finger: Int, _ phase: Touch.Phase, at place: Point, time: Timestamp) {
    let touch = Touch(finger: finger, phase: phase, position: viewport.designPoint(place))
    resampler?.add(touch, at: time)
    handle(touch, at: time)
  }

  /// In design pixels. The latency starts at `arrival`, or at `time` if that is nil.
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

  package var latency: Latency { touches.latency }

  package var frames: FrameCounts { schedule.counts }

  /// See `Display.sentBytes`.
  package private(set) var sentBytes = 0
  /// The part of the display's count already included.
  private var countedBytes = 0

  private func flipped(at instant: Timestamp, frame: Int) {
    touches.flip(at: instant, frame: frame)
    schedule.flip(
      at: instant, isTimed: display.vblank == instant, interval: display.refreshInterval)
    onFlip(instant)
  }

  package var now: Timestamp { clock() }

  /// Executes a command at a time of the clock, by default now.
  package func apply(_ command: Command, at time: Timestamp? = nil) throws(CommandError) {
    let time = time ?? clock()
    let isSecret = engine.typesSecret(command) || engine.isPrivate(command)
    try stage.perform(at: engineTime(time)) { engine throws(CommandError) in
      try engine.apply(command)
    }
    if !isSecret { onCommand(engine.recorded(command), time) }
  }

  @discardableResult
  package func perform<Result, Failure: Error>(
    _ command: (inout Engine) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try stage.perform(at: engineTime(clock()), command)
  }

  /// The current or next picture of the display, unrotated.
  package var picture: Painter { stage.shownPicture(display.canvasSize) }

  package var pictureTime: Instant { stage.pictureTime }

  package var viewport: Viewport { stage.viewport(on: display.canvasSize) }

  /// Whether nothing moves and the display has the current picture.
  package var isStill: Bool {
    isCurrent && engine.isStill && overlay.isEmpty && !picture.isPreparing
  }

  package func replace(with content: Content, by cause: Cause = .time) {
    stage.perform(at: engineTime(clock())) { _ in }
    stage.replace(with: content, by: cause)
  }

  package var threadCount: Int { stage.threadCount }

  package func takeImageWork() -> ImageWork? {
    stage.takeImageWork(on: display.canvasSize, withOtherPages: isShown)
  }

  package func finish(_ images: FinishedImages) {
    stage.finish(images)
    shown = nil
  }

  /// Restarts the kiosk: resets selections, values and touches. `seed` starts a new random
  /// sequence.
  package func restart(seed: UInt64? = nil) {
    stage.perform(at: engineTime(clock())) { _ in }
    stage.restart(seed: seed, whenEnded: onFinish)
  }

  /// Ends all activity and reports it, before the process exits. See `Engine.finish(by:)`.
  package func finish() {
    stage.perform(at: engineTime(clock())) { $0.finish() }
    stage.report()
    onFinish()
  }

  package var awaitsShake: Bool { engine.awaitsShake }

  package func shake(time: Timestamp) {
    // Valid for every kiosk.
    try? apply(.shake, at: time)
  }

  package func press(_ key: KeyPress, _ phase: KeyPress.Phase = .tap, time: Timestamp) {
    let isEnd = phase == .up || phase == .cancel
    guard !isEnd || engine.isHeld(key) else { return }
    // Valid for every kiosk.
    try? apply(.key(key, phase), at: time)
  }

  package func scan(_ text: String, isPrivate: Bool, time: Timestamp) {
    // Scanners limit their lines.
    try? apply(.scan(text, isPrivate: isPrivate), at: time)
  }

  package func reportFailure(_ message: String, by cause: Cause) {
    stage.perform { $0.reportFailure(message, at: engineTime(clock()), by: cause) }
  }

  /// Does all pending work. Returns the time of the next call, or nil while nothing moves. O(n) in
  /// all controls, and in the page's shapes if its picture changes.
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
    // Events before the next frame are reported with it. Each contains its own time.
    let next = nextFrame ?? engine.nextChange.map(clockTime)
    return [next, mirrorsReadyAt, powerRetry].compactMap(\.self).min()
  }

  private var isPowered: Bool { !engine.isDark }

  /// Keeps the display asleep or awake, like the kiosk. Returns the time of the next attempt, or
  /// nil on success.
  private func keepPower(at now: Timestamp) -> Timestamp? {
    if !display.holdsPower { power.release() }
    let before = power.failure
    let next = power.hold(isPowered, at: now) { isOn throws(DisplayError) in
      try display.setPower(isOn)
    }
    if let failure = power.failure, failure != before { onDisplayError(failure) }
    return next
  }

  /// Presents missing frames on ready mirrors. Returns the time when others become ready without an
  /// event.
  private func mirror() -> Timestamp? {
    let mirrors = display.mirrors
    guard !mirrors.isEmpty else {
      stage.keepMirrors([])
      return nil
    }
    stage.keepMirrors(mirrors.map(\.canvasSize))
    // The first picture is for the main display.
    guard isPowered, shown != nil else { return nil }
    for mirror in mirrors where mirror.isReady {
      let size = mirror.canvasSize
      let picture = stage.mirroredPicture(
        size, isCurrent: mirroredRevisions[size] == pictureRevision)
      mirroredRevisions[size] = pictureRevision
      guard picture.frame != mirror.shownFrame else { continue }
      do throws(DisplayError) {
        _ = try mirror.present(picture)
      } catch {
        onDisplayError(error)
      }
    }
    return mirrors.compactMap(\.readyAt).min()
  }

  /// Records a step of the wall clock. The clocks are compared in the next turn.
  package func recordClockStep() { nextClockCheck = .zero }

  private func followWallClock(at now: Instant) {
    guard let wallClock, now >= nextClockCheck else { return }
    nextClockCheck = now + 1
    let time = wallClock()
    // The clocks are read in succession. Steps are larger than the resulting difference.
    if abs(time.microseconds - engine.clock.microseconds) > 50_000 {
      stage.perform { $0.setClock(time) }
    }
  }

  /// Presents a frame if one is due. Returns the time when this is done.
  private func show(at now: Timestamp) throws(DisplayError) -> Timestamp {
    if display.state != .showing { touches.dropAll() }
    // A sleeping panel needs no frames.
    if !isPowered { shown = pictureSummary }
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
    shown = pictureSummary
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
    // A newly attached panel counts from 0.
    sentBytes += max(0, display.sentBytes - countedBytes)
    countedBytes = display.sentBytes
    touches.commit(picture.frame, begun: now, at: end)
    schedule.commit(at: end, frame)
    if let flip { flipped(at: flip, frame: picture.frame) }
    return end
  }

  private var isOnDisplay: Bool { display.shownFrame == picture.frame }

  private var wantsFrame: Bool {
    isPowered && (!isCurrent || engine.isMoving || isFollowing || !isOnDisplay)
  }

  /// The start of the next frame, if it needs no event.
  private func plannedFrame(at now: Timestamp) -> Timestamp? {
    guard wantsFrame else {
      schedule.forget()
      return nil
    }
    // A pending flip ends with an event. A pause between frames doesn't.
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
