// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import Kiosk
internal import KioskFile
internal import RoundelMotion

extension Review {
  /// The fraction of a button that may be outside the screen for its design.
  private static let maximumHiddenPart = 0.25

  mutating func reviewReach(of entries: [PlacedControl]) {
    // Controls that actions show or hide may cover others briefly.
    let lasting = entries.filter { entry in
      entry.isVisible && entry.bindings["visible"] == nil && !comingAndGoing.contains(entry.id)
    }
    for entry in entries where entry.isVisible { reviewPlace(of: entry) }
    for (index, entry) in lasting.enumerated() {
      if limit.isExceeded { return }
      guard let extent = entry.control.extent else { continue }
      let above = lasting[(index + 1)...].filter { $0.control.extent?.holds(extent) == true }
      guard !above.isEmpty else { continue }
      let points = touchable(entry.control, in: extent)
      guard !points.isEmpty,
        let cover = above.first(where: { cover in
          points.allSatisfy { cover.control.contains($0, at: .zero) }
        })
      else { continue }
      record(
        .isCovered, of: entry.id, in: entry.id,
        ParsedKiosk.Warning(
          "no finger reaches \(entry.id.quoted): \(cover.id.quoted) covers all of it",
          expected: "another position, or a place after \(cover.id.quoted) in the file",
          at: .control(entry)))
    }
  }

  /// Returns touchable points, distributed over a control.
  private func touchable(_ control: any Control, in extent: Rect) -> [Point] {
    let count = 24
    return (0..<count * count).map { number in
      Point(
        extent.x0 + extent.width * (Double(number % count) + 0.5) / Double(count),
        extent.y0 + extent.height * (Double(number / count) + 0.5) / Double(count))
    }.filter { control.contains($0, at: .zero) }
  }

  /// Checks that a control is on the screen: completely for its touch targets, otherwise at least in part.
  private mutating func reviewPlace(of entry: PlacedControl) {
    guard let extent = entry.control.extent, !extent.isEmpty else { return }
    let size = description.screen.size
    let screen = Rect(size: size)
    let expected = "a position within \(size.width.brief) by \(size.height.brief) pixels"
    let shown = extent.intersection(screen)
    if shown.isEmpty {
      record(
        .isOutside, of: entry.id, in: entry.id,
        ParsedKiosk.Warning(
          "\(entry.id.quoted) is outside the screen", expected: expected,
          at: .key("at", of: entry)))
      return
    }
    reviewCircle(around: entry, extent)
    if let pinwheel = entry.control as? Pinwheel {
      for item in pinwheel.items(at: .zero) where item.isEnabled {
        guard let place = item.place, !screen.contains(place) else { continue }
        record(
          .isOutside, of: item.id, in: entry.id,
          ParsedKiosk.Warning(
            "\("\(entry.id)/\(item.id)".quoted) is outside the screen", expected: expected,
            at: .item(item.id, of: entry)))
      }
      return
    }
    if let menu = entry.control as? Menu { reviewLeaves(of: menu, entry, within: screen) }
    // A dial can be turned to show the rest of its face, a menu opens from a corner, and an image isn't touched.
    if entry.control is Dial || entry.control is Menu { return }
    let part = shown.width * shown.height / (extent.width * extent.height)
    guard part < 1 - Self.maximumHiddenPart, !touchable(entry.control, in: extent).isEmpty else {
      return
    }
    record(
      .isOutside, of: entry.id, in: entry.id,
      ParsedKiosk.Warning(
        "a large part of \(entry.id.quoted) is outside the screen", expected: expected,
        at: .key("at", of: entry)))
  }

  /// The fraction of a control that a round screen may cut off for its design.
  private static let maximumCutPart = 0.02

  private mutating func reviewCircle(around entry: PlacedControl, _ extent: Rect) {
    guard let circle = description.screen.circle else { return }
    let points = touchable(entry.control, in: extent)
    let cut = points.filter { $0.distance(to: circle.center) > circle.outerRadius + 1 }
    guard Double(cut.count) > Self.maximumCutPart * Double(points.count) else { return }
    record(
      .isOutside, of: entry.id, in: entry.id,
      ParsedKiosk.Warning(
        cut.count == points.count
          ? "\(entry.id.quoted) is outside the round screen"
          : "the round screen cuts \(entry.id.quoted)",
        expected: "a position within the circle of \((2 * circle.outerRadius).brief) pixels",
        at: .key("at", of: entry)))
  }

  /// The maximum number of leaves in a ring that users can distinguish at a glance.
  private static let mostLeaves = 12

  private mutating func reviewCrowding(of menu: Menu, _ entry: PlacedControl) {
    let ring = menu.largestRing
    guard ring.count > Self.mostLeaves else { return }
    let name = ([entry.id] + ring.path).joined(separator: "/")
    record(
      .isCrowded, of: name, in: entry.id,
      ParsedKiosk.Warning(
        "\(ring.count) leaves surround \(name.quoted)",
        expected: "at most \(Self.mostLeaves), others in nested rings, or a list",
        at: .key("items", of: entry)))
  }

  private mutating func reviewLeaves(of menu: Menu, _ entry: PlacedControl, within screen: Rect) {
    reviewCrowding(of: menu, entry)
    var outside: [String] = []
    var partly: [String] = []
    for (path, disc) in menu.leaves {
      let square = Rect(
        center: disc.center, size: Size(2 * disc.outerRadius, 2 * disc.outerRadius))
      // One pixel outside isn't noticeable.
      let circle = description.screen.circle
      let reach = circle.map { disc.center.distance(to: $0.center) - $0.outerRadius }
      if screen.inset(by: -1).holds(square), reach.map({ $0 + disc.outerRadius <= 1 }) ?? true {
        continue
      }
      let name = path.joined(separator: "/")
      // A disc doesn't fill its square, so the nearest corner or edge counts.
      let nearest = Point(
        min(max(disc.center.x, screen.x0), screen.x1),
        min(max(disc.center.y, screen.y0), screen.y1))
      if nearest.distance(to: disc.center) < disc.outerRadius, (reach ?? 0) < disc.outerRadius {
        partly.append(name)
      } else {
        outside.append(name)
      }
    }
    guard !outside.isEmpty || !partly.isEmpty else { return }
    let faults = [(outside, "completely"), (partly, "partly")].filter { !$0.0.isEmpty }
      .map { names, how in "\(names.count) \(how) (\(Self.list(names)))" }
    record(
      .isOutside, of: entry.id, in: entry.id,
      ParsedKiosk.Warning(
        "leaves of \(entry.id.quoted) are outside the screen while their ring is open: "
          + faults.joined(separator: ", "),
        expected: """
          rings within \(screen.width.brief) by \(screen.height.brief) pixels: fewer items, nested ones, \
          or a smaller "leaf_radius" or "distance"
          """,
        at: .key("items", of: entry)))
  }

  private static func list(_ names: [String]) -> String {
    let limit = 12
    return names.prefix(limit).map(\.shortened).joined(separator: ", ")
      + (names.count > limit ? " and \(names.count - limit) more" : "")
  }

  mutating func reviewPaths() {
    // The kiosk's `logic` program may go to any page.
    guard description.logic.isEmpty else { return }
    var reached = Set(description.ownActions.map(\.destination))
    for page in description.pages {
      reached.formUnion(page.swipe.values.map(Action.Destination.page))
      reached.formUnion(page.allActions.map(\.destination).filter { $0 != .page(page.name) })
    }
    guard !reached.contains(.any) else { return }
    for page in description.pages.dropFirst()
    where !reached.contains(.page(page.name)) && !(page.isOver && page.name == Message.name) {
      record(
        .isUnreached, of: page.name, in: page.name,
        ParsedKiosk.Warning(
          "nothing leads to the page \(page.name.quoted)",
          expected:
            "an action on another page, such as {\(page.isOver ? "show" : "go"): \(page.name)}",
          at: .page(page.name)))
    }
  }

  /// Checks for page names that hide destinations of `go`. A first page called `home` is the same destination.
  mutating func reviewPageNames() {
    for (index, page) in description.pages.enumerated() {
      let what =
        switch page.name {
        case "back": "the previous page"
        case "home" where index > 0: "the first page"
        default: ""
        }
      guard !what.isEmpty else { continue }
      record(
        .isHiding, of: page.name, in: page.name,
        ParsedKiosk.Warning(
          "the page \(page.name.quoted) hides \(what): {go: \(page.name)} leads to this page",
          expected: "another name", at: .page(page.name)))
    }
  }

  // MARK: Space

  /// Finds missing labels. Numbers may be omitted, as on a clock.
  mutating func reviewSpace(on dial: Dial, _ entry: PlacedControl) {
    guard dial.stride > 1, dial.scale == nil, !dial.isEndless,
      dial.labels != Dial.numbers(dial.labels.count)
    else {
      return
    }
    record(
      .isLeftOut, of: entry.id, in: entry.id,
      ParsedKiosk.Warning(
        "at rest, \(entry.id.quoted) has space for only one in \(dial.stride) of its labels",
        expected: "a smaller font, shorter or fewer labels, or a larger radius",
        at: .key("labels", of: entry)))
  }

  // MARK: Feedback

  /// In OKLab. Twice the distance is just visible between adjacent colours, but these follow each
  /// other in time.
  private static let maximumUnseenDistance = 0.012

  /// Whether two colours look the same to most users. Their luminance must be nearly equal.
  private func looksAlike(_ a: Color, _ b: Color) -> Bool {
    a.contrast(with: b) < 1.1 && a.distance(to: b) < Self.maximumUnseenDistance
  }

  mutating func reviewAnswers(
    of pinwheel: Pinwheel, _ entry: PlacedControl, in context: DrawingContext
  ) {
    guard entry.isEnabled else { return }
    for (index, wedge) in pinwheel.wedges.enumerated()
    where wedge.isEnabled && wedge.pressImage == nil {
      let own =
        wedge.color?.color(in: context.theme) ?? .palette(index, of: pinwheel.wedges.count)
      let color = own.over(context.background)
      let press = pinwheel.press.veil(over: color, opacity: 1, in: context.theme)
      let highlight =
        pinwheel.blink.count > 0
        ? pinwheel.highlight.veil(over: color, opacity: 1, in: context.theme) : nil
      let backgrounds = wedge.image == nil && wedge.photo == nil ? [color] : [.black, .white]
      let unseen = [press, highlight].compactMap(\.self).first { veil in
        backgrounds.allSatisfy { looksAlike($0, veil.over($0)) }
      }
      guard let unseen else { continue }
      record(
        .isUnseen, of: wedge.id, in: entry.id,
        ParsedKiosk.Warning(
          """
          the \(unseen == press ? "press" : "blink") of \(wedge.id.quoted) cannot be seen \
          on its colour
          """,
          expected:
            "a \"press\" or \"highlight\" that differs from the colour, such as \"#00000033\"",
          at: .item(wedge.id, of: entry)))
    }
  }
}

extension Action {
  enum Destination: Hashable {
    case none, any
    case page(String)
  }

  fileprivate var destination: Destination {
    guard let page else { return .none }
    return if case .value(.text(let name)) = page { .page(name) } else { .any }
  }
}

extension Rect {
  fileprivate func holds(_ other: Rect) -> Bool {
    x0 <= other.x0 && y0 <= other.y0 && x1 >= other.x1 && y1 >= other.y1
  }
}
