// SPDX-License-Identifier: MIT

internal import KioskFile
internal import RoundelJSON

/// A small example kiosk with its suite, to start from.
package struct Beginning: Sendable {
  /// The name in lower case with hyphens, such as `coffee-machine`.
  package let name: String
  package let summary: String
  private let kiosk: [UInt8]
  private let suite: [UInt8]

  /// All beginnings. The first is the default.
  package static let all = [
    Beginning(
      name: "empty-grid", summary: "a page with a grid and a button",
      kiosk: PackageResources.empty_grid_yaml, suite: PackageResources.empty_grid_suite_yaml),
    Beginning(
      name: "thermostat", summary: "a ring, a measured value and a target",
      kiosk: PackageResources.thermostat_yaml, suite: PackageResources.thermostat_suite_yaml),
    Beginning(
      name: "coffee-machine", summary: "a pinwheel of drinks, an order and its progress",
      kiosk: PackageResources.coffee_machine_yaml,
      suite: PackageResources.coffee_machine_suite_yaml),
    Beginning(
      name: "museum-guide", summary: "a page for each exhibit, in three languages",
      kiosk: PackageResources.museum_guide_yaml, suite: PackageResources.museum_guide_suite_yaml),
    Beginning(
      name: "pendant", summary: "buttons that move a machine while they are held",
      kiosk: PackageResources.pendant_yaml, suite: PackageResources.pendant_suite_yaml),
    Beginning(
      name: "now-playing", summary: "a title, its progress, and a player's buttons",
      kiosk: PackageResources.now_playing_yaml, suite: PackageResources.now_playing_suite_yaml),
  ]

  /// The only beginning whose name contains `word`, ignoring case, spaces and hyphens, or nil.
  package static func named(_ word: String) -> Beginning? {
    func letters(_ text: String) -> String { text.lowercased().filter(\.isLetter) }
    let wanted = letters(word)
    guard wanted.count > 2 else { return nil }
    let found = all.filter { letters($0.name).contains(wanted) }
    return found.count == 1 ? found[0] : nil
  }

  /// The kiosk file, called `kiosk`, and its suite.
  package struct Files {
    package let kiosk: [UInt8]
    package let suite: [UInt8]
    package let suiteName: String
  }

  /// Returns the files for a kiosk whose file is called `file`, without its folder.
  package func files(for file: String) -> Files {
    let stem = KioskFileName(file).stem
    let name = Self.scalar(stem)
    func text(_ bytes: [UInt8], _ replacements: [(String, String)]) -> [UInt8] {
      let lines = String(decoding: bytes, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false)
      let renamed = lines.map { line in
        replacements.first { $0.0 == line }?.1 ?? String(line)
      }
      return Array(renamed.joined(separator: "\n").utf8)
    }
    return Files(
      kiosk: text(kiosk, [("kiosk: \(self.name)", "kiosk: \(name)")]),
      suite: text(
        suite,
        [
          ("suite: \(self.name)", "suite: \(name)"),
          ("kiosk: \(self.name).yaml", "kiosk: \(Self.scalar(file))"),
        ]),
      suiteName: "\(stem)-suite.yaml")
  }

  /// YAML of a string, quoted unless it is a plain name.
  private static func scalar(_ text: String) -> String {
    let isPlain =
      text.first?.isLetter == true
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
    return isPlain ? text : JSONValue.string(text).text
  }
}
