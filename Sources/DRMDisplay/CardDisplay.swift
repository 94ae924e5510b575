// SPDX-License-Identifier: MIT

internal import CDRM
package import Drawing
package import Geometry
internal import Hotplug
package import LinuxIO
package import Motion
package import Presentation
package import Raster
internal import SystemPackage

/// A panel on a DRM card, painted into dumb buffers; or several that show the same.
///
/// A missing card, a pulled cable and another program as master are states, not errors: see `state`.
/// The display resumes by itself when the cause is gone.
package final class CardDisplay: PanelDisplay {
  /// Seconds without its event after which a flip counts as lost and the mode is set again.
  static let flipTimeout = 2.0
  /// Seconds between two attempts to become master.
  static let masterRetry = 1.0

  package private(set) var canvasSize: PixelSize
  package var onFlip: ((Timestamp, Int) -> Void)?

  private let request: OutputRequest
  /// How far the picture is turned clockwise; nil for what makes it upright on the panel as that is
  /// mounted.
  private var requestedRotation: Rotation? {
    didSet {
      guard rotation != (oldValue ?? orientation) else { return }
      // Until a panel is found, the canvas keeps the size of the one that was expected.
      canvasSize = rotation.applied(to: (oldValue ?? orientation).applied(to: canvasSize))
      attach()
    }
  }
  /// The mounting of the panel that was found last, as that reports it.
  private var orientation = Rotation.none

  package var rotation: Rotation {
    get { requestedRotation ?? orientation }
    set { requestedRotation = newValue }
  }

  package func turn(by rotation: Rotation?) { requestedRotation = rotation }

  package var depth: ColorDepth? {
    didSet { if depth != oldValue { attach() } }
  }

  private let forcesLegacy: Bool
  private let directory: String
  private let store: DescriptorStore?
  private let loop: EventLoop
  private var hotplug: HotplugMonitor?

  /// The card used last, kept open so that no other program becomes its master.
  private var card: Card?
  private var flip = FlipState<Panel, DisplayError>.detached(
    DisplayError(.unavailable, "no display has been looked for yet"))
  /// Why outputs that were asked for show nothing while others do.
  private var leftOut: [DisplayError] = []
  private var isAwake = true
  package var isInForeground = true {
    didSet {
      guard isInForeground != oldValue else { return }
      tag += 1
      if isInForeground {
        retryMaster()
      } else {
        move(.lost(.inBackground))
        card?.dropMaster()
      }
    }
  }
  /// The last flip's number; events that bear another one are from before the last setback, or for an
  /// earlier process that had the same descriptor: its numbers began with an earlier time.
  private var tag = UInt64(bitPattern: MonotonicClock.now.microseconds)
  package private(set) var refreshInterval = 1.0 / 60
  package private(set) var vblank: Timestamp?
  private var blankClock = BlankClock(interval: 1.0 / 60)
  package var blanks: BlankSource { blankClock.source }
  /// The earliest moment for another try after the driver was busy or has refused a picture.
  private var notBefore = Timestamp.zero
  private var backOff = BackOff()

  private var events: EventLoop.Token?
  /// The time-out of the current `flip` state, if it has one.
  private var timeout: EventLoop.Token?

  /// Looks for an output that meets the request; the result is `state`.
  ///
  /// - Parameters:
  ///   - rotation: how far the picture is turned clockwise on the panel; nil for what makes it upright.
  ///   - depth: what the panel shows of the picture's colours; nil for what its format holds.
  ///   - forcesLegacy: leaves atomic commits alone, for drivers whose are broken.
  ///   - canvasSize: what to paint as long as no panel has been seen.
  ///   - store: keeps the card open when this process ends, with its last picture.
  ///   - directory: where the cards' device files are.
  package init(
    _ request: OutputRequest = OutputRequest(), rotation: Rotation? = Rotation.none,
    depth: ColorDepth? = nil, forcesLegacy: Bool = false, canvasSize: PixelSize,
    store: DescriptorStore? = nil,
    on loop: EventLoop, directory: String = "/dev/dri"
  ) {
    self.request = request
    requestedRotation = rotation
    self.depth = depth
    self.forcesLegacy = forcesLegacy
    self.canvasSize = canvasSize
    self.store = store
    self.loop = loop
    self.directory = directory
    attach()
    hotplug = HotplugMonitor(of: "drm", "drm_minor", on: loop) { [unowned self] in rescan() }
  }

  deinit {
    if store == nil {
      flip.panel?.restore()
    } else if let panel = flip.panel {
      // Its picture stays for the next process, which removes it. Without a store that keeps the card, it
      // goes when the card is closed.
      unsafe _ = Unmanaged.passRetained(panel)
    }
    events = nil
  }

  /// All cards of this machine, what they offer and who holds them, for people to read. It opens
  /// the cards, so it should not be asked while a display of this process runs.
  package static func cards(in directory: String = "/dev/dri") -> [CardReport] {
    Card.paths(in: directory).map { path in
      CardReport(
        path: path, resources: inspect(path).map(\.resources), master: Card.master(of: path))
    }
  }

  /// Whether a card could be opened at all; without one there is nothing to plug a panel into.
  package var hasCard: Bool { card != nil }

  /// The ways that the picture takes; empty while there is none.
  package var outputs: [Output] { flip.panel?.outputs ?? [] }

  package var place: DisplayPlace? {
    guard let first = outputs.first else { return nil }
    return DisplayPlace(
      card: first.card, output: outputs.map(\.connector.name).joined(separator: ", "),
      mode: "\(first.mode)", format: "\(first.format)", leftOut: leftOut.map(\.description))
  }

  package var state: DisplayState {
    switch flip {
    case .detached(let obstacle), .paused(_, let obstacle): .waiting(obstacle)
    case .unset, .idle, .flipping: isAwake ? .showing : .asleep
    }
  }

  package var isReady: Bool { takesFrames && readyAt == nil }

  package var readyAt: Timestamp? {
    takesFrames && MonotonicClock.now < notBefore ? notBefore : nil
  }

  package var shownFrame: Int? {
    if case .unset = flip { nil } else { flip.panel?.shownFrame }
  }

  private var takesFrames: Bool { isAwake && flip.takesFrames }

  package func present(_ picture: Painter) throws(DisplayError) -> Timestamp? {
    precondition(picture.size == canvasSize, "the picture must have the size asked for")
    guard isReady, let panel = flip.panel else { return nil }
    do throws(Errno) {
      if case .unset = flip {
        try panel.setMode(showing: picture)
        panel.card.removeLeftovers()
        vblank = nil
        move(.shown)
        return MonotonicClock.now
      }
      tag += 1
      switch try panel.flip(to: picture, tag: tag) {
      case .willReport(let events):
        move(.submitted(awaited: events))
        return nil
      case .shown:
        backOff.reset()
        move(.shown)
        // The rest of it, where it goes out in parts.
        while case .shown? = try panel.finishFlip(
          at: MonotonicClock.now, isTimed: false, tag: tag)
        {}
        return MonotonicClock.now
      }
    } catch {
      try handle(error, on: panel, doing: "show the picture")
      return nil
    }
  }

  package var sentBytes: Int { flip.panel?.sentBytes ?? 0 }

  package func setPower(_ on: Bool) throws(DisplayError) {
    guard on != isAwake else { return }
    isAwake = on
    guard !on else { return }
    switch flip {
    case .detached, .unset, .paused: break
    case .idle(let panel), .flipping(let panel, _):
      do throws(Errno) {
        try panel.turnOff()
        // No event is pending; waking sets the mode again.
        tag += 1
        move(.refused)
      } catch {
        try handle(error, on: panel, doing: "put the panel to sleep")
      }
    }
  }

  // MARK: - Flips

  private func handle(
    _ error: Errno, on panel: Panel, doing what: String
  ) throws(DisplayError) {
    switch error {
    case .resourceBusy:
      // Somebody else's commit is still under way; what was to be shown waits for the next try.
      notBefore = MonotonicClock.now + refreshInterval
    case .permissionDenied, .notPermitted:
      move(.lost(Self.notMaster(of: panel.card)))
    default:
      let refusal =
        "\(panel.card.path) (\(panel.card.driver)) refuses to \(what) on"
        + " \(panel.output.connector.name) in \(panel.output.mode): \(error)"
        + " (errno \(error.rawValue))"
      guard case .idle = flip else {
        let failure = DisplayError(.failed, refusal)
        detach(failure)
        throw failure
      }
      // The panel may have changed under our feet; setting the mode will show. A driver that takes
      // the mode and refuses each flip after it must not be asked at each frame.
      let pause = backOff.next()
      notBefore = MonotonicClock.now + pause
      move(.refused)
      throw DisplayError(.failed, "\(refusal); the mode is set again in \(Int(pause)) s")
    }
  }

  private static func notMaster(of card: Card) -> DisplayError {
    let who = Card.master(of: card.path).map { ": \($0)" } ?? ""
    return DisplayError(
      .permission,
      "another program is DRM master of \(card.path)\(who); stop it (a desktop, a splash screen or"
        + " another kiosk), and the picture comes by itself")
  }

  /// Goes along an arrow of the flip's states and sets the new state's time-out.
  private func move(_ event: FlipState<Panel, DisplayError>.Event) {
    flip.handle(event)
    timeout = nil
    switch flip {
    case .flipping:
      timeout = loop.schedule(at: MonotonicClock.now + Self.flipTimeout) { [unowned self] in
        tag += 1
        move(.timedOut)
      }
    case .paused where isInForeground:
      timeout = loop.schedule(at: MonotonicClock.now + Self.masterRetry) { [unowned self] in
        retryMaster()
      }
    case .detached, .unset, .idle, .paused: break
    }
  }

  private func retryMaster() {
    guard let panel = flip.panel else { return attach() }
    if panel.card.becomeMaster() {
      move(.regained)
      // The other program has lit a panel that is to be dark.
      if !isAwake { try? panel.turnOff() }
    } else if let fresh = try? Card(opening: panel.card.path), fresh.isMaster {
      // Without privileges only who opens a card that has no master becomes it.
      forgetCard()
      card = fresh
      attach()
    } else {
      move(.lost(Self.notMaster(of: panel.card)))
    }
  }

  /// Reads what the card reports. Source: `struct drm_event` in drm.h; libdrm's own reader finds its
  /// receiver by the pointer that the event carries, which may be gone by then.
  private func readEvents() {
    var isGone = false
    unsafe withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 8) { buffer in
      var count = 0
      do throws(Errno) {
        count = try unsafe card?.descriptor.read(into: buffer) ?? 0
        isGone = count == 0
      } catch {
        isGone = error != .wouldBlock
      }
      // The kernel writes whole records, each of which begins with its type and length.
      var offset = 0
      while offset + MemoryLayout<drm_event>.size <= count {
        let header = unsafe buffer.loadUnaligned(fromByteOffset: offset, as: drm_event.self)
        if header.type == UInt32(DRM_EVENT_FLIP_COMPLETE),
          offset + MemoryLayout<drm_event_vblank>.size <= count
        {
          flipped(unsafe buffer.loadUnaligned(fromByteOffset: offset, as: drm_event_vblank.self))
        }
        offset += max(Int(header.length), MemoryLayout<drm_event>.size)
      }
    }
    // The device was unplugged; without its events being read, the loop would spin.
    if isGone { attach() }
  }

  private func flipped(_ event: drm_event_vblank) {
    guard case .flipping(let panel, _) = flip, event.user_data == tag,
      let frame = panel.shownFrame
    else { return }
    move(.shown)
    guard case .idle = flip else { return }
    let stamp = Timestamp(
      microseconds: Int64(event.tv_sec) * 1_000_000 + Int64(event.tv_usec))
    let moment = stamp == .zero ? MonotonicClock.now : stamp
    tag += 1
    do throws(Errno) {
      if case .willReport(let events)? = try panel.finishFlip(
        at: moment, isTimed: event.sequence != 0, tag: tag)
      {
        return move(.submitted(awaited: events))
      }
    } catch {
      // What was not sent comes with the mode.
      return move(.refused)
    }
    // The kernel counts no blanks for a driver that knows none, and takes the time of the event
    // (drm_crtc_send_vblank_event). At a timer's blanks a picture is reported, not shown: to wait for one
    // would only make it late.
    blankClock.flip(at: stamp, sequence: event.sequence)
    vblank = blanks == .panel ? stamp : nil
    backOff.reset()
    onFlip?(moment, frame)
  }

  // MARK: - Plugging

  /// Looks whether the panels are still those that were chosen.
  private func rescan() {
    guard let panel = flip.panel, let resources = try? panel.card.resources() else {
      return attach()
    }
    var hasBadLink = false
    for output in panel.outputs {
      guard
        let connector = resources.connectors.first(where: { $0.id == output.connector.id }),
        connector.status == output.connector.status, connector.modes.contains(output.mode)
      else { return attach() }
      hasBadLink = hasBadLink || connector.hasBadLink
    }
    // Another that is to show the same may have come.
    let shown = panel.outputs.map(\.connector.name)
    func missing(_ resources: CardResources) -> [[String]] {
      resources.connectors
        .filter { request.outputs.contains($0.name) && !shown.contains($0.name) }
        .map { ["\($0.name) \($0.status)"] + $0.modes.map(\.description) }
    }
    if missing(resources) != missing(panel.resources) { return attach() }
    if hasBadLink { move(.refused) }
  }

  private func detach(_ why: DisplayError) {
    tag += 1
    move(.detached(why))
  }

  /// Chooses and prepares an output; the next frame sets the mode.
  private func attach() {
    let old = flip.panel
    var found: [(card: Card, resources: CardResources)] = []
    let name = request.card.map { CardName($0, in: directory) }
    let reports = (name?.paths(in: directory) ?? Card.paths(in: directory)).map { path in
      let result = Self.inspect(path, reusing: card, store)
      if case .success(let success) = result { found.append(success) }
      return CardReport(path: path, resources: result.map(\.resources))
    }
    do throws(DisplayError) {
      let (outputs, leftOut) = try Output.choose(
        among: try name?.cards(among: reports) ?? reports, for: request)
      let first = outputs[0]
      guard let (card, resources) = found.first(where: { $0.card.path == first.card }) else {
        return detach(DisplayError(.unavailable, "\(first.card) is gone"))
      }
      self.leftOut = leftOut
      orientation = first.connector.uprightRotation
      let panel = try Panel(
        card, resources, outputs, rotation, depth, forcesLegacy: forcesLegacy, replacing: old)
      try listen(to: card)
      canvasSize = panel.layout.canvasSize
      refreshInterval = first.mode.frameInterval
      blankClock = BlankClock(interval: refreshInterval)
      tag += 1
      move(.attached(panel))
      if !isInForeground {
        card.dropMaster()
        move(.lost(.inBackground))
      } else if !card.becomeMaster() {
        move(.lost(Self.notMaster(of: card)))
      }
    } catch {
      // A card that is gone must not be listened to; one that only lacks a panel stays ours.
      if !found.contains(where: { $0.card === card }) {
        forgetCard()
        card = found.first { $0.resources.hasDumbBuffers }?.card
      }
      detach(error)
    }
  }

  private static func inspect(
    _ path: String, reusing open: Card? = nil, _ store: DescriptorStore? = nil
  ) -> Result<(card: Card, resources: CardResources), DisplayError> {
    if let open, open.path == path, let resources = try? open.resources() {
      return .success((open, resources))
    }
    do throws(DisplayError) {
      let card = try Card(opening: path, from: store)
      return .success((card, try card.resources()))
    } catch {
      return .failure(error)
    }
  }

  private func listen(to card: Card) throws(DisplayError) {
    guard self.card !== card || events == nil else { return }
    events = nil
    self.card = nil
    do throws(Errno) {
      events = try loop.watch(card.fd, patiently: true) { [unowned self] _ in readEvents() }
    } catch {
      throw DisplayError(.failed, "cannot wait for events of \(card.path): \(error)")
    }
    self.card = card
    store?.keep(card.descriptor, as: card.path)
  }

  private func forgetCard() {
    events = nil
    card = nil
    store?.forgetAll()
  }
}
