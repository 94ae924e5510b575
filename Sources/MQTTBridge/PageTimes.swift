// SPDX-License-Identifier: MIT

internal import RoundelJSON
internal import RoundelMotion

/// The display times in one version of a kiosk.
struct PageTimes {
  let kiosk: String
  /// Seconds since 1970.
  private let start: Double
  private var seconds: [String: Double] = [:]
  private var shown: (page: String, since: Timestamp)?

  init(of kiosk: String, since start: Double) {
    self.kiosk = kiosk
    self.start = start
  }

  /// The page is nil while none is visible.
  mutating func show(_ page: String?, at time: Timestamp) {
    if let shown { seconds[shown.page, default: 0] += time.seconds - shown.since.seconds }
    shown = page.map { ($0, time) }
  }

  mutating func hours(at time: Timestamp) -> JSONValue {
    show(shown?.page, at: time)
    let pages = seconds.sorted { $0.key < $1.key }.map { page, seconds in
      JSONValue.Member(page, .number((seconds / 3.6).rounded() / 1000))
    }
    return .object([.init("since", .number(start.rounded())), .init("pages", .object(pages))])
  }
}
