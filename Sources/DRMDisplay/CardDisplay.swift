// SPDX-License-Identifier: MIT

internal import CRoundelDRM
package import RoundelDrawing
package import RoundelGeometry
internal import RoundelHotplug
package import LinuxIO
package import RoundelMotion
package import RoundelPresentation
package import RoundelRaster
internal import SystemPackage

/// The panels on DRM devices, painted into dumb buffers, each at its own rate.
///
/// The first usable panel is the main display, which determines the picture's size and the timing
/// of frames. The others are mirrors. A missing device, an unplugged cable or another program as
/// master are states, not errors: see `state`. The display resumes automatically.
package final class CardDisplay: PanelDisplay {
  private let request: OutputRequest
  private let forcesLegacy: Bool
  private let directory: String
  private let store: DescriptorStore?
  private let loop: EventLoop
  private var hotplug: HotplugMonitor?

  /// In the requested order.
  private var displays: [OutputDisplay] = []
  /// The devices in use, otherwise an inspected device, open so that no other program becomes its
  /// master.
  private var cards: [Card] = []
  /// The device that the service manager also holds.
  private weak var kept: Card?
  private var obstacle = DisplayError(.unavailable, "not started yet")
  /// Errors for the requested outputs that can't be used while others are in use.
  private var leftOut: [DisplayError] = []
  /// Runs after a driver failed.
  private var retry: EventLoop.Token?
  private var backOff = BackOff()
  private var isAwake = true
  package var onFlip: ((Timestamp, Int) -> Void)?

  private var lastCanvas: PixelSize
  private var lastRotation: Rotation
  /// Clockwise, or nil to make the picture upright on each panel.
  private var requestedRotation: Rotation?

  package var depth: ColorDepth? {
    didSet { if depth != oldValue { attach() } }
  }

  package var isInForeground = true {
    didSet {
      guard isInForeground != oldValue else { return }
      for display in displays {
        if isInForeground { display.retryMaster() } else { display.pause(.inBackground) }
      }
      if !isInForeground { for card in cards { card.dropMaster() } }
      if isInForeground, displays.isEmpty { attach() }
    }
  }

  /// Looks for outputs that meet the request. The result is `state`.
  ///
  /// - Parameters:
  ///   - rotation: The clockwise rotation of the picture on the panel, or nil to make it upright.
  ///   - depth: The colour depth of the panel, or nil for its format's.
  ///   - forcesLegacy: Whether to avoid atomic commits, for drivers with broken support.
  ///   - canvasSize: The size of the picture until a panel is found.
  ///   - store: Keeps the first device open after this process exits, with its last picture.
  ///   - directory: The directory of the device files.
  package init(
    _ request: OutputRequest = OutputRequest(), rotation: Rotation? = Rotation.none,
    depth: ColorDepth? = nil, forcesLegacy: Bool = false, canvasSize: PixelSize,
    store: DescriptorStore? = nil,
    on loop: EventLoop, directory: String = "/dev/dri"
  ) {
    self.request = request
    requestedRotation = rotation
    lastRotation = rotation ?? .none
    self.depth = depth
    self.forcesLegacy = forcesLegacy
    lastCanvas = canvasSize
    self.store = store
    self.loop = loop
    self.directory = directory
    attach()
    hotplug = HotplugMonitor(of: "drm", "drm_minor", on: loop) { [unowned self] in rescan() }
  }

  deinit {
    for card in cards { card.ignore() }
    for display in displays {
      if store == nil {
        display.restore()
      } else {
        // The picture stays for the next process, which removes it. Unless a store keeps the device
        // open, the picture is freed when the device is closed.
        unsafe _ = Unmanaged.passRetained(display.replaced)
      }
    }
  }

  /// Opens the devices, so don't call this while a display of this process is running.
  package static func cards(in directory: String = "/dev/dri") -> [CardReport] {
    Card.paths(in: directory).map { path in
      CardReport(
        path: path, resources: inspect(path).map(\.resources), master: Card.master(of: path))
    }
  }

  /// Whether any device could be opened. Otherwise, a panel can't be plugged in.
  package var hasCard: Bool { !cards.isEmpty }

  package var outputs: [Output] { displays.map(\.output) }

  // MARK: - The display that leads, and its mirrors

  private var lead: OutputDisplay? { displays.first { !$0.isWaiting } ?? displays.first }

  package var mirrors: [any Display] {
    guard displays.count > 1, let lead else { return [] }
    return displays.filter { $0 !== lead }
  }

  package var place: DisplayPlace? {
    guard let lead else { return nil }
    let waiting = displays.compactMap { display in
      if case .waiting(let why) = display.state, display !== lead { why.description } else { nil }
    }
    let shown = displays.filter { $0 === lead || !$0.isWaiting }
    return DisplayPlace(
      card: lead.output.card, output: shown.map(\.output.connector.name).joined(separator: ", "),
      mode: "\(lead.output.mode)", format: "\(lead.output.format)",
      mirrors: shown.filter { $0 !== lead }.map {
        DisplayPlace(
          card: $0.output.card, output: $0.output.connector.name, mode: "\($0.output.mode)",
          format: "\($0.output.format)")
      }, leftOut: leftOut.map(\.description) + waiting)
  }

  package var state: DisplayState { lead?.state ?? .waiting(obstacle) }
  package var canvasSize: PixelSize { lead?.canvasSize ?? lastCanvas }
  package var isReady: Bool { lead?.isReady ?? false }
  package var readyAt: Timestamp? { lead?.readyAt }
  package var shownFrame: Int? { lead?.shownFrame }
  package var refreshInterval: Double { lead?.refreshInterval ?? 1.0 / 60 }
  package var vblank: Timestamp? { lead?.vblank }
  package var blanks: BlankSource { lead?.blanks ?? .none }
  package var sentBytes: Int { lead?.sentBytes ?? 0 }

  package func present(_ picture: Painter) throws(DisplayError) -> Timestamp? {
    try lead?.present(picture)
  }

  package var holdsPower: Bool { displays.allSatisfy(\.holdsPower) }

  package func setPower(_ on: Bool) throws(DisplayError) {
    isAwake = on
    var failure: DisplayError?
    for display in displays {
      do throws(DisplayError) {
        try display.setPower(on)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  package var rotation: Rotation {
    get { lead?.rotation ?? lastRotation }
    set { turn(by: newValue) }
  }

  package func turn(by rotation: Rotation?) {
    guard rotation != requestedRotation else { return }
    requestedRotation = rotation
    if displays.isEmpty, let rotation {
      // Until a panel is found, the canvas keeps the expected panel's size.
      lastCanvas = rotation.applied(to: lastRotation.applied(to: lastCanvas))
      lastRotation = rotation
    }
    attach()
  }

  // MARK: - Plugging

  func rescan() {
    guard !displays.isEmpty, displays.count >= request.outputs.count else { return attach() }
    var resources: [String: CardResources] = [:]
    for card in cards { resources[card.path] = try? card.resources() }
    for display in displays {
      let old = display.output
      guard
        let connector = resources[old.card]?.connectors.first(where: { $0.id == old.connector.id }),
        connector.status == old.connector.status, connector.modes.contains(old.mode)
      else { return attach() }
      if connector.hasBadLink { display.relink() }
    }
  }

  /// Prepares new outputs, whose modes the next frame sets. Unchanged outputs are not affected.
  private func attach() {
    retry = nil
    var found: [(card: Card, resources: CardResources)] = []
    let name = request.card.map { CardName($0, in: directory) }
    let reports = (name?.paths(in: directory) ?? Card.paths(in: directory)).map { path in
      let result = Self.inspect(path, reusing: cards, store)
      if case .success(let success) = result { found.append(success) }
      return CardReport(path: path, resources: result.map(\.resources))
    }
    var next: [OutputDisplay] = []
    do throws(DisplayError) {
      let (outputs, leftOut) = try Output.choose(
        among: try name?.cards(among: reports) ?? reports, for: request)
      self.leftOut = leftOut
      for output in outputs {
        guard let (card, resources) = found.first(where: { $0.card.path == output.card }) else {
          continue
        }
        do throws(DisplayError) {
          next.append(try display(of: output, on: card, resources))
        } catch {
          self.leftOut.append(error)
        }
      }
      if next.isEmpty, let first = self.leftOut.first { throw first }
    } catch {
      obstacle = error
      leftOut = []
    }
    for display in next where !displays.contains(where: { $0 === display }) { prepare(display) }
    displays = next
    // Stop listening to a removed device. A device that only lacks a panel stays open.
    cards = displays.isEmpty ? found.filter(\.resources.hasDumbBuffers).prefix(1).map(\.card) : []
    for display in displays where !cards.contains(where: { $0 === display.card }) {
      cards.append(display.card)
    }
    if let lead { (lastCanvas, lastRotation) = (lead.canvasSize, lead.rotation) }
    keepFirst()
    retryLater(reports)
  }

  /// Reuses the current display if it is the same.
  private func display(
    of output: Output, on card: Card, _ resources: CardResources
  ) throws(DisplayError) -> OutputDisplay {
    let rotation = requestedRotation ?? output.connector.uprightRotation
    if let old = displays.first(where: { $0.shows(output, on: card, rotation, depth) }) {
      return old
    }
    let old = displays.first { $0.card === card && $0.output.crtc == output.crtc }
    let panel = try Panel(
      card, resources, output, rotation, depth, forcesLegacy: forcesLegacy, replacing: old?.replaced
    )
    try card.listen(on: loop) { [unowned self, unowned card] event in
      for display in displays where display.card === card { display.flipped(event) }
    } vanished: { [unowned self] in
      attach()
    }
    return OutputDisplay(panel, isAwake: isAwake, on: loop)
  }

  private func prepare(_ display: OutputDisplay) {
    display.onFlip = { [unowned self, unowned display] time, frame in
      if display === lead { onFlip?(time, frame) }
    }
    display.onModeset = { [unowned self, unowned display] in
      backOff.reset()
      let own = displays.filter { $0.card === display.card }
      if own.allSatisfy(\.hasPicture) { display.card.removeLeftovers() }
    }
    display.onReopening = { [unowned self, unowned display] in reopen(display.card) }
    if !isInForeground {
      display.card.dropMaster()
      display.pause(.inBackground)
    } else if !display.card.becomeMaster() {
      display.pauseForMaster()
    }
  }

  /// Stores the first device's descriptor in the service manager, with its picture.
  private func keepFirst() {
    guard let store, kept !== displays.first?.card else { return }
    kept = displays.first?.card
    if let kept { store.keep(kept.descriptor, as: kept.path) } else { store.forgetAll() }
  }

  /// An unprivileged process becomes master only when it opens a device without a master.
  private func reopen(_ card: Card) {
    guard let fresh = try? Card(opening: card.path), fresh.isMaster else { return }
    displays.removeAll { $0.card === card }
    cards = cards.filter { $0 !== card } + [fresh]
    attach()
  }

  /// Tries again later if a driver failed a call needed for the requested outputs.
  private func retryLater(_ reports: [CardReport]) {
    let isWhole = !displays.isEmpty && leftOut.isEmpty
    let isRefused =
      ([obstacle] + leftOut).contains { $0.kind == .failed }
      || reports.contains { report in
        switch report.resources {
        case .success(let resources): !resources.refusals.isEmpty
        case .failure(let error): error.kind == .failed
        }
      }
    guard !isWhole, isRefused else { return backOff.reset() }
    retry = loop.schedule(at: loop.now + backOff.next()) { [unowned self] in attach() }
  }

  private static func inspect(
    _ path: String, reusing open: [Card] = [], _ store: DescriptorStore? = nil
  ) -> Result<(card: Card, resources: CardResources), DisplayError> {
    if let card = open.first(where: { $0.path == path }), let resources = try? card.resources() {
      return .success((card, resources))
    }
    do throws(DisplayError) {
      let card = try Card(opening: path, from: store)
      return .success((card, try card.resources()))
    } catch {
      return .failure(error)
    }
  }
}
