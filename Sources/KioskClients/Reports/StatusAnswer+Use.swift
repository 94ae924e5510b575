// SPDX-License-Identifier: MIT

package import KioskProtocol

extension StatusAnswer {
  /// Returns why the kiosk must not be disturbed at `now`, in seconds since 1970: a touch within
  /// the last `idle` seconds, or a busy page. Otherwise returns nil.
  package func use(within idle: Double, at now: Double) -> String? {
    if isBusy { return "the page \(page) is busy" }
    if fingers > 0 { return "the panel is touched" }
    guard let lastTouch, now - lastTouch < idle else { return nil }
    return "last touched \(Int(max(0, now - lastTouch))) s ago"
  }
}
