// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelMotion

/// The destination of a `go`.
package enum Destination: Hashable, Sendable {
  case page(Int)
  case back
  case home

  /// The names of destinations. Pages with the same names take precedence.
  package static let words = ["back", "home"]
}

/// The previous pages, the most recent last.
struct PageHistory: Hashable, Sendable {
  private(set) var pages: [Int] = []
  /// More steps than users go back.
  private static let maximum = 64

  mutating func add(_ page: Int) {
    if pages.count == Self.maximum { pages.removeFirst() }
    pages.append(page)
  }

  func last(excluding page: Int) -> Int? { pages.last { $0 != page } }

  /// Removes the most recent page other than `page`, and everything after it.
  mutating func removeLast(excluding page: Int) {
    while let last = pages.popLast(), last == page {}
  }

  func moved(_ successor: (Int) -> Int?) -> PageHistory {
    PageHistory(pages: pages.compactMap(successor))
  }
}

extension Engine {
  /// Returns nil for an unknown name. Pages take precedence over `back` and `home`.
  func destination(named name: String) -> Destination? {
    if let index = pages.firstIndex(where: { $0.name == name && !$0.isOver }) {
      return .page(index)
    }
    switch name {
    case "back": return .back
    case "home": return .home
    default: return nil
    }
  }

  @discardableResult
  mutating func change(toPage name: String, _ turn: inout Turn) -> Bool {
    guard let destination = destination(named: name) else { return false }
    go(to: destination, &turn)
    return true
  }

  /// - Parameter change: A page change already in progress, or nil to use the page's transition.
  mutating func go(to destination: Destination, by change: PageChange? = nil, _ turn: inout Turn) {
    if destination != .back, let overlay, turn.page == overlay { closeOverlay(&turn) }
    switch destination {
    case .page(let page):
      if page != shownPage {
        leave(for: page, by: change, &turn)
      } else {
        presence.recordPage(at: now)
      }
    case .back where overlay != nil: closeOverlay(&turn)
    case .back:
      guard let page = navigation.history.last(excluding: shownPage) else { return }
      var rest = navigation.history
      rest.removeLast(excluding: shownPage)
      leave(for: page, by: change, &turn)
      navigation.set(rest)
    case .home: goHome(by: change, &turn)
    }
  }

  /// Returns the page that a name currently leads to, or nil if it is current or doesn't exist.
  func page(at name: String) -> Int? {
    let page: Int? =
      switch destination(named: name) {
      case .page(let page): page
      case .back: navigation.history.last(excluding: shownPage)
      case .home: 0
      case nil: nil
      }
    return page == shownPage ? nil : page
  }

  /// Shows the first page with nothing open or moving, and clears the history.
  mutating func goHome(by change: PageChange? = nil, _ turn: inout Turn) {
    record("home", of: .kiosk, &turn)
    forEachFeature { $0.endSession(&$1) }
    presence.set(darkView: false)
    closeShownPages(&turn)
    clearPrivate(&turn)
    leave(for: 0, by: change, &turn)
    navigation.set(PageHistory())
    presence.recordHome()
  }

  /// Leaves the current page for `page`, which may be the same page.
  mutating func leave(for page: Int, by change: PageChange? = nil, _ turn: inout Turn) {
    if let change { navigation.begin(change) } else { beginTransition(to: page) }
    delayed.leave(page: shownPage)
    endPage(shownPage, &turn)
    show(page, &turn)
  }

  mutating func beginTransition(to page: Int) {
    let transition = pages[page].transition ?? description.transition
    // A transition would move the upper page, too.
    guard page != shownPage, !isBlank, overlay == nil, transition.kind != .none,
      transition.seconds > 0
    else {
      if page != shownPage { navigation.endChange() }
      return
    }
    // If several page changes happen simultaneously, only the picture before the first of them was
    // visible.
    let isFirst = navigation.pageChange?.start != now
    navigation.begin(
      PageChange(
        animation: transition.kind == .fade ? .fade : .slide(page > shownPage ? .left : .right),
        start: now, end: now + transition.seconds,
        before: isFirst ? wholeList.limited(to: 3) : navigation.pageChange?.before ?? wholeList))
  }

  mutating func show(_ page: Int, _ turn: inout Turn) {
    guard page != shownPage else { return appear(&turn) }
    record("hidden", of: .page(shownPage), &turn)
    navigation.show(page)
    if let focus = touches.focus, overlay == nil || !isReachable(focus) { touches.set(firstFocus) }
    presence.recordPage(at: now)
    recordChange(of: .page, &turn)
    forgetReactions(ofPage: page)
    report("page", [Field("page", .text(pages[page].name))], &turn)
    record("shown", of: .page(page), &turn)
    appear(&turn)
  }

  /// Ends everything on a page. Fingers on it stay down without holding anything.
  mutating func endPage(_ page: Int, _ turn: inout Turn) {
    forEachFeature { feature, _ in feature.leavePage() }
    let first = turn.reports.count
    for finger in fingers where isFinger(finger, on: page) { drop(finger, &turn) }
    for control in pages[page].controls.indices {
      reset(ControlLocation(page: page, control: control), &turn)
    }
    turn.markEnds(from: first)
  }

  private func isFinger(_ finger: Int, on page: Int) -> Bool {
    if case .control(let location)? = touches[finger]?.holder { return location.page == page }
    return page == activePage
  }
}
