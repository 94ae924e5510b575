// SPDX-License-Identifier: MIT

internal import LinuxIO

/// Stores an image for a value, and returns the file's path.
package typealias ImageKeeper = (_ name: String, _ file: [UInt8]) throws(MessageError) -> String

/// The folder of images that services send, which the kiosk reads.
///
/// A file's name contains the hash of its content, so a new image has a new path. Each value keeps
/// its last two images, because the kiosk may still read the former one.
package struct ImageFolder {
  package static let maximumBytes = 8 << 20

  private let path: String?
  /// The files of each value, oldest first.
  private var files: [String: [String]] = [:]

  /// - Parameter path: The folder, which need not exist, or nil if images can't be stored.
  package init(at path: String?) { self.path = path }

  /// A folder in the unit's or the user's runtime directory, or nil.
  package static func standardPath(of program: String) -> String? {
    let folder =
      Environment.variable("RUNTIME_DIRECTORY")
      ?? Environment.variable("XDG_RUNTIME_DIR").map { "\($0)/\(program)" }
    return folder.map { "\($0)/images" }
  }

  /// Stores a PNG or JPEG file for a value, and returns its path. An empty file has an
  /// empty path.
  package mutating func keep(_ name: String, _ file: [UInt8]) throws(MessageError) -> String {
    guard !file.isEmpty else {
      removeFiles(of: name, except: [])
      return ""
    }
    guard let suffix = Self.suffix(of: file) else {
      throw MessageError(description: "the message is not a PNG or JPEG file")
    }
    guard let path else {
      throw MessageError(
        description: "cannot keep an image: no RUNTIME_DIRECTORY or XDG_RUNTIME_DIR is set")
    }
    let place = "\(path)/\(name)-\(SHA256.text(of: file).prefix(16)).\(suffix)"
    do throws(Failure) {
      if !Files.isReadable(place) {
        try Files.makeFolder(path, access: .mode(0o755))
        try Files.write(file, to: place, access: .mode(0o644), isDurable: false)
      }
    } catch {
      throw MessageError(description: error.message)
    }
    removeFiles(of: name, except: [files[name]?.last, place].compactMap(\.self))
    return place
  }

  private mutating func removeFiles(of name: String, except kept: [String]) {
    for file in files[name] ?? [] where !kept.contains(file) { Files.remove(file) }
    files[name] = kept.last == kept.first ? Array(kept.prefix(1)) : kept
  }

  private static func suffix(of file: [UInt8]) -> String? {
    if file.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) { return "png" }
    return file.starts(with: [0xff, 0xd8, 0xff]) ? "jpg" : nil
  }
}
