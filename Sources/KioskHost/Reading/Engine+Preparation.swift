// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelExpressions
package import Kiosk
package import KioskProtocol
package import LinuxIO
internal import RoundelSession

extension Engine {
  /// Applies `--page` and `--set` before the first frame.
  package mutating func prepare(page: String?, settings: [Assignment]) throws(Failure) {
    if let page, declaredPages.contains(where: { $0.name == page && $0.isOver }) {
      try? apply(.show(page: page))
    } else if let page, !go(to: page) {
      let known = declaredPages.map(\.name).joined(separator: ", ")
      throw Failure(.usage, "there is no page \"\(page)\" (the pages are: \(known))")
    }
    var problems: [String] = []
    for setting in settings {
      do throws(PropertyError) {
        try set(setting.name, to: Value(text: setting.text, as: kind(of: setting.name)))
        // A control may refuse a valid value.
        problems += refusals.map { "--set \(setting.name): \($0)" }
      } catch {
        problems.append("--set \(setting.name): \(error)")
      }
    }
    guard problems.isEmpty else { throw Failure(.usage, problems.joined(separator: "; ")) }
  }
}
