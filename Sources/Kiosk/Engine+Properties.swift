// SPDX-License-Identifier: MIT

package import RoundelControls
public import RoundelDrawing
internal import RoundelExpressions
package import RoundelGeometry
internal import RoundelMotion

extension Engine {
  /// The ids of all controls, page by page, back to front.
  public var controlIDs: [String] { declaredPages.flatMap { $0.controls.map(\.id) } }

  /// Returns nil if the control doesn't exist.
  public func placedControl(_ id: String) -> PlacedControl? { locations[id].map { controls[$0] } }

  /// Whether there are new events, programs, sounds or utterances.
  public var hasNews: Bool { !outbox.isEmpty }

  package var hasDelayedActions: Bool { delayed.nextTime != nil }

  /// Takes the events since the last call, in order.
  public mutating func takeEvents() -> [Event] { outbox.takeEvents() }

  /// Takes the started programs, with their arguments, since the last call.
  public mutating func takePrograms() -> [[String]] { outbox.takePrograms() }

  /// Takes the sound files to play since the last call, in order.
  public mutating func takeSounds() -> [String] { outbox.takeSounds() }

  /// Takes the utterances since the last call, in order.
  public mutating func takeUtterances() -> [Utterance] { outbox.takeUtterances() }

  /// Refused values of bound properties in the last turn.
  package var refusals: [String] { outbox.refusals }

  /// The current picture, which is black while the panel sleeps.
  public var displayList: DisplayList { displayList { _ in nil } }

  /// The current picture, with dragged objects at their finger's `position`, or at its last touch
  /// if that is nil. `position` is only called for fingers that drag something.
  package func displayList(following position: (_ finger: Int) -> Point?) -> DisplayList {
    var list = DisplayList()
    draw(into: &list, following: position)
    return list
  }

  package func scaleText(of list: inout DisplayList) {
    list.textScale = textScale
    list.textLimit = textScale == 1 ? nil : Rect(size: screen.size)
  }

  /// Returns the picture of any page. O(n) in its shapes.
  package func displayList(of page: Int) -> DisplayList {
    var list = DisplayList()
    scaleText(of: &list)
    draw(page, into: &list) { _ in nil }
    return list
  }

  /// Adds the current picture to an empty list; see `displayList(following:)`. O(n) in its shapes.
  package func draw(into list: inout DisplayList, following position: (_ finger: Int) -> Point?) {
    scaleText(of: &list)
    if isDark {
      list.background = .black
    } else {
      drawWhole(into: &list, following: position)
      list.bezel = screen.bezel
    }
  }

  /// The current picture as if the panel showed the whole design.
  var wholeList: DisplayList {
    var list = DisplayList()
    scaleText(of: &list)
    drawWhole(into: &list) { _ in nil }
    return list
  }

  /// The current page, without displacement or transition.
  var pageList: DisplayList { displayList(of: shownPage) }

  /// The panel's size in design pixels, which pages fill.
  var wholeSize: Size {
    guard let panel, panel.width > screen.size.width || panel.height > screen.size.height else {
      return screen.size
    }
    return panel.size
  }

  private func drawWhole(
    into list: inout DisplayList, following position: (_ finger: Int) -> Point?
  ) {
    draw(shownPage, into: &list, following: position)
    list.transition = navigation.pageChange?.transition(at: now, of: wholeSize)
    for feature in features.list {
      if let own = feature.transition(in: self, following: position) { list.transition = own }
    }
  }

  private func draw(
    _ page: Int, into list: inout DisplayList, following position: (_ finger: Int) -> Point?
  ) {
    let background = drawBackground(of: page, into: &list)
    func drawAlways(_ page: Int, in context: DrawingContext) {
      drawControls(of: page, isAlways: true, into: &list, in: context, following: position)
    }
    drawControls(of: page, isAlways: false, into: &list, in: background, following: position)
    guard page == shownPage else { return drawAlways(page, in: background) }
    var upper = background
    if let overlay {
      list.add(.rect(cover(Rect(size: screen.size))), Color.black.faded(to: Self.scrim))
      upper = drawOverlay(overlay, into: &list, in: background)
      drawControls(of: overlay, isAlways: false, into: &list, in: upper, following: position)
    }
    drawMarks(ofAlways: false, into: &list, in: upper)
    for feature in features.list { feature.draw(into: &list, self, in: upper) }
    if let overlay { drawAlways(overlay, in: upper) }
    drawAlways(page, in: background)
    drawMarks(ofAlways: true, into: &list, in: upper)
  }

  /// Draws the progress of presses and the focus, either on controls that are always available or
  /// on all other controls.
  private func drawMarks(
    ofAlways isAlways: Bool, into list: inout DisplayList, in context: DrawingContext
  ) {
    if isHoldPending { drawHolds(ofAlways: isAlways, into: &list, in: context) }
    guard let focus = shownFocus,
      focus.control.map({ controls[$0].isAlwaysAvailable }) ?? false == isAlways
    else { return }
    focusOutline(focus)?.draw(
      isPart: focus.part != nil, in: Rect(size: screen.size), into: &list, context: context)
  }

  /// The opacity of the black between a page and the page over it.
  private static let scrim = 0.6

  private func drawControls(
    of page: Int, isAlways: Bool, into list: inout DisplayList, in background: DrawingContext,
    following position: (_ finger: Int) -> Point?
  ) {
    forEachVisibleControl(of: page, isAlways: isAlways) { index in
      let location = ControlLocation(page: page, control: index)
      let context = pages[page].controls[index].context(in: background)
      list.addsPrivate = isPrivate(control: pages[page].controls[index].id)
      defer { list.addsPrivate = false }
      if isHeld(location) {
        pages[page].controls[index].control.draw(into: &list, in: context, following: position)
      } else {
        pages[page].controls[index].control.draw(into: &list, in: context)
      }
    }
    if theme.hasOutlines {
      drawOutlines(of: page, isAlways: isAlways, into: &list, in: background)
    }
  }

  private func drawOutlines(
    of page: Int, isAlways: Bool, into list: inout DisplayList, in background: DrawingContext
  ) {
    forEachVisibleControl(of: page, isAlways: isAlways) { index in
      let control = pages[page].controls[index].control
      guard control.takesKeys else { return }
      control.focusOutline(of: nil, at: now)?.drawOutline(
        into: &list, background.ink(on: background.background))
    }
  }

  /// Draws the elapsed time of presses until they count as held.
  private func drawHolds(
    ofAlways isAlways: Bool, into list: inout DisplayList, in context: DrawingContext
  ) {
    for number in touches.numbers {
      guard let finger = touches[number], let end = finger.holdTime,
        case .control(let location) = finger.holder,
        controls[location].isAlwaysAvailable == isAlways,
        let press = press(of: number), press.isOn,
        let outline = outline(of: press, on: controls[location])
      else { continue }
      let color = context.ink(on: context.background)
      outline.drawProgress(1 - (end - now) / press.hold, color, into: &list)
    }
  }

  private func outline(of press: Press, on entry: PlacedControl) -> FocusOutline? {
    let control = entry.control
    guard let item = press.item else {
      return control.focusOutline(of: nil, at: now)
        ?? entry.pressArea(in: localTheme).map { .rect(RoundedRect($0.frame)) }
    }
    guard case .number(let index)? = press.fields.first(where: { $0.name == "index" })?.value,
      let part = Int(exactly: index), control.item(ofPart: part, at: now) == item
    else { return nil }
    return control.focusOutline(of: part, at: now)
  }

  private func focusOutline(_ focus: Focus) -> FocusOutline? {
    guard let control = focus.control else {
      return .rect(RoundedRect(overlay.map(overlayFrame) ?? Rect(size: screen.size)))
    }
    let entry = controls[control]
    return entry.control.focusOutline(of: focus.part, at: now)
      ?? entry.pressArea(in: localTheme).map { .rect(RoundedRect($0.frame)) }
  }

  /// Returns a rectangle with the design's aspect ratio that covers the panel.
  private func cover(_ design: Rect) -> Rect {
    guard let panel else { return design }
    let scale = max(panel.width / design.width, panel.height / design.height)
    // Ignore rounding errors.
    guard scale.isFinite, scale > 1 + 1e-9 else { return design }
    return Rect(center: design.center, size: Size(design.width * scale, design.height * scale))
  }

  package func drawBackground(of page: Int, into list: inout DisplayList) -> DrawingContext {
    let screenColor = screen.background.color(in: theme).over(.black)
    list.background = screenColor
    let whole = Rect(size: screen.size)
    var behind = screenColor
    var wallpaper: (image: String, frame: Rect)?
    switch pages[page].background {
    case _ where pages[page].isOver: break
    case .color(let color):
      // The whole panel, including borders.
      behind = color.color(in: theme).over(behind)
      list.background = behind
    case .image(let image):
      let cover = cover(whole)
      list.add(.rect(cover), .image(image, frame: cover))
      wallpaper = (image, cover)
    case nil: break
    }
    let font = localTheme.font.inheriting(from: screen.font)
    var context = DrawingContext(now: now, font: font, theme: theme, background: behind)
    context.numberSymbols = numberSymbols
    context.tones = description.tones
    context.wallpaper = wallpaper
    return pages[page].isOver ? drawOverlay(page, into: &list, in: context) : context
  }

  var localTheme: Theme {
    var theme = theme
    theme.font.language = language
    return theme
  }

  private var numberSymbols: NumberFormat.Symbols {
    NumberFormat.Symbols.texts.reduce(into: NumberFormat.Symbols()) { symbols, text in
      guard let template = description.texts[text.name]?[language] else { return }
      symbols[keyPath: text.symbol] = template.literal ?? self.text(template)
    }
  }
}

extension PlacedControl {
  /// The approximate area, known without typesetting text.
  var approximateFrame: Rect {
    if let extent = control.extent { return extent }
    let center = control.place(of: nil, at: .zero) ?? .zero
    return Rect(center: center, size: Size(120, 40))
  }

  package func context(in page: DrawingContext) -> DrawingContext {
    var context = page.inside(approximateFrame)
    context.isEnabled = isEnabled
    context.font = font.inheriting(from: page.font)
    context.itemLanguages = itemLanguages
    return context
  }
}
