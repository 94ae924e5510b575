// SPDX-License-Identifier: MIT

import JSON
import LinuxIO
import Motion

/// How long a version of a kiosk has shown each of its pages.
struct PageTimes {
  /// The SHA-256 of the kiosk's file.
  let kiosk: String
  /// When that began, in seconds since 1970.
  private let start = WallClock.secondsSince1970
  private var seconds: [String: Double] = [:]
  private var shown: (page: String, since: Timestamp)?

  init(of kiosk: String) { self.kiosk = kiosk }

  /// Notes the page that is shown from now on; nil for none.
  mutating func show(_ page: String?, at moment: Timestamp) {
    if let shown { seconds[shown.page, default: 0] += moment.seconds - shown.since.seconds }
    shown = page.map { ($0, moment) }
  }

  /// Since when it is counted, and the hours of each page that has been shown.
  mutating func hours(at moment: Timestamp) -> JSONValue {
    show(shown?.page, at: moment)
    let pages = seconds.sorted { $0.key < $1.key }.map { page, seconds in
      JSONValue.Member(page, .number((seconds / 3.6).rounded() / 1000))
    }
    return .object([.init("since", .number(start.rounded())), .init("pages", .object(pages))])
  }
}
