// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc

/// Reads folders.
package enum Folder {
  /// The names of what is in a folder, in no order, without `.` and `..`; none where it cannot be read.
  package static func names(in path: String) -> [String] {
    guard let stream = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    // An entry is valid until the next call, and its name ends with a zero byte; it is copied at once.
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// Whether there is a folder at `path`, also by a link.
  package static func isThere(_ path: String) -> Bool {
    var status = stat()
    // Writes into a local.
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether anything is at `path`, also by a link.
  package static func isAnythingAt(_ path: String) -> Bool {
    var status = stat()
    // Writes into a local.
    return unsafe stat(path, &status) == 0
  }

  /// Whether anything is at `path`, a link that leads nowhere included.
  package static func hasEntry(_ path: String) -> Bool {
    var status = stat()
    // Writes into a local.
    return unsafe lstat(path, &status) == 0
  }

  /// How many seconds ago a file was written, less than 0 where the clock has been set back since; nil where there
  /// is none.
  package static func age(of path: String) -> Double? {
    var status = stat()
    // Writes into a local.
    guard unsafe stat(path, &status) == 0 else { return nil }
    return WallClock.secondsSince1970 - Double(status.st_mtim.tv_sec)
  }

  /// The paths of the files in a folder and the folders in it, relative to it, in no order.
  package static func files(in folder: String) -> [String] {
    names(in: folder).flatMap { name in
      isOwn("\(folder)/\(name)") ? files(in: "\(folder)/\(name)").map { "\(name)/\($0)" } : [name]
    }
  }

  /// Removes a file, a link or a folder with all that is in it, as far as that is possible.
  package static func remove(_ path: String) {
    if unsafe unlink(path) == 0 { return }
    guard isOwn(path) else { return }
    for name in names(in: path) { remove("\(path)/\(name)") }
    _ = unsafe rmdir(path)
  }

  /// Removes the folders that lead from a folder to a path, from the innermost on, as long as they are empty.
  package static func removeEmpty(above path: String, in folder: String) {
    var rest = path[...]
    while let slash = rest.lastIndex(of: "/") {
      rest = rest[..<slash]
      guard unsafe rmdir("\(folder)/\(rest)") == 0 else { return }
    }
  }

  /// Waits until the names in a folder, and in the folders in it, are on the disk; where it cannot, the disk does
  /// it later.
  package static func synchronize(_ path: String) {
    if let folder = try? OwnedDescriptor(opening: path, O_RDONLY | O_DIRECTORY) {
      _ = fsync(folder.rawValue)
    }
    for name in names(in: path) where isOwn("\(path)/\(name)") { synchronize("\(path)/\(name)") }
  }

  /// Whether a folder, and no link to one, is at `path`.
  private static func isOwn(_ path: String) -> Bool {
    var status = stat()
    // Writes into a local.
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Exchanges two folders in one step; false where one does not exist or the file system cannot do it.
  package static func exchange(_ one: String, _ other: String) -> Bool {
    unsafe renameat2(AT_FDCWD, one, AT_FDCWD, other, roundel_RENAME_EXCHANGE) == 0
  }
}
