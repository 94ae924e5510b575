// SPDX-License-Identifier: MIT

internal import Glibc

/// What is in folders.
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
}
