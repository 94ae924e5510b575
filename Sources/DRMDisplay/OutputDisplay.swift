// SPDX-License-Identifier: MIT

internal import CRoundelDRM
internal import RoundelDrawing
internal import RoundelGeometry
internal import LinuxIO
internal import RoundelMotion
internal import RoundelPresentation
internal import RoundelRaster
internal import SystemPackage

/// The display on one output, which accepts a picture when its own last flip is done, independently
/// of mirrors.
final class OutputDisplay: Display {
  /// Seconds until a flip without an event counts as lost, and sets the mode again.
  static let flipTimeout = 2.0
  /// Seconds between two attempts to become master.
  static let masterRetry = 1.0

  private let panel: Panel
  private let loop: EventLoop
  private var flip = FlipState<DisplayError>.unset
  /// The error for the last rejected picture, or nil once a picture is shown.
  private var refusal: DisplayError?
  private var isAwake: Bool
  /// Whether this program switched the panel off, and none has switched it on since.
  private var isDark = false
  var onFlip: ((Timestamp, Int) -> Void)?
  var onModeset: () -> Void = {}
  /// Called if only reopening the device makes this process master.
  var onReopening: () -> Void = {}

  /// The last flip's number. Others are from before the last failure, or from an earlier process
  /// with the same descriptor, whose numbers started earlier.
  private var tag: UInt64
  let refreshInterval: Double
  private(set) var vblank: Timestamp?
  private var blankClock: BlankClock
  var blanks: BlankSource { blankClock.source }
  /// The next attempt's earliest time, after the driver was busy or rejected a picture.
  private var notBefore = Timestamp.zero
  private var backOff = BackOff()
  private var busySince: Timestamp?
  private var timeout: EventLoop.Token?

  /// The first picture sets the mode.
  init(_ panel: Panel, isAwake: Bool, on loop: EventLoop) {
    self.panel = panel
    self.isAwake = isAwake
    self.loop = loop
    tag = UInt64(bitPattern: loop.now.microseconds)
    refreshInterval = panel.output.mode.frameInterval
    blankClock = BlankClock(interval: refreshInterval)
  }

  var card: Card { panel.card }
  var output: Output { panel.output }
  /// Lives until another display replaces it.
  var replaced: Panel { panel }

  /// Whether a new display would be equivalent.
  func shows(_ other: Output, on card: Card, _ rotation: Rotation, _ depth: ColorDepth?) -> Bool {
    card === panel.card && output.connector.id == other.connector.id && output.crtc == other.crtc
      && output.plane?.id == other.plane?.id && output.mode == other.mode
      && output.format == other.format && panel.layout.rotation == rotation
      && panel.layout.depth == depth
  }

  // Changing the rotation or depth requires another display.
  var rotation: Rotation {
    get { panel.layout.rotation }
    set {}
  }

  var canvasSize: PixelSize { panel.layout.canvasSize }

  var state: DisplayState {
    if case .paused(let obstacle) = flip { return .waiting(obstacle) }
    if let refusal { return .waiting(refusal) }
    return isAwake ? .showing : .asleep
  }

  var isWaiting: Bool {
    if case .waiting = state { true } else { false }
  }

  var isReady: Bool { takesFrames && readyAt == nil }

  var readyAt: Timestamp? { takesFrames && loop.now < notBefore ? notBefore : nil }

  var shownFrame: Int? {
    if case .unset = flip { nil } else { panel.shownFrame }
  }

  var hasPicture: Bool { panel.shownFrame != nil }

  private var takesFrames: Bool { isAwake && flip.takesFrames }

  var sentBytes: Int { panel.sentBytes }

  func present(_ picture: Painter) throws(DisplayError) -> Timestamp? {
    precondition(picture.size == canvasSize, "the picture must have the requested size")
    guard isReady else { return nil }
    do throws(Refusal) {
      if case .unset = flip {
        isDark = false
        try panel.setMode(showing: picture)
        vblank = nil
        refusal = nil
        move(.shown)
        onModeset()
        return loop.now
      }
      tag += 1
      switch try panel.flip(to: picture, tag: tag, at: loop.now) {
      case .willReport:
        move(.submitted)
        return nil
      case .shown:
        backOff.reset()
        // Sends the rest of a picture that is sent in parts.
        while case .shown? = try panel.finishFlip(
          at: loop.now, isTimed: false, tag: tag, now: loop.now)
        {}
        return loop.now
      }
    } catch {
      try handle(error)
      return nil
    }
  }

  /// Whether another program owns the panel, so that its power must not change.
  var holdsPower: Bool {
    if case .paused = flip { true } else { isAwake || isDark }
  }

  func setPower(_ on: Bool) throws(DisplayError) {
    isAwake = on
    guard !holdsPower else { return }
    // No event is pending, and waking sets the mode again.
    tag += 1
    move(.refused)
    do throws(Refusal) {
      try panel.turnOff()
      isDark = true
    } catch {
      if error.isLackOfMaster { return pauseForMaster() }
      throw failure(error, to: "put the panel to sleep")
    }
  }

  func relink() { move(.refused) }

  func restore() { panel.restore() }

  // MARK: - Flips

  private func failure(_ refused: Refusal, to what: String, _ remedy: String = "") -> DisplayError {
    DisplayError(
      .failed,
      "\(card.path) (\(card.driver)) refuses to \(what) on \(output.connector.name) in"
        + " \(output.mode): \(refused)\(remedy)")
  }

  /// Waits after a rejected picture, or throws the error.
  private func handle(_ refused: Refusal) throws(DisplayError) {
    let busySince = busySince ?? loop.now
    self.busySince = refused.errno == .resourceBusy ? busySince : nil
    switch refused.errno {
    case .resourceBusy where loop.now < busySince + Self.flipTimeout:
      // Another program's commit is still in progress. The picture waits for the next attempt.
      notBefore = loop.now + refreshInterval
    case _ where refused.isLackOfMaster:
      pauseForMaster()
    default:
      // Setting the mode detects a changed panel. The pause is for drivers that accept the mode but
      // reject each flip.
      let pause = backOff.next()
      notBefore = loop.now + pause
      let failure = failure(
        refused, to: "show the picture", "; retrying the mode in \(Int(pause)) s")
      refusal = failure
      move(.refused)
      throw failure
    }
  }

  private static func notMaster(of card: Card) -> DisplayError {
    let who = Card.master(of: card.path).map { ": \($0)" } ?? ""
    return DisplayError(
      .permission,
      "another program is DRM master of \(card.path)\(who); stop it to show the kiosk (it may be a"
        + " desktop, a splash screen or another kiosk)")
  }

  /// Leaves the panel to the device's master until there isn't one.
  func pauseForMaster() { pause(Self.notMaster(of: card)) }

  func pause(_ why: DisplayError) {
    tag += 1
    isDark = false
    move(.lost(why))
  }

  private func move(_ event: FlipState<DisplayError>.Event) {
    flip.handle(event)
    timeout = nil
    if flip == .idle || flip == .flipping { busySince = nil }
    switch flip {
    case .flipping:
      timeout = loop.schedule(at: loop.now + Self.flipTimeout) { [unowned self] in
        tag += 1
        move(.timedOut)
      }
    case .paused(.inBackground), .unset, .idle: break
    case .paused:
      timeout = loop.schedule(at: loop.now + Self.masterRetry) { [unowned self] in
        retryMaster()
      }
    }
  }

  /// Without another master, the next picture sets the mode.
  func retryMaster() {
    if card.becomeMaster() {
      move(.regained)
    } else {
      // The new state schedules the next attempt.
      move(.lost(Self.notMaster(of: card)))
      onReopening()
    }
  }

  func flipped(_ event: drm_event_vblank) {
    guard case .flipping = flip, event.user_data == tag,
      event.crtc_id == 0 || event.crtc_id == output.crtc.id, let frame = panel.shownFrame
    else { return }
    move(.shown)
    let stamp = Timestamp(
      microseconds: Int64(event.tv_sec) * 1_000_000 + Int64(event.tv_usec))
    let time = stamp == .zero ? loop.now : stamp
    tag += 1
    do throws(Refusal) {
      if case .willReport? = try panel.finishFlip(
        at: time, isTimed: event.sequence != 0, tag: tag, now: loop.now)
      {
        return move(.submitted)
      }
    } catch {
      // Setting the mode will show the rest of the picture.
      return move(.refused)
    }
    // For a driver without blanks, the kernel counts none, and reports the time of the event
    // (drm_crtc_send_vblank_event). A timer's blank is the time of the report, so waiting for one
    // would only delay the picture.
    blankClock.flip(at: stamp, sequence: event.sequence)
    vblank = blanks == .panel ? stamp : nil
    backOff.reset()
    onFlip?(time, frame)
  }
}
