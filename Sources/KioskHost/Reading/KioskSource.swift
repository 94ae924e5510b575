// SPDX-License-Identifier: MIT

internal import Declarations
internal import Glibc
internal import JSON
internal import KioskFile
package import LinuxIO

/// The file of a kiosk that is shown on this machine, for an author who changes it from another.
package struct KioskSource {
  package let path: String

  /// The most bytes of the files that the kiosk is made of; files beyond that are left out.
  private static let maximumBytes = 64 << 20

  package init(_ path: String) { self.path = path }

  /// The kiosk file, and those that it is made of as far as it can be read.
  package var paths: [String] {
    guard let own = try? Files.read(path, .kiosk) else { return [path] }
    return read(own).files(of: path)
  }

  /// Reads the file as if this were its content.
  private func read(_ content: [UInt8]) -> ParsedKiosk {
    ParsedKiosk(content, path: path, assets: Assets(), limit: .ofKioskFile)
  }

  /// The kiosk file, and what can be read of the files that it is made of.
  package func files() throws(Failure) -> [(path: String, bytes: [UInt8])] {
    let own = try Files.read(path, .kiosk)
    let all = read(own).files(of: path)
    var files = [(path: path, bytes: own)]
    var left = Self.maximumBytes - own.count
    for file in Set(all).subtracting([path]).sorted() {
      guard let bytes = try? Files.read(file, .image), bytes.count <= left else { continue }
      left -= bytes.count
      files.append((file, bytes))
    }
    return files
  }

  /// A file in the kiosk's folder that is written with the kiosk's own.
  package struct Companion {
    /// From that folder on.
    package var name: String
    package var bytes: [UInt8]
    /// The SHA-256 of the content before; empty where there is none, nil for any.
    package var old: String?

    package init(_ name: String, _ bytes: [UInt8], over old: String?) {
      self.name = name
      self.bytes = bytes
      self.old = old
    }
  }

  /// The endings of the names of files that a kiosk shows, plays or includes.
  package static let endings = [
    ".yaml", ".yml", ".png", ".jpg", ".jpeg", ".wav", ".ttf", ".otf", ".ttc",
  ]
  private static let maximumCompanions = 256

  /// Gives the kiosk file another content, if that has no mistakes here; `old` is the SHA-256 of the content before,
  /// nil for any. False where it, or that of a companion, is another; then nothing is written.
  ///
  /// Companions are there while the kiosk is checked, and are put back as they were where it has mistakes or does not
  /// name them.
  package func save(
    _ bytes: [UInt8], over old: String?, with companions: [Companion] = []
  ) throws(Failure) -> Bool {
    try BundleFolder.refuse(path)
    guard bytes.count <= Files.Kind.kiosk.maximumBytes else {
      throw Failure(.badFile, "\(path) would be larger than 4 MiB")
    }
    guard companions.count <= Self.maximumCompanions,
      companions.reduce(0, { $0 + min($1.bytes.count, Self.maximumBytes) }) <= Self.maximumBytes
    else {
      throw Failure(.badFile, "the files beside \(path) would be more than 256, or 64 MiB")
    }
    if let old {
      let known = try? Files.read(path, .kiosk)
      guard known.map({ SHA256.text(of: $0) }) == old else { return false }
    }
    var places: [(path: String, before: [UInt8]?)] = []
    for companion in companions {
      let place = try self.place(of: companion.name)
      let before = try Self.content(of: place)
      if let old = companion.old {
        guard before.map({ SHA256.text(of: $0) }) ?? "" == old else { return false }
      }
      places.append((place, before))
    }
    var written = 0
    do throws(Failure) {
      for (companion, place) in zip(companions, places) {
        // All readers of the kiosk can read its other files.
        try Files.makeFolder(Self.folder(of: place.path), access: .like(Self.folder(of: path)))
        written += 1
        try Files.write(companion.bytes, to: place.path, access: .like(path))
      }
      let kiosk = read(bytes)
      let errors = kiosk.mistakes.filter { $0.severity == .error }
      guard errors.isEmpty else {
        throw Failure(.badFile, errors.map { "\($0)" }.joined(separator: "\n"))
      }
      let named = Set(kiosk.files(of: path).map { Files.absolutePath($0) })
      for (companion, place) in zip(companions, places)
      where !named.contains(Files.absolutePath(place.path)) {
        throw Failure(.usage, "\(path) does not name the file \(companion.name)")
      }
      try Files.write(bytes, to: path)
    } catch {
      for place in places.prefix(written) {
        if let before = place.before {
          try? Files.write(before, to: place.path)
        } else {
          Files.remove(place.path)
        }
      }
      throw error
    }
    return true
  }

  /// Nil where there is no such file.
  private static func content(of place: String) throws(Failure) -> [UInt8]? {
    Folder.isAnythingAt(place) ? try Files.read(place, .image) : nil
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
  }

  /// Where a companion is: in the kiosk's folder, wherever links lead.
  private func place(of name: String) throws(Failure) -> String {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(where: { $0.isEmpty || $0.hasPrefix(".") }),
      !name.unicodeScalars.contains(where: \.isControl),
      Self.endings.contains(where: { name.lowercased().hasSuffix($0) })
    else { throw Failure(.usage, "\(name) is not a name for a file beside a kiosk") }
    let folder = Self.folder(of: path)
    let place = folder + name
    guard Files.absolutePath(place) != Files.absolutePath(path) else {
      throw Failure(.usage, "\(name) is the kiosk file itself")
    }
    guard Files.absolutePath(place) != Files.absolutePath(Assets.overlay(of: path)) else {
      throw Failure(.usage, "\(name) is what this machine lays over its kiosk")
    }
    // For a file that does not exist yet, the nearest folder above it counts.
    var above = parts
    while !above.isEmpty {
      let part = folder + above.joined(separator: "/")
      if Folder.hasEntry(part) {
        guard let top = try? Files.realPath(folder), let real = try? Files.realPath(part),
          real.hasPrefix(top == "/" ? top : top + "/")
        else { throw Failure(.usage, "\(name) is a link out of the kiosk's folder") }
        try BundleFolder.refuse(part)
        break
      }
      above.removeLast()
    }
    return place
  }
}
