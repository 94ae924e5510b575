// SPDX-License-Identifier: MIT

internal import Controls
internal import Drawing
internal import Expressions
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

  /// Forgets the last one that is not `page`, and what came after, and returns it.
  mutating func takeLast(besides page: Int) -> Int? {
    while let last = pages.popLast() {
      if last != page { return last }
    }
    return nil
  }

  /// The same where pages have other indices. Those that are gone are left out.
  func moved(_ successor: (Int) -> Int?) -> PageHistory {
    PageHistory(pages: pages.compactMap(successor))
  }
}

/// Pages that take each other's place.
extension Engine {
  /// Where a name leads; nil where it is no page's. A page that is called like a word wins.
  func destination(named name: String) -> Destination? {
    if let index = pages.firstIndex(where: { $0.name == name }) { return .page(index) }
    switch name {
    case "back": return .back
    case "home": return .home
    default: return nil
    }
  }

  @discardableResult
  mutating func change(toPage name: String) -> Bool {
    guard let destination = destination(named: name) else { return false }
    go(to: destination)
    return true
  }

  private mutating func go(to destination: Destination) {
    switch destination {
    case .page(let page):
      if page != shownPage {
        leave(for: page)
      } else {
        notePage()
      }
    case .back:
      var rest = history
      guard let page = rest.takeLast(besides: shownPage) else { return }
      leave(for: page)
      history = rest
    case .home: goHome()
    }
  }

  /// Shows the first page with nothing open or moving, and forgets the way there.
  mutating func goHome() {
    note("home", of: .kiosk)
    leave(for: 0)
    history = PageHistory()
    noteHome()
  }

  /// Leaves the shown page, and shows another one unless it is the same.
  mutating func leave(for page: Int) {
    beginTransition(to: page)
    leavePage()
    show(page)
  }

  /// Begins to show a page in place of what is seen now.
  private mutating func beginTransition(to page: Int) {
    let transition = pages[page].transition ?? description.transition
    guard page != shownPage, !isBlank, transition.kind != .none, transition.seconds > 0 else {
      if page != shownPage { pageChange = nil }
      return
    }
    // Of several changes at a moment, only what was seen before the first has been seen.
    let isFirst = pageChange?.start != now
    pageChange = PageChange(
      kind: transition.kind, isForward: page > shownPage, start: now,
      end: now + transition.seconds,
      before: isFirst ? wholeList.limited(to: 3) : pageChange?.before ?? wholeList)
  }

  private mutating func show(_ page: Int) {
    guard page != shownPage else { return }
    history.add(shownPage)
    note("hidden", of: .page(shownPage))
    shownPage = page
    if focus != nil { focus = firstFocus }
    notePage()
    noteChange(of: .page)
    forgetReactions(ofPage: page)
    report("page", [Field("page", .text(pages[page].name))])
    note("shown", of: .page(page))
    appear()
  }

  /// Ends everything on the shown page. Fingers stay down without holding anything, and delayed actions
  /// are dropped.
  mutating func leavePage() {
    delayed = []
    let first = reports.count
    for finger in fingers { drop(finger) }
    for control in pages[shownPage].controls.indices {
      reset(Place(page: shownPage, control: control))
    }
    for index in first..<reports.count { reports[index].isEnding = true }
  }
}
