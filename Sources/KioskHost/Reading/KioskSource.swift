// SPDX-License-Identifier: MIT

internal import Declarations
internal import KioskFile
package import LinuxIO

/// The file of a kiosk that is shown on this machine, for an author who changes it from another.
package struct KioskSource {
  package let path: String

  /// Of the files that the kiosk is made of; those beyond are left out.
  private static let maximumBytes = 64 << 20

  package init(_ path: String) { self.path = path }

  /// The kiosk file, and what can be read of the files that it is made of.
  package func files() throws(Failure) -> [(path: String, bytes: [UInt8])] {
    let own = try Files.read(path, .kiosk)
    let all = ParsedKiosk(reviewing: own, path: path, assets: Assets()).files(of: path)
    var files = [(path: path, bytes: own)]
    var left = Self.maximumBytes - own.count
    for file in Set(all).subtracting([path]).sorted() {
      guard let bytes = try? Files.read(file, .image), bytes.count <= left else { continue }
      left -= bytes.count
      files.append((file, bytes))
    }
    return files
  }

  /// Gives the kiosk file another content, if that has no mistakes here; `old` is the SHA-256 of the content before,
  /// nil for any. False where it is another; then nothing is written.
  package func save(_ bytes: [UInt8], over old: String?) throws(Failure) -> Bool {
    guard BundleFolder.version(of: path) == nil else {
      throw Failure(
        .didNotHold, "\(path) came in a signed bundle, and is changed by the next version of that")
    }
    guard bytes.count <= Files.Kind.kiosk.maximumBytes else {
      throw Failure(.badFile, "\(path) would be larger than 4 MiB")
    }
    let errors = ParsedKiosk(reviewing: bytes, path: path, assets: Assets()).mistakes.filter {
      $0.severity == .error
    }
    guard errors.isEmpty else {
      throw Failure(.badFile, errors.map { "\($0)" }.joined(separator: "\n"))
    }
    if let old {
      let known = try? Files.read(path, .kiosk)
      guard known.map({ SHA256.text(of: $0) }) == old else { return false }
    }
    // A link to the file stays one.
    try Files.write(bytes, to: (try? Files.realPath(path)) ?? path)
    return true
  }
}
