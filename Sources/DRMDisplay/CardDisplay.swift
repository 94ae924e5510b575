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

/// The panels on DRM cards that show the picture, painted into dumb buffers, each at its own pace.
///
/// The first of them that can show something leads: it says how large the picture is and when frames begin. The
/// others are its mirrors. A missing card, a pulled cable and another program as master are states, not errors:
/// see `state`. The display resumes by itself when the cause is gone.
package final class CardDisplay: PanelDisplay {
  private let request: OutputRequest
  private let forcesLegacy: Bool
  private let directory: String
  private let store: DescriptorStore?
  private let loop: EventLoop
  private var hotplug: HotplugMonitor?

  /// In the order in which they were asked for.
  private var displays: [OutputDisplay] = []
  /// The cards that show something; where none does, one that was looked at, kept open so that no other program
  /// becomes its master.
  private var cards: [Card] = []
  /// The card that the service manager holds, too.
  private weak var kept: Card?
  /// Why there is no display.
  private var obstacle = DisplayError(.unavailable, "no display has been looked for yet")
  /// Why outputs that were asked for show nothing while others do.
  private var leftOut: [DisplayError] = []
  /// The timer that looks again after a driver has refused something.
  private var retry: EventLoop.Token?
  private var backOff = BackOff()
  private var isAwake = true
  package var onFlip: ((Timestamp, Int) -> Void)?

  /// The canvas of the display that led last.
  private var lastCanvas: PixelSize
  /// The turn of the display that led last.
  private var lastRotation: Rotation
  /// How far the picture is turned clockwise; nil for the turn that makes it upright on each panel as it is mounted.
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

  /// Looks for outputs that meet the request; the result is `state`.
  ///
  /// - Parameters:
  ///   - rotation: how far the picture is turned clockwise on the panel; nil for the turn that makes it upright.
  ///   - depth: the colour depth of the panel; nil for that of its format.
  ///   - forcesLegacy: whether to avoid atomic commits, for drivers in which they are broken.
  ///   - canvasSize: the size of the picture until a panel has been seen.
  ///   - store: keeps the first card open when this process ends, with its last picture.
  ///   - directory: where the cards' device files are.
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
        // Its picture stays for the next process, which removes it. Without a store that keeps the card, it
        // goes when the card is closed.
        unsafe _ = Unmanaged.passRetained(display.replaced)
      }
    }
  }

  /// All cards of this machine, their offers and their masters, for people to read. It opens
  /// the cards, so it should not be asked while a display of this process runs.
  package static func cards(in directory: String = "/dev/dri") -> [CardReport] {
    Card.paths(in: directory).map { path in
      CardReport(
        path: path, resources: inspect(path).map(\.resources), master: Card.master(of: path))
    }
  }

  /// Whether a card could be opened at all; without one there is nothing to plug a panel into.
  package var hasCard: Bool { !cards.isEmpty }

  /// The outputs that show the picture; empty while there is none.
  package var outputs: [Output] { displays.map(\.output) }

  // MARK: - The display that leads, and its mirrors

  /// The first that is not waiting for something, else the first.
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
      // Until a panel is found, the canvas keeps the size of the one that was expected.
      lastCanvas = rotation.applied(to: lastRotation.applied(to: lastCanvas))
      lastRotation = rotation
    }
    attach()
  }

  // MARK: - Plugging

  /// Looks whether the panels are still those that were chosen, and whether others have come.
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

  /// Chooses outputs and prepares those that are new; the next frame sets their modes. Outputs that stay as they are
  /// are not affected.
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
    // A card that is gone must not be listened to; one that only lacks a panel stays ours.
    cards = displays.isEmpty ? found.filter(\.resources.hasDumbBuffers).prefix(1).map(\.card) : []
    for display in displays where !cards.contains(where: { $0 === display.card }) {
      cards.append(display.card)
    }
    if let lead { (lastCanvas, lastRotation) = (lead.canvasSize, lead.rotation) }
    keepFirst()
    retryLater(reports)
  }

  /// The display of an output: the present one where that is the same.
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

  /// Connects a display that has just been made.
  private func prepare(_ display: OutputDisplay) {
    display.onFlip = { [unowned self, unowned display] moment, frame in
      if display === lead { onFlip?(moment, frame) }
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

  /// Has the service manager hold the first card, with its picture.
  private func keepFirst() {
    guard let store, kept !== displays.first?.card else { return }
    kept = displays.first?.card
    if let kept { store.keep(kept.descriptor, as: kept.path) } else { store.forgetAll() }
  }

  /// Opens a card again: a process without privileges becomes master only when it opens a card that has none.
  private func reopen(_ card: Card) {
    guard let fresh = try? Card(opening: card.path), fresh.isMaster else { return }
    displays.removeAll { $0.card === card }
    cards = cards.filter { $0 !== card } + [fresh]
    attach()
  }

  /// Looks again after a while if a driver has refused a call that the requested outputs need.
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
