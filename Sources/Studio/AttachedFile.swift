// SPDX-License-Identifier: MIT

internal import JSON
internal import LinuxIO

/// A file in the folder of a kiosk, which names it.
struct AttachedFile {
  /// The path from that folder.
  let name: String
  let bytes: [UInt8]

  var digest: String { SHA256.text(of: bytes) }

  /// Whether a path can be that of a file which a kiosk shows, plays or includes: not hidden, and with a known ending.
  static func isPossible(_ path: some StringProtocol) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return !parts.contains { $0.isEmpty || $0.hasPrefix(".") }
      && !path.unicodeScalars.contains(where: \.isControl)
      && endings.contains { path.lowercased().hasSuffix($0) }
  }

  private static let endings = [
    ".yaml", ".yml", ".png", ".jpg", ".jpeg", ".wav", ".ttf", ".otf", ".ttc",
  ]
}
