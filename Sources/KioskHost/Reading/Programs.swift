// SPDX-License-Identifier: MIT

internal import Glibc
package import KioskFile
internal import LinuxIO

package enum Programs {
  /// Finds a program either next to the kiosk file or, if `name` doesn't contain a slash, in PATH.
  package static func path(of name: String, for kiosk: String) throws(AssetError) -> String {
    var places: [String] = []
    if name.hasPrefix("/") {
      places = [name]
    } else {
      places = [folder(of: kiosk) + name]
      if !name.contains("/") { places += folders.map { "\($0)/\(name)" } }
    }
    var problem = AssetError("no such program")
    for place in places {
      guard Files.isRegular(place) else { continue }
      if Files.isExecutable(place) { return place }
      problem = AssetError("\(place) is not executable")
    }
    throw problem
  }

  /// Ends with a slash.
  package static func folder(of kiosk: String) -> String {
    kiosk.lastIndex(of: "/").map { String(kiosk[...$0]) } ?? "./"
  }

  /// An empty entry is the working directory.
  private static var folders: [String] {
    let path = Environment.variable("PATH") ?? "/bin:/usr/bin"
    return path.split(separator: ":", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "." : String($0) }
  }
}
