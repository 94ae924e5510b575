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

  /// Has two folders change places, at once; false where one is not there or the file system cannot.
  package static func exchange(_ one: String, _ other: String) -> Bool {
    unsafe renameat2(AT_FDCWD, one, AT_FDCWD, other, roundel_RENAME_EXCHANGE) == 0
  }
}
