// SPDX-License-Identifier: MIT

internal import RoundelAuthoring
internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelJSON
internal import Kiosk
internal import RoundelRaster
internal import RoundelRuntime
internal import RoundelText

extension StudioKiosk {
  /// A size so large that users can find an invisible control.
  private static let leastFrame = Size(48, 24)
  private static let maximumItems = 500

  /// Positions are in pixels of the panel.
  func controls(on face: PanelFace) -> [KioskState.Control] {
    guard let stage else { return [] }
    let engine = stage.engine
    let viewport = stage.viewport(on: face.canvas)
    func pixel(_ place: Point) -> Point { face.panelPoint(viewport.canvasPoint(place)) }
    return zip(engine.pages[engine.activePage].controls, frames).map { entry, frame in
      // The key `at`: the centre, or the start of a label.
      let place =
        entry.control.extent?.center ?? entry.control.place(of: nil, at: engine.now)
      return KioskState.Control(
        id: entry.id, kind: entry.kind,
        items: entry.control.items(at: engine.now).prefix(Self.maximumItems).map {
          .init(id: $0.id, place: $0.place.map(pixel))
        }, rect: frame.map { face.panelRect(viewport.canvasRect($0)) }, place: place.map(pixel))
    }
  }

  /// The current page's controls in the design. Nil for controls that are never visible.
  var frames: [Rect?] {
    guard let stage else { return [] }
    let engine = stage.engine
    var background = DisplayList()
    let context = engine.drawBackground(of: engine.activePage, into: &background)
    return engine.pages[engine.activePage].controls.map { entry in
      if let extent = entry.control.extent { return extent }
      guard let place = entry.control.place(of: nil, at: engine.now) else { return nil }
      var list = DisplayList()
      engine.scaleText(of: &list)
      entry.control.draw(into: &list, in: entry.context(in: context))
      let texts = list.tiles.compactMap { tile -> Rect? in
        guard case .text(let run) = tile.shape else { return nil }
        return stage.content.fonts.layout(run)?.frame(run)
      }
      guard let first = texts.first else { return Rect(center: place, size: Self.leastFrame) }
      return texts.dropFirst().reduce(first) { all, text in
        Rect(
          x0: min(all.x0, text.x0), y0: min(all.y0, text.y0), x1: max(all.x1, text.x1),
          y1: max(all.y1, text.y1))
      }
    }
  }

  /// Returns a control's properties, or an empty array if there is no such control.
  func properties(of id: String?) -> [JSONValue.Member] {
    guard let engine, let id, let entry = engine.placedControl(id) else { return [] }
    return entry.control.properties.prefix(Self.maximumProperties).compactMap { name in
      engine.value(of: name, of: id).map { .init("\(id).\(name)", JSONValue($0)) }
    }
  }

  private static let maximumProperties = 40

  // MARK: Adding

  /// Finds the position of a new control: at a pixel of the panel, or in free space.
  func freeSpace(for kind: String, at pixel: Point?) -> FreeSpaceFinder.Place {
    guard let stage else { return FreeSpaceFinder.Place(center: .zero, scale: 1) }
    let screen = stage.engine.screen
    var finder = FreeSpaceFinder(screen: Rect(size: screen.size))
    finder.circle = screen.circle.map { ($0.center, $0.outerRadius) }
    // A control that is never visible needs no space.
    guard let size = palette.kinds.first(where: { $0.name == kind })?.size else {
      return FreeSpaceFinder.Place(center: finder.screen.center, scale: 1)
    }
    if let place = pixel.flatMap(designPoint) { return finder.place(for: size, at: place) }
    let page = stage.engine.pages[stage.engine.activePage]
    finder.taken = zip(page.controls, frames).compactMap { $0.isVisible ? $1 : nil }
    return finder.place(for: size)
  }

  // MARK: Expressions

  /// Evaluates a template. Returns nil if it has no expressions or an error.
  func presentText(of written: String) -> String? {
    guard let engine, written.contains("{"), let template = try? Template(written),
      template.expressionCount > 0
    else { return nil }
    return engine.text(of: template)
  }

  /// Returns the hexadecimal digits of a named or theme colour, or nil if unknown.
  func hex(of name: String?) -> String? {
    guard let engine, let name else { return nil }
    let color = ThemeColor.named[name]?.color(in: engine.theme) ?? Color(css: name)
    return color.map { String($0.hex.prefix(7)) }
  }
}

extension TextBlock {
  fileprivate func frame(_ run: TextRun) -> Rect? {
    let width = (lines.map(\.width).max() ?? 0) * size
    let height = Double(lines.count) * lineHeight * size
    guard width > 0, width.isFinite, height.isFinite else { return nil }
    let left = lines.map { shift(of: $0, run) * size }.min() ?? 0
    let middle = drop(run) * size
    return Rect(
      x0: run.anchor.x + left, y0: run.anchor.y + middle - height / 2,
      x1: run.anchor.x + left + width, y1: run.anchor.y + middle + height / 2)
  }
}
