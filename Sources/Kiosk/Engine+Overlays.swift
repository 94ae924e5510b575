// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelMotion

/// Pages over the current page. The upper page takes touches and keys. The lower page stays visible.
extension Engine {
  /// The index of the page over the current page, or nil.
  package var overlay: Int? { overlays.open.map { page(of: $0.content) } }

  package var overlayName: String { overlay.map { pages[$0].name } ?? "" }

  /// The page that takes touches and keys.
  package var activePage: Int { overlay ?? shownPage }

  func isShown(page: Int) -> Bool { page == shownPage || page == overlay }

  var shownPages: [Int] { [shownPage] + [overlay].compactMap(\.self) }

  private func page(of content: Overlays.Content) -> Int {
    if case .page(let page) = content { page } else { plan.messagePage }
  }

  // MARK: Opening

  mutating func show(over name: String, _ turn: inout Turn) {
    guard let page = pages.firstIndex(where: { $0.name == name && $0.isOver }) else { return }
    overlays.add(page: page)
    openNext(&turn)
  }

  /// An alarm wakes the panel.
  mutating func notify(_ message: Message, _ turn: inout Turn) {
    overlays.add(message)
    if message.level == .alarm { change(toBlank: false, &turn) }
    openNext(&turn)
    while let lost = overlays.removeExcess() {
      if let message = lost.content.message, lost.isReported {
        report("dismissed", message.fields, &turn)
      }
      let title = lost.content.message.map { $0.title.isEmpty ? $0.text : $0.title } ?? ""
      fail(
        "more than \(Overlays.maximumCount) messages are waiting; the oldest, "
          + "\"\(title.prefix(60))\", was dropped", &turn)
    }
  }

  /// Opens the next page or message, unless another one is open. An alarm postpones others.
  mutating func openNext(_ turn: inout Turn) {
    guard let entry = overlays.next(whileBlank: isBlank) else { return }
    if overlays.open != nil {
      leaveOverlay(&turn)
      overlays.postpone()
    }
    // The fingers end on the lower page.
    releaseFingers(&turn)
    forEachFeature { feature, _ in feature.leavePage() }
    navigation.endChange()
    overlays.open(entry, at: now)
    recordOverlay(&turn)
    forgetReactions(ofPage: activePage)
    if let message = entry.content.message, !entry.isReported {
      report("notified", message.fields, &turn)
    }
    record("shown", of: .page(activePage), &turn)
    appear(&turn)
  }

  private mutating func recordOverlay(_ turn: inout Turn) {
    if touches.focus != nil { touches.set(firstFocus) }
    recordChange(of: .value(Description.overlayValue), &turn)
    recordChange(of: .message, &turn)
  }

  // MARK: Closing

  /// Closes the upper page, and opens the next one.
  mutating func closeOverlay(_ turn: inout Turn) {
    guard let entry = overlays.open else { return }
    leaveOverlay(&turn)
    overlays.close()
    recordOverlay(&turn)
    if let message = entry.content.message { report("dismissed", message.fields, &turn) }
    openNext(&turn)
  }

  private mutating func leaveOverlay(_ turn: inout Turn) {
    guard let overlay else { return }
    delayed.leave(page: overlay)
    endPage(overlay, &turn)
    record("hidden", of: .page(overlay), &turn)
  }

  /// Closes pages, but not messages, which stay until they are dismissed.
  mutating func closeShownPages(_ turn: inout Turn) {
    overlays.removeWaiting { $0.message == nil }
    if overlays.open != nil, overlays.message == nil { closeOverlay(&turn) }
  }

  mutating func closeAllOverlays(_ turn: inout Turn) {
    let postponed = overlays.reported.dropFirst(overlays.message == nil ? 0 : 1)
    overlays.removeWaiting { _ in true }
    closeOverlay(&turn)
    for message in postponed { report("dismissed", message.fields, &turn) }
  }

  /// Unless the next plan continues it, closes the upper page. A message opens again on its next
  /// page.
  mutating func leaveOverlay(for mapping: PlanMapping, _ turn: inout Turn) {
    guard let entry = overlays.open else { return }
    let page = page(of: entry.content)
    let isContinued =
      switch entry.content {
      case .page: mapping.page(page).map { mapping.next.pages[$0].isOver } ?? false
      case .message: mapping.page(page) == mapping.next.messagePage
      }
    guard !isContinued else { return }
    leaveOverlay(&turn)
    if entry.content.message == nil { overlays.close() } else { overlays.postpone() }
    recordOverlay(&turn)
  }

  func closes(at point: Point) -> Bool {
    guard let overlay, !pages[overlay].isModal else { return false }
    return !overlayFrame(of: overlay).contains(point)
  }

  // MARK: The picture

  /// The area of a page over another in design pixels: its controls with a margin.
  func overlayFrame(of page: Int) -> Rect {
    let whole = screen.circle?.bounds ?? Rect(size: screen.size)
    let side = min(whole.width, whole.height)
    func union(_ a: Rect, _ b: Rect) -> Rect {
      Rect(
        x0: min(a.x0, b.x0), y0: min(a.y0, b.y0), x1: max(a.x1, b.x1), y1: max(a.y1, b.y1))
    }
    var frame: Rect?
    for entry in pages[page].controls where entry.isVisible {
      guard let own = entry.control.extent ?? entry.control.pressArea(in: theme)?.frame else {
        continue
      }
      frame = frame.map { union($0, own) } ?? own
    }
    let content = frame ?? Rect(center: whole.center, size: Size(side / 2, side / 4))
    return content.inset(by: -side * 0.04).intersection(Rect(size: screen.size))
  }

  /// Draws the area of a page over another, and returns the context for its controls.
  func drawOverlay(
    _ page: Int, into list: inout DisplayList, in context: DrawingContext
  ) -> DrawingContext {
    let frame = overlayFrame(of: page)
    let side = min(screen.size.width, screen.size.height)
    let isAlarm = page == overlay && overlays.message?.level == .alarm
    let edge = RoundedRect(frame, radius: side * 0.03)
    list.add(.roundedRect(edge), isAlarm ? theme.accent : theme.surface)
    let inner = RoundedRect(frame.inset(by: side * 0.006), radius: side * 0.026)
    var context = context
    context.wallpaper = nil
    switch pages[page].background {
    case .color(let color): context.background = color.color(in: theme).over(theme.background)
    case .image, nil: context.background = theme.background
    }
    list.add(.roundedRect(inner), context.background)
    if case .image(let image) = pages[page].background {
      list.add(.roundedRect(inner), .image(image, frame: inner.rect))
      context.wallpaper = (image, inner.rect)
    }
    return context
  }
}

extension Page {
  /// The page for messages of a kiosk without a page `message`.
  static func message(named name: String, on screen: Screen) -> Page {
    let whole = screen.circle.map { $0.bounds.inset(by: $0.outerRadius * 0.2) }
    let room = whole ?? Rect(size: screen.size)
    let side = min(room.width, room.height)
    let width = min(room.width * 0.8, side * 1.3)
    func center(_ y: Double) -> Point { Point(room.center.x, room.center.y + y * side) }
    func label(_ field: String, _ y: Double, _ size: Double, _ height: Double) -> PlacedControl {
      var label = Label(
        center: center(y), text: "", fontSize: size * side, size: Size(width, height * side))
      label.scrolls = field == "text"
      label.reportsEnd = false
      label.keysChanged(since: nil, at: .zero)
      return PlacedControl(
        id: "@\(field)", kind: "label", control: label,
        bindings: (try? Template("{\(Message.name).\(field)}")).map { ["text": $0] } ?? [:])
    }
    let button = Button(
      center: center(0.27), size: Size(side * 0.4, side * 0.14), text: "OK", color: .accent)
    var page = Page(
      name: name,
      controls: [
        label("title", -0.28, 0.07, 0.1), label("text", -0.02, 0.055, 0.34),
        PlacedControl(
          id: "@ok", kind: "button", control: button,
          actions: ["selected": [Action(Command.go(page: "back"))]]),
      ])
    page.isOver = true
    return page
  }
}
