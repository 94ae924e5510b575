// SPDX-License-Identifier: MIT

internal import RoundelJSON
internal import LinuxIO

/// A file in a kiosk's folder that the kiosk names.
struct AttachedFile {
  let name: String
  let bytes: [UInt8]

  var digest: String { SHA256.text(of: bytes) }

  /// Whether a kiosk may name a file at this path: not hidden, with a known extension.
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
