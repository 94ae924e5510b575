// SPDX-License-Identifier: MIT

internal import Controls
internal import Drawing
internal import Expressions
internal import Geometry
internal import Motion

/// Where a `go` leads.
package enum Destination: Hashable, Sendable {
  /// The index of a page.
  case page(Int)
  /// The page that was shown before.
  case back
  /// The first page.
  case home

  /// The names that stand for pages where no page has them.
  package static let words = ["back", "home"]
}

/// The pages that were left, the last one at the end, as far as they are remembered.
struct PageHistory: Hashable, Sendable {
  private(set) var pages: [Int] = []
  /// More than anybody goes back.
  private static let maximum = 64

  mutating func add(_ page: Int) {
    if pages.count == Self.maximum { pages.removeFirst() }
    pages.append(page)
  }

  /// The last one that is not `page`.
  func last(besides page: Int) -> Int? { pages.last { $0 != page } }

  /// Forgets that one, and what came after.
  mutating func removeLast(besides page: Int) {
    while let last = pages.popLast(), last == page {}
  }

  /// The same history where pages have other indices. Pages that are gone are left out.
  func moved(_ successor: (Int) -> Int?) -> PageHistory {
    PageHistory(pages: pages.compactMap(successor))
  }
}

/// Pages that take each other's place.
extension Engine {
  /// Where a name leads; nil where it is not a page's. A page that has the name of such a word wins.
  func destination(named name: String) -> Destination? {
    if let index = pages.firstIndex(where: { $0.name == name }) { return .page(index) }
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

  /// - Parameter change: the change of page under way from there on; nil for the page's own.
  mutating func go(to destination: Destination, by change: PageChange? = nil, _ turn: inout Turn) {
    switch destination {
    case .page(let page):
      if page != shownPage {
        leave(for: page, by: change, &turn)
      } else {
        presence.notePage(at: now)
      }
    case .back:
      guard let page = navigation.history.last(besides: shownPage) else { return }
      var rest = navigation.history
      rest.removeLast(besides: shownPage)
      leave(for: page, by: change, &turn)
      navigation.set(rest)
    case .home: goHome(by: change, &turn)
    }
  }

  /// The page that a name leads to now; nil for none, and for the page that is shown.
  func page(at name: String) -> Int? {
    let page: Int? =
      switch destination(named: name) {
      case .page(let page): page
      case .back: navigation.history.last(besides: shownPage)
      case .home: 0
      case nil: nil
      }
    return page == shownPage ? nil : page
  }

  /// Shows the first page with nothing open or moving, and forgets the way there.
  mutating func goHome(by change: PageChange? = nil, _ turn: inout Turn) {
    note("home", of: .kiosk, &turn)
    forEachFeature { $0.leaveGuest(&$1) }
    presence.set(darkView: false)
    leave(for: 0, by: change, &turn)
    navigation.set(PageHistory())
    presence.noteHome()
  }

  /// Leaves the shown page, and shows another one or the same one again.
  mutating func leave(for page: Int, by change: PageChange? = nil, _ turn: inout Turn) {
    if let change { navigation.begin(change) } else { beginTransition(to: page) }
    delayed.leavePage()
    endPage(&turn)
    show(page, &turn)
  }

  /// Begins to show a page in place of what is seen now.
  mutating func beginTransition(to page: Int) {
    let transition = pages[page].transition ?? description.transition
    guard page != shownPage, !isBlank, transition.kind != .none, transition.seconds > 0 else {
      if page != shownPage { navigation.endChange() }
      return
    }
    // Where several changes happen at one moment, only the picture before the first of them has been seen.
    let isFirst = navigation.pageChange?.start != now
    navigation.begin(
      PageChange(
        course: transition.kind == .fade ? .fade : .slide(page > shownPage ? .left : .right),
        start: now, end: now + transition.seconds,
        before: isFirst
          ? wholeList.limited(to: 3) : navigation.pageChange?.before ?? wholeList))
  }

  /// Shows a page after the shown one has been left.
  mutating func show(_ page: Int, _ turn: inout Turn) {
    guard page != shownPage else { return appear(&turn) }
    note("hidden", of: .page(shownPage), &turn)
    navigation.show(page)
    if touches.focus != nil { touches.set(firstFocus) }
    presence.notePage(at: now)
    noteChange(of: .page, &turn)
    forgetReactions(ofPage: page)
    report("page", [Field("page", .text(pages[page].name))], &turn)
    note("shown", of: .page(page), &turn)
    appear(&turn)
  }

  /// Ends everything on the current page. Fingers stay down without holding anything.
  mutating func endPage(_ turn: inout Turn) {
    forEachFeature { feature, _ in feature.leavePage() }
    let first = turn.reports.count
    for finger in fingers { drop(finger, &turn) }
    for control in pages[shownPage].controls.indices {
      reset(Place(page: shownPage, control: control), &turn)
    }
    turn.markEnds(from: first)
  }
}
