// SPDX-License-Identifier: MIT

internal import LinuxIO

/// The port and token of a file's last studio, for pages to reconnect after a restart.
///
/// Only the user can read them, in the user's state directory.
struct KeptAddress: Hashable {
  let port: UInt16
  let token: String

  /// The maximum number of files whose addresses are kept.
  private static let maximum = 200

  init(port: UInt16, token: String) {
    self.port = port
    self.token = token
  }

  /// Returns nil if no address is kept for the file.
  init?(of file: String) {
    guard let path = Self.path(of: file),
      let bytes = try? Files.read(path, Files.Kind("an address", maximumBytes: 100))
    else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let port = UInt16(words[0]), port > 0, words[1].utf8.count == 32,
      words[1].allSatisfy({ $0.isASCII && $0.isHexDigit })
    else { return nil }
    self.init(port: port, token: String(words[1]))
  }

  /// Without a state directory, the address isn't kept.
  func keep(for file: String) {
    guard let folder = Self.folder, let path = Self.path(of: file) else { return }
    try? Files.makeFolder(folder, access: .mode(0o700))
    let others = Folder.names(in: folder).map { "\(folder)/\($0)" }
    if others.count >= Self.maximum {
      let oldest = others.max { (Folder.age(of: $0) ?? 0) < (Folder.age(of: $1) ?? 0) }
      if let oldest { Files.remove(oldest) }
    }
    try? Files.write(Array("\(port) \(token)\n".utf8), to: path, access: .mode(0o600))
  }

  private static var folder: String? {
    let state =
      Environment.variable("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? Environment.variable("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.local/state" : nil }
    return state.map { $0 + "/roundel/studio" }
  }

  private static func path(of file: String) -> String? {
    folder.map { "\($0)/\(SHA256.text(of: Array(Files.absolutePath(file).utf8)))" }
  }
}
