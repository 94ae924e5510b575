// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc

package enum Folder {
  /// Returns unordered names, without `.` and `..`, and none if the directory can't be read.
  package static func names(in path: String) -> [String] {
    guard let stream = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    // Copied before the next call invalidates the entry.
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// Follows links.
  package static func isThere(_ path: String) -> Bool {
    var status = stat()
    // Writes a local.
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Follows links.
  package static func isAnythingAt(_ path: String) -> Bool {
    var status = stat()
    // Writes a local.
    return unsafe stat(path, &status) == 0
  }

  /// Includes dangling links.
  package static func hasEntry(_ path: String) -> Bool {
    var status = stat()
    // Writes a local.
    return unsafe lstat(path, &status) == 0
  }

  /// Seconds since the last write, negative after the clock was set back, or nil if the file
  /// doesn't exist.
  package static func age(of path: String) -> Double? {
    var status = stat()
    // Writes a local.
    guard unsafe stat(path, &status) == 0 else { return nil }
    return WallClock.secondsSince1970 - Double(status.st_mtim.tv_sec)
  }

  /// The relative paths of all files in a directory tree, unordered.
  package static func files(in folder: String) -> [String] {
    names(in: folder).flatMap { name in
      isOwn("\(folder)/\(name)") ? files(in: "\(folder)/\(name)").map { "\(name)/\($0)" } : [name]
    }
  }

  /// Removes a file, a link, or a directory with its contents. Ignores errors.
  package static func remove(_ path: String) {
    if unsafe unlink(path) == 0 { return }
    guard isOwn(path) else { return }
    for name in names(in: path) { remove("\(path)/\(name)") }
    _ = unsafe rmdir(path)
  }

  package static func removeEmpty(above path: String, in folder: String) {
    var rest = path[...]
    while let slash = rest.lastIndex(of: "/") {
      rest = rest[..<slash]
      guard unsafe rmdir("\(folder)/\(rest)") == 0 else { return }
    }
  }

  /// Blocks until a tree's names are on the disk. If that fails, the system writes them later.
  package static func synchronize(_ path: String) {
    if let folder = try? OwnedDescriptor(opening: path, O_RDONLY | O_DIRECTORY) {
      _ = fsync(folder.rawValue)
    }
    for name in names(in: path) where isOwn("\(path)/\(name)") { synchronize("\(path)/\(name)") }
  }

  /// Whether `path` is a directory, without following links.
  private static func isOwn(_ path: String) -> Bool {
    var status = stat()
    // Writes a local.
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Exchanges two directories atomically. Returns false if one doesn't exist, or the file system doesn't support
  /// it.
  package static func exchange(_ one: String, _ other: String) -> Bool {
    unsafe renameat2(AT_FDCWD, one, AT_FDCWD, other, roundel_RENAME_EXCHANGE) == 0
  }
}
