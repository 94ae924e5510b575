// SPDX-License-Identifier: MIT

package import KioskProtocol

extension StatusAnswer {
  /// Returns the obstacle to disturbing the kiosk at `now`, in seconds since 1970, or nil: a touch
  /// within the last `idle` seconds, or a busy page.
  package func use(within idle: Double, at now: Double) -> String? {
    if isBusy { return "the page \(page) is busy" }
    if fingers > 0 { return "the panel is touched" }
    guard let lastTouch, now - lastTouch < idle else { return nil }
    return "last touched \(Int(max(0, now - lastTouch))) s ago"
  }
}
