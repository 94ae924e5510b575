// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions
package import Kiosk
package import KioskProtocol
package import LinuxIO
internal import Session

extension Engine {
  /// Applies what `--page` and `--set` ask for, before anything is shown.
  package mutating func prepare(page: String?, settings: [Assignment]) throws(Failure) {
    if let page, !go(to: page) {
      let known = pages.map(\.name).joined(separator: ", ")
      throw Failure(.usage, "there is no page \"\(page)\" (the pages are: \(known))")
    }
    var problems: [String] = []
    for setting in settings {
      do throws(PropertyError) {
        try set(setting.name, to: Value(text: setting.text, as: kind(of: setting.name)))
        // A value may be valid although a control refuses it.
        problems += refusals.map { "--set \(setting.name): \($0)" }
      } catch {
        problems.append("--set \(setting.name): \(error)")
      }
    }
    guard problems.isEmpty else { throw Failure(.usage, problems.joined(separator: "; ")) }
  }
}
