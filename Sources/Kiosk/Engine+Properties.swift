// SPDX-License-Identifier: MIT

package import Controls
public import Drawing
package import Geometry

extension Engine {
  /// The ids of all controls, page by page, back to front.
  public var controlIDs: [String] { pages.flatMap { $0.controls.map(\.id) } }

  /// A control by its id; nil if there is none.
  public func placedControl(_ id: String) -> PlacedControl? {
    places[id].map { pages[$0.page].controls[$0.control] }
  }

  /// Whether there are events or programs to take.
  public var hasNews: Bool { !events.isEmpty || !programs.isEmpty }

  /// Removes and returns the events since the last call, in order.
  public mutating func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }

  /// Removes and returns the programs that actions have started since the last call, with their
  /// arguments.
  public mutating func takePrograms() -> [[String]] {
    defer { programs = [] }
    return programs
  }

  /// The present picture; black while the panel sleeps.
  public var displayList: DisplayList { displayList { _ in nil } }

  /// The same with what follows a finger where `position` says that the finger is; nil for where it was
  /// touched last. It is not asked of other fingers.
  package func displayList(following position: (_ finger: Int) -> Point?) -> DisplayList {
    guard !isBlank else { return DisplayList(background: .black) }
    let list = displayList(of: shownPage, following: position)
    return pageChange?.list(list, at: now) ?? list
  }

  /// What is to be seen of a page now, or would be if it were shown.
  package func displayList(
    of page: Int, following position: (_ finger: Int) -> Point? = { _ in nil }
  ) -> DisplayList {
    var (list, context) = ground(of: page)
    for index in drawingOrder(of: page) {
      let entry = pages[page].controls[index]
      context.isEnabled = entry.isEnabled
      if isHeld(Place(page: page, control: index)) {
        entry.control.draw(into: &list, in: context, following: position)
      } else {
        entry.control.draw(into: &list, in: context)
      }
    }
    return list
  }

  /// A rectangle of the proportions of `design` that covers all of the panel.
  private func cover(_ design: Rect) -> Rect {
    guard let panel else { return design }
    let scale = max(panel.width / design.width, panel.height / design.height)
    // Not for the sake of a rounding error.
    guard scale.isFinite, scale > 1 + 1e-9 else { return design }
    return Rect(
      center: design.center, size: Size(design.width * scale, design.height * scale))
  }

  /// The background of a page, and the context in which its controls are drawn.
  package func ground(of page: Int) -> (list: DisplayList, context: DrawingContext) {
    let screenColor = screen.background.color(in: theme).over(.black)
    var list = DisplayList(background: screenColor)
    let whole = Rect(size: screen.size)
    var behind = screenColor
    switch pages[page].background {
    case .color(let color):
      // The whole panel, borders included.
      behind = color.color(in: theme).over(behind)
      list.background = behind
    case .image(let image):
      let cover = cover(whole)
      list.add(DisplayItem(.rect(cover), .image(image, frame: cover)))
    case nil: break
    }
    return (
      list,
      DrawingContext(
        now: now, font: theme.font ?? screen.font, theme: theme, background: behind)
    )
  }
}
