// SPDX-License-Identifier: MIT

internal import JSON
internal import Motion

/// The time for which a version of a kiosk has shown each of its pages.
struct PageTimes {
  /// The SHA-256 of the kiosk's file.
  let kiosk: String
  /// The start of the count, in seconds since 1970.
  private let start: Double
  private var seconds: [String: Double] = [:]
  private var shown: (page: String, since: Timestamp)?

  init(of kiosk: String, since start: Double) {
    self.kiosk = kiosk
    self.start = start
  }

  /// Notes the page that is shown from now on, or nil.
  mutating func show(_ page: String?, at moment: Timestamp) {
    if let shown { seconds[shown.page, default: 0] += moment.seconds - shown.since.seconds }
    shown = page.map { ($0, moment) }
  }

  /// The start of the count, and the hours of each page that has been shown.
  mutating func hours(at moment: Timestamp) -> JSONValue {
    show(shown?.page, at: moment)
    let pages = seconds.sorted { $0.key < $1.key }.map { page, seconds in
      JSONValue.Member(page, .number((seconds / 3.6).rounded() / 1000))
    }
    return .object([.init("since", .number(start.rounded())), .init("pages", .object(pages))])
  }
}
