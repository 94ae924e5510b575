// SPDX-License-Identifier: MIT

internal import RoundelGeometry
package import RoundelPresentation
package import RoundelRaster

/// The user's choice of a display. Nil parts are chosen automatically.
package struct OutputRequest: Hashable, Sendable {
  /// A device file, a name in `/dev/dri/by-path`, or a driver, as in `CardName`.
  package var card: String?
  /// Connectors such as `HDMI-A-1`, unique across devices, which all show the picture. If empty,
  /// the first usable one.
  package var outputs: [String]
  package var mode: ModeRequest?

  package init(card: String? = nil, outputs: [String] = [], mode: ModeRequest? = nil) {
    self.card = card
    self.outputs = outputs
    self.mode = mode
  }
}

/// The route of a picture through a device: a plane, a CRTC, a connector, and their settings.
package struct Output: Hashable, Sendable {
  package var card: String
  package var connector: Connector
  package var crtc: CRTC
  /// The CRTC's primary plane, or nil if the kernel doesn't report planes.
  package var plane: Plane?
  package var mode: Mode
  package var format: PixelFormat

  /// Without names, chooses the first usable output that meets the request, device by device,
  /// built-in panels first. With names, chooses all usable named outputs on any device. `leftOut`
  /// has the reasons for unused outputs.
  ///
  /// A connector must be connected and have a mode: the requested one, otherwise the panel's
  /// preferred one, otherwise the largest and then the fastest, progressive before interlaced. Of
  /// several outputs, one without the requested mode uses its own. The connector's CRTC is
  /// preferred, then an unused one. A connector of unknown status is used only if requested by
  /// name.
  package static func choose(
    among cards: [CardReport], for request: OutputRequest
  ) throws(DisplayError) -> (outputs: [Output], leftOut: [DisplayError]) {
    var obstacles: [DisplayError] = []
    let usable = cards.compactMap { report -> CardResources? in
      do throws(DisplayError) {
        return try report.usable()
      } catch {
        obstacles.append(error)
        return nil
      }
    }
    obstacles += usable.flatMap { card in
      card.refusals.map {
        DisplayError(.failed, "\(card.path) (\(card.driver)): the driver refuses \($0)")
      }
    }
    guard request.outputs.isEmpty else {
      let (chosen, leftOut) = named(request, among: usable)
      guard chosen.isEmpty else { return (chosen, leftOut.isEmpty ? [] : leftOut + obstacles) }
      throw nothing(obstacles + leftOut)
    }
    if let output = builtIn(among: usable, for: request) { return ([output], []) }
    for card in usable {
      if card.connectors.isEmpty {
        obstacles.append(
          DisplayError(.unavailable, "\(card.path) (\(card.driver)): no outputs"))
      }
      for connector in card.connectors {
        do throws(DisplayError) {
          return ([try Output(card, connector, request, alongside: [])], [])
        } catch {
          obstacles.append(error)
        }
      }
    }
    throw nothing(obstacles)
  }

  private static func named(
    _ request: OutputRequest, among cards: [CardResources]
  ) -> (chosen: [Output], leftOut: [DisplayError]) {
    var chosen: [Output] = []
    var leftOut: [DisplayError] = []
    for (index, name) in request.outputs.enumerated()
    where !request.outputs[..<index].contains(name) {
      let places = cards.flatMap { card in card.connectors.map { (card, $0) } }
      guard let (card, connector) = places.first(where: { $0.1.name == name }) else {
        let found = places.map(\.1.name).joined(separator: ", ")
        leftOut.append(
          DisplayError(
            .unavailable, "no output \(name), only \(found.isEmpty ? "none" : found)"))
        continue
      }
      do throws(DisplayError) {
        let own = chosen.filter { $0.card == card.path }
        chosen.append(try Output(card, connector, request, alongside: own))
      } catch {
        leftOut.append(error)
      }
    }
    return (chosen, leftOut)
  }

  private static func builtIn(
    among cards: [CardResources], for request: OutputRequest
  ) -> Output? {
    for card in cards {
      for connector in card.connectors where connector.isBuiltIn {
        if let output = try? Output(card, connector, request, alongside: []) { return output }
      }
    }
    return nil
  }

  /// The route must not conflict with the device's other outputs.
  private init(
    _ card: CardResources, _ connector: Connector, _ request: OutputRequest,
    alongside others: [Output]
  ) throws(DisplayError) {
    func unusable(_ why: String) -> DisplayError {
      DisplayError(.unavailable, "\(card.path) (\(card.driver)): \(connector.name) \(why)")
    }
    guard
      connector.status == .connected
        || connector.status == .unknown && request.outputs.contains(connector.name)
    else { throw unusable("is not connected") }
    let isOneOfSeveral = Set(request.outputs).count > 1
    let wanted = Self.mode(of: connector, request.mode)
    guard let mode = wanted ?? (isOneOfSeveral ? Self.mode(of: connector, nil) : nil) else {
      let offered = connector.modes.map(\.description).joined(separator: ", ")
      throw unusable(
        request.mode.map { "has no mode \($0), only \(offered.isEmpty ? "none" : offered)" }
          ?? "has no modes")
    }
    guard let (crtc, plane, format) = Self.route(to: connector, on: card, alongside: others) else {
      throw unusable("has no free CRTC with a primary plane of a known format")
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
    to connector: Connector, on card: CardResources, alongside outputs: [Output]
  ) -> (CRTC, Plane?, PixelFormat)? {
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
        return (crtc, nil, card.preferredDepth == 16 ? .rgb565 : .xrgb8888)
      }
      let usable = card.planes.filter {
        $0.kind == .primary && $0.possibleCRTCs & 1 << index != 0
          && !outputs.map(\.plane?.id).contains($0.id) && !$0.formats.isEmpty
      }
      let plane =
        usable.first { $0.currentCRTC == crtc.id } ?? usable.first { $0.currentCRTC == 0 }
        ?? usable.first
      if let plane, let format = plane.formats(depth: card.preferredDepth).first {
        return (crtc, plane, format)
      }
    }
    return nil
  }

  /// Combines all obstacles. Missing permission takes precedence, because the user can grant it.
  private static func nothing(_ obstacles: [DisplayError]) -> DisplayError {
    let kind: DisplayError.Kind =
      obstacles.contains { $0.kind == .permission } ? .permission : .unavailable
    let context = obstacles.map { "\n  \($0.description)" }.joined()
    return DisplayError(
      kind,
      obstacles.isEmpty
        ? "no display: no DRM device found (the kernel has no driver for the graphics card, or hasn't"
          + " loaded it; firmware framebuffers alone are not enough)"
        : "no usable display:\(context)")
  }
}
