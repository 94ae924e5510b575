// SPDX-License-Identifier: MIT

internal import Foundation

/// Whether text looks here as it did where the pictures were made: libraries and fonts are Debian 12's.
package let isDebian12: Bool = {
  let system = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
  return system.contains("VERSION_CODENAME=bookworm")
}()
