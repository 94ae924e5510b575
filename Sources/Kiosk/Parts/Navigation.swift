// SPDX-License-Identifier: MIT

/// The current page, the history, and the page change in progress.
struct Navigation: Sendable {
  /// The index of the current page.
  private(set) var shownPage = 0
  /// The previous pages, for `go: back`.
  private(set) var history = PageHistory()
  private(set) var pageChange: PageChange?
  /// A counter of visible changes.
  private(set) var revision: UInt64 = 0

  /// Shows a page, and adds the current page to the history.
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

  /// Continues with the next plan, on its first page if the current page was removed.
  mutating func follow(_ succession: Succession) {
    history = history.moved(succession.page)
    if succession.page(shownPage) == nil { pageChange = nil }
    shownPage = succession.page(shownPage) ?? 0
    revision &+= 1
  }
}
