// SPDX-License-Identifier: MIT

/// The current page, the way to it, and the change of page under way.
struct Navigation: Sendable {
  /// The index of the current page.
  private(set) var shownPage = 0
  /// The pages that `go: back` leads to.
  private(set) var history = PageHistory()
  private(set) var pageChange: PageChange?
  /// Increases with each visible change.
  private(set) var revision: UInt64 = 0

  /// Shows a page, and remembers the current page.
  mutating func show(_ page: Int) {
    history.add(shownPage)
    shownPage = page
    revision &+= 1
  }

  mutating func begin(_ change: PageChange) {
    pageChange = change
    revision &+= 1
  }

  mutating func endChange() {
    guard pageChange != nil else { return }
    pageChange = nil
    revision &+= 1
  }

  mutating func set(_ history: PageHistory) { self.history = history }

  /// Continues with the next plan, on its first page if the current page is gone.
  mutating func follow(_ succession: Succession) {
    history = history.moved(succession.page)
    if succession.page(shownPage) == nil { pageChange = nil }
    shownPage = succession.page(shownPage) ?? 0
    revision &+= 1
  }
}
