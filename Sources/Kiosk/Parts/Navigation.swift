// SPDX-License-Identifier: MIT

struct Navigation: Sendable {
  private(set) var shownPage = 0
  private(set) var history = PageHistory()
  private(set) var pageChange: PageChange?
  private(set) var revision: UInt64 = 0

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

  /// Shows the first page if the current page was removed.
  mutating func adopt(_ mapping: PlanMapping) {
    history = history.moved(mapping.page)
    if mapping.page(shownPage) == nil { pageChange = nil }
    shownPage = mapping.page(shownPage) ?? 0
    revision &+= 1
  }
}
