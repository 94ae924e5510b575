// SPDX-License-Identifier: MIT

internal import JSON
internal import Motion

/// The display times of the pages in one version of a kiosk.
struct PageTimes {
  /// The SHA-256 hash of the kiosk's file.
  let kiosk: String
  /// The start of the measurement, in seconds since 1970.
  private let start: Double
  private var seconds: [String: Double] = [:]
  private var shown: (page: String, since: Timestamp)?

  init(of kiosk: String, since start: Double) {
    self.kiosk = kiosk
    self.start = start
  }

  /// Records a change of the current page, which is nil while no page is visible.
  mutating func show(_ page: String?, at moment: Timestamp) {
    if let shown { seconds[shown.page, default: 0] += moment.seconds - shown.since.seconds }
    shown = page.map { ($0, moment) }
  }

  /// Returns the start of the measurement, and the hours by page.
  mutating func hours(at moment: Timestamp) -> JSONValue {
    show(shown?.page, at: moment)
    let pages = seconds.sorted { $0.key < $1.key }.map { page, seconds in
      JSONValue.Member(page, .number((seconds / 3.6).rounded() / 1000))
    }
    return .object([.init("since", .number(start.rounded())), .init("pages", .object(pages))])
  }
}
