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
    for setting in settings {
      do throws(PropertyError) {
        try set(setting.name, to: Value(text: setting.text, as: kind(of: setting.name)))
      } catch {
        throw Failure(.usage, "--set \(setting.name): \(error)")
      }
    }
  }
}
