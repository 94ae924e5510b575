// SPDX-License-Identifier: MIT

internal import CDRM
internal import Drawing
internal import Geometry
internal import LinuxIO
internal import Motion
internal import Presentation
internal import Raster
internal import SystemPackage

/// The display on one output of a card: it takes a picture when its own last flip is done, independently of other
/// displays that show the same picture.
final class OutputDisplay: Display {
  /// Seconds without its event after which a flip counts as lost and the mode is set again.
  static let flipTimeout = 2.0
  /// Seconds between two attempts to become master.
  static let masterRetry = 1.0

  private let panel: Panel
  private let loop: EventLoop
  private var flip = FlipState<DisplayError>.unset
  /// Why the last picture was refused; nil once one is shown.
  private var refusal: DisplayError?
  private var isAwake: Bool
  /// Whether this program has switched the panel off, and nothing has lit it since.
  private var isDark = false
  var onFlip: ((Timestamp, Int) -> Void)?
  /// Called when the mode has been set.
  var onModeset: () -> Void = {}
  /// Called where another program is master and this process may become it only by opening the card again.
  var onReopening: () -> Void = {}

  /// The last flip's number; events that bear another one are from before the last setback, or for an
  /// earlier process that had the same descriptor: its numbers began with an earlier time.
  private var tag: UInt64
  let refreshInterval: Double
  private(set) var vblank: Timestamp?
  private var blankClock: BlankClock
  var blanks: BlankSource { blankClock.source }
  /// The earliest moment for another try after the driver was busy or has refused a picture.
  private var notBefore = Timestamp.zero
  private var backOff = BackOff()
  /// Since when the driver has been busy with something else.
  private var busySince: Timestamp?
  /// The time-out of the current `flip` state, if it has one.
  private var timeout: EventLoop.Token?

  /// A display that sets its mode with the first picture.
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
  /// The panel, to be kept while another one takes its place.
  var replaced: Panel { panel }

  /// Whether a new display with these arguments would be the same.
  func shows(_ other: Output, on card: Card, _ rotation: Rotation, _ depth: ColorDepth?) -> Bool {
    card === panel.card && output.connector.id == other.connector.id && output.crtc == other.crtc
      && output.plane?.id == other.plane?.id && output.mode == other.mode
      && output.format == other.format && panel.layout.rotation == rotation
      && panel.layout.depth == depth
  }

  // Another rotation or depth is another display.
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

  /// Whether the panel shows a picture of this process.
  var hasPicture: Bool { panel.shownFrame != nil }

  private var takesFrames: Bool { isAwake && flip.takesFrames }

  var sentBytes: Int { panel.sentBytes }

  func present(_ picture: Painter) throws(DisplayError) -> Timestamp? {
    precondition(picture.size == canvasSize, "the picture must have the size asked for")
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
        // Sends the rest of the picture, if it is sent in parts.
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

  /// A panel that is another program's is left as it is until that program leaves it.
  var holdsPower: Bool {
    if case .paused = flip { true } else { isAwake || isDark }
  }

  func setPower(_ on: Bool) throws(DisplayError) {
    isAwake = on
    guard !holdsPower else { return }
    // No event is pending; waking sets the mode again.
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

  /// The link to the panel has failed: the mode is set again.
  func relink() { move(.refused) }

  /// Restores the picture that was shown before.
  func restore() { panel.restore() }

  // MARK: - Flips

  /// A refusal as people read it.
  private func failure(_ refused: Refusal, to what: String, _ remedy: String = "") -> DisplayError {
    DisplayError(
      .failed,
      "\(card.path) (\(card.driver)) refuses to \(what) on \(output.connector.name) in"
        + " \(output.mode): \(refused)\(remedy)")
  }

  /// Waits after a refused picture, or throws the reason.
  private func handle(_ refused: Refusal) throws(DisplayError) {
    let busySince = busySince ?? loop.now
    self.busySince = refused.errno == .resourceBusy ? busySince : nil
    switch refused.errno {
    case .resourceBusy where loop.now < busySince + Self.flipTimeout:
      // Another program's commit is still under way; the picture waits for the next try.
      notBefore = loop.now + refreshInterval
    case _ where refused.isLackOfMaster:
      pauseForMaster()
    default:
      // The panel may have changed in the meantime; setting the mode will show that. If a driver accepts the mode
      // and refuses each flip after it, it must not be asked at each frame.
      let pause = backOff.next()
      notBefore = loop.now + pause
      let failure = failure(
        refused, to: "show the picture", "; the mode is set again in \(Int(pause)) s")
      refusal = failure
      move(.refused)
      throw failure
    }
  }

  private static func notMaster(of card: Card) -> DisplayError {
    let who = Card.master(of: card.path).map { ": \($0)" } ?? ""
    return DisplayError(
      .permission,
      "another program is DRM master of \(card.path)\(who); stop it (a desktop, a splash screen or"
        + " another kiosk), and the picture comes by itself")
  }

  /// Leaves the panel to the card's master and waits until it is none.
  func pauseForMaster() { pause(Self.notMaster(of: card)) }

  /// Leaves the panel to its present owner.
  func pause(_ why: DisplayError) {
    tag += 1
    isDark = false
    move(.lost(why))
  }

  /// Goes along an arrow of the flip's states and sets the new state's time-out.
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

  /// Becomes master if no other program is; the mode is set with the next picture.
  func retryMaster() {
    if card.becomeMaster() {
      move(.regained)
    } else {
      // It schedules the next attempt.
      move(.lost(Self.notMaster(of: card)))
      onReopening()
    }
  }

  /// A CRTC of the card reports a flip.
  func flipped(_ event: drm_event_vblank) {
    guard case .flipping = flip, event.user_data == tag,
      event.crtc_id == 0 || event.crtc_id == output.crtc.id, let frame = panel.shownFrame
    else { return }
    move(.shown)
    let stamp = Timestamp(
      microseconds: Int64(event.tv_sec) * 1_000_000 + Int64(event.tv_usec))
    let moment = stamp == .zero ? loop.now : stamp
    tag += 1
    do throws(Refusal) {
      if case .willReport? = try panel.finishFlip(
        at: moment, isTimed: event.sequence != 0, tag: tag, now: loop.now)
      {
        return move(.submitted)
      }
    } catch {
      // The rest of the picture is shown when the mode is set.
      return move(.refused)
    }
    // For a driver without blanks the kernel counts none, and takes the time of the event
    // (drm_crtc_send_vblank_event). A timer's blank says when a picture is reported, not when it is shown: waiting
    // for one would only make the picture late.
    blankClock.flip(at: stamp, sequence: event.sequence)
    vblank = blanks == .panel ? stamp : nil
    backOff.reset()
    onFlip?(moment, frame)
  }
}
