// SPDX-License-Identifier: MIT

internal import Geometry
package import Presentation
package import Raster

/// The user's choice of a display for the picture; a part that is nil is chosen for the user.
package struct OutputRequest: Hashable, Sendable {
  /// A device file such as `/dev/dri/card1`, a name of `/dev/dri/by-path`, or a driver such as `vc4`.
  package var card: String?
  /// Names of connectors such as `HDMI-A-1`, all of which show the picture; empty for the first that can.
  package var outputs: [String]
  package var mode: ModeRequest?

  package init(card: String? = nil, outputs: [String] = [], mode: ModeRequest? = nil) {
    self.card = card
    self.outputs = outputs
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

  /// Chooses the outputs that show the picture: the first that can and meets the request, card by card, where
  /// panels that are built in come before what is plugged in; of several that are named, all on its card that
  /// have a mode of the same size, since they show the same memory. The others are in `leftOut`, each with the
  /// reason.
  ///
  /// A connector must be connected and have a mode: the requested one, else the panel's preferred
  /// one, else the largest and then the fastest, progressive before interlaced. The CRTC that already
  /// feeds it is preferred, then one that is unused. A connector of unknown status is used only when
  /// requested by name.
  package static func choose(
    among cards: [CardReport], for request: OutputRequest
  ) throws(DisplayError) -> (outputs: [Output], leftOut: [DisplayError]) {
    if request.outputs.isEmpty, let output = builtIn(among: cards, for: request) {
      return ([output], [])
    }
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
      var chosen: [Output] = []
      var leftOut: [DisplayError] = []
      func add(_ connector: Connector) {
        do throws(DisplayError) {
          chosen.append(try Output(card, connector, request, beside: chosen))
        } catch {
          leftOut.append(error)
        }
      }
      if request.outputs.isEmpty {
        if card.connectors.isEmpty {
          leftOut.append(
            DisplayError(.unavailable, "\(card.path) (\(card.driver)): no outputs"))
        }
        for connector in card.connectors where chosen.isEmpty { add(connector) }
      }
      for name in request.outputs {
        if let connector = card.connectors.first(where: { $0.name == name }) {
          if !chosen.contains(where: { $0.connector.id == connector.id }) { add(connector) }
        } else {
          let found = card.connectors.map(\.name).joined(separator: ", ")
          leftOut.append(
            DisplayError(
              .unavailable,
              "\(card.path) (\(card.driver)): no output \(name), only"
                + " \(found.isEmpty ? "none" : found)"))
        }
      }
      if !chosen.isEmpty { return (chosen, request.outputs.isEmpty ? [] : leftOut) }
      obstacles += leftOut
    }
    throw Self.nothing(obstacles)
  }

  /// The first panel that is built in and can show the picture.
  private static func builtIn(among cards: [CardReport], for request: OutputRequest) -> Output? {
    for report in cards {
      guard let card = try? report.resources.get(), card.hasDumbBuffers else { continue }
      for connector in card.connectors where connector.isBuiltIn {
        if let output = try? Output(card, connector, request, beside: []) { return output }
      }
    }
    return nil
  }

  /// The way to a connector, beside those that show the same picture.
  private init(
    _ card: CardResources, _ connector: Connector, _ request: OutputRequest,
    beside others: [Output]
  ) throws(DisplayError) {
    func unusable(_ why: String) -> DisplayError {
      DisplayError(.unavailable, "\(card.path) (\(card.driver)): \(connector.name) \(why)")
    }
    guard
      connector.status == .connected
        || connector.status == .unknown && request.outputs.contains(connector.name)
    else { throw unusable("is not connected") }
    let wanted = others.first.map { ModeRequest(size: $0.mode.size) } ?? request.mode
    guard let mode = Self.mode(of: connector, wanted) else {
      let offered = connector.modes.map(\.description).joined(separator: ", ")
      throw unusable(
        wanted.map {
          others.isEmpty
            ? "has no mode \($0), only \(offered.isEmpty ? "none" : offered)"
            : "has no mode \($0) as \(others[0].connector.name) has; --mode chooses another for both"
        } ?? "offers no mode")
    }
    guard
      let (crtc, plane, format) = Self.route(
        to: connector, on: card, isShared: request.outputs.count > 1, beside: others)
    else {
      throw unusable("has no CRTC and primary plane of a known format left")
    }
    self.card = card.path
    self.connector = connector
    self.crtc = crtc
    self.plane = plane
    self.mode = mode
    self.format = format
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
    return connector.modes.filter {
      $0.size.width > 0 && $0.size.height > 0 && request?.isMet(by: $0) ?? true
    }.max(by: isWorse)
  }

  private static func route(
    to connector: Connector, on card: CardResources, isShared: Bool, beside outputs: [Output]
  ) -> (CRTC, Plane?, PixelFormat)? {
    // Outputs that show the same read the same memory.
    let primary = card.planes.filter { $0.kind == .primary }
    func formats(of plane: Plane) -> [PixelFormat] {
      let own = plane.formats(depth: card.preferredDepth)
      if let first = outputs.first { return own.filter { $0 == first.format } }
      let common = own.filter { format in
        primary.allSatisfy { $0.formats(depth: card.preferredDepth).contains(format) }
      }
      return isShared && !common.isEmpty ? common : own
    }
    let others = Set(card.connectors.filter { $0.id != connector.id }.map(\.currentCRTC))
    func rank(_ crtc: CRTC) -> Int {
      crtc.id == connector.currentCRTC ? 0 : others.contains(crtc.id) ? 2 : 1
    }
    let possible = card.crtcs.enumerated().filter {
      $0.offset < 32 && connector.possibleCRTCs & 1 << $0.offset != 0
        && !outputs.map(\.crtc).contains($0.element)
    }
    for (index, crtc) in possible.sorted(by: {
      (rank($0.element), $0.offset) < (rank($1.element), $1.offset)
    }) {
      if card.planes.isEmpty {
        return (
          crtc, nil, outputs.first?.format ?? (card.preferredDepth == 16 ? .rgb565 : .xrgb8888)
        )
      }
      let usable = card.planes.filter {
        $0.kind == .primary && $0.possibleCRTCs & 1 << index != 0
          && !outputs.map(\.plane?.id).contains($0.id) && !formats(of: $0).isEmpty
      }
      let plane =
        usable.first { $0.currentCRTC == crtc.id } ?? usable.first { $0.currentCRTC == 0 }
        ?? usable.first
      if let plane, let format = formats(of: plane).first {
        return (crtc, plane, format)
      }
    }
    return nil
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
