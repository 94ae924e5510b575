// SPDX-License-Identifier: MIT

internal import Foundation

/// Whether text is rendered as in the goldens, which use the libraries and fonts of Debian 12.
package let isDebian12: Bool = {
  let system = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
  return system.contains("VERSION_CODENAME=bookworm")
}()
