// SPDX-License-Identifier: MIT

internal import Geometry
package import Presentation

/// What the user wants to see the picture on; what is nil is chosen.
package struct OutputRequest: Hashable, Sendable {
  /// A device file such as `/dev/dri/card1`.
  package var card: String?
  /// A connector's name such as `HDMI-A-1`.
  package var output: String?
  package var mode: ModeRequest?

  package init(card: String? = nil, output: String? = nil, mode: ModeRequest? = nil) {
    self.card = card
    self.output = output
    self.mode = mode
  }
}

/// The way of a picture through a card: which plane, which CRTC, which connector, and how.
package struct Output: Hashable, Sendable {
  /// The card's device file.
  package var card: String
  package var connector: Connector
  package var crtc: CRTC
  /// The CRTC's primary plane; nil where the kernel does not report planes.
  package var plane: Plane?
  package var mode: Mode
  package var format: PixelFormat

  /// Chooses the first output, card by card, that can show something and meets the request.
  ///
  /// A connector must be connected and have a mode: the requested one, else the panel's preferred
  /// one, else the largest and then the fastest, progressive before interlaced. The CRTC that already
  /// feeds it is preferred, then one that is unused. A connector of unknown status is used only when
  /// requested by name.
  package init(among cards: [CardReport], for request: OutputRequest) throws(DisplayError) {
    var obstacles: [DisplayError] = []
    for report in cards {
      let card: CardResources
      switch report.resources {
      case .success(let resources): card = resources
      case .failure(let error):
        obstacles.append(error)
        continue
      }
      guard card.hasDumbBuffers else {
        obstacles.append(
          DisplayError(.unavailable, "\(card.path) (\(card.driver)): no memory to paint into"))
        continue
      }
      let connectors = card.connectors.filter { request.output == nil || $0.name == request.output }
      if connectors.isEmpty {
        let found = card.connectors.map(\.name).joined(separator: ", ")
        obstacles.append(
          DisplayError(
            .unavailable,
            "\(card.path) (\(card.driver)): "
              + (request.output.map { "no output \($0), only \(found.isEmpty ? "none" : found)" }
                ?? "no outputs")))
      }
      for connector in connectors {
        do throws(DisplayError) {
          self = try Output(card, connector, request)
          return
        } catch {
          obstacles.append(error)
        }
      }
    }
    throw Self.nothing(obstacles)
  }

  private init(
    _ card: CardResources, _ connector: Connector, _ request: OutputRequest
  ) throws(DisplayError) {
    func unusable(_ why: String) -> DisplayError {
      DisplayError(.unavailable, "\(card.path) (\(card.driver)): \(connector.name) \(why)")
    }
    guard
      connector.status == .connected
        || connector.status == .unknown && connector.name == request.output
    else { throw unusable("is not connected") }
    guard let mode = Self.mode(of: connector, request.mode) else {
      let offered = connector.modes.map(\.description).joined(separator: ", ")
      throw unusable(
        request.mode.map { "has no mode \($0), only \(offered.isEmpty ? "none" : offered)" }
          ?? "offers no mode")
    }
    guard let (crtc, plane) = Self.route(to: connector, on: card) else {
      throw unusable("has no CRTC and primary plane of a known format left")
    }
    self.card = card.path
    self.connector = connector
    self.crtc = crtc
    self.plane = plane
    self.mode = mode
    format = plane.flatMap { Self.bestFormat($0) } ?? .xrgb8888
  }

  private static func mode(of connector: Connector, _ request: ModeRequest?) -> Mode? {
    func isWorse(_ a: Mode, _ b: Mode) -> Bool {
      func rank(_ mode: Mode) -> (Int, Int, Int, Double) {
        let closeness = request?.refresh.map { -abs($0 - mode.refresh) } ?? mode.refresh
        return (
          mode.isInterlaced ? 0 : 1, mode.isPreferred ? 1 : 0,
          mode.size.width * mode.size.height, closeness
        )
      }
      return rank(a) < rank(b)
    }
    return connector.modes.filter { request?.isMet(by: $0) ?? true }.max(by: isWorse)
  }

  private static func route(
    to connector: Connector, on card: CardResources
  ) -> (CRTC, Plane?)? {
    let others = Set(card.connectors.filter { $0.id != connector.id }.map(\.currentCRTC))
    func rank(_ crtc: CRTC) -> Int {
      crtc.id == connector.currentCRTC ? 0 : others.contains(crtc.id) ? 2 : 1
    }
    let possible = card.crtcs.enumerated().filter {
      $0.offset < 32 && connector.possibleCRTCs & 1 << $0.offset != 0
    }
    for (index, crtc) in possible.sorted(by: {
      (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
    }) {
      if card.planes.isEmpty { return (crtc, nil) }
      if let plane = primaryPlane(of: crtc, index: index, on: card) { return (crtc, plane) }
    }
    return nil
  }

  private static func primaryPlane(
    of crtc: CRTC, index: Int, on card: CardResources
  ) -> Plane? {
    let usable = card.planes.filter {
      $0.kind == .primary && $0.possibleCRTCs & 1 << index != 0 && bestFormat($0) != nil
    }
    return usable.first { $0.currentCRTC == crtc.id }
      ?? usable.first { $0.currentCRTC == 0 } ?? usable.first
  }

  private static func bestFormat(_ plane: Plane) -> PixelFormat? {
    PixelFormat.named.first { plane.formats.contains($0) }
  }

  /// One error out of all that stood in the way. Permission comes first: it is what the user can
  /// give, and behind it may lie an output that works.
  private static func nothing(_ obstacles: [DisplayError]) -> DisplayError {
    let kind: DisplayError.Kind =
      obstacles.contains { $0.kind == .permission } ? .permission : .unavailable
    let facts = obstacles.map { "\n  \($0.description)" }.joined()
    return DisplayError(
      kind,
      obstacles.isEmpty
        ? "no display: no DRM card found (the kernel has no driver for the graphics device, or it"
          + " is not loaded; firmware framebuffers alone are not enough)"
        : "no display to show the picture on; looked at:\(facts)")
  }
}
