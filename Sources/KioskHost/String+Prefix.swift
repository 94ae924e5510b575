// SPDX-License-Identifier: MIT

extension String {
  /// Returns the longest beginning that is at most `count` bytes long in UTF-8. No scalar is cut.
  func prefix(utf8 count: Int) -> Substring {
    var (end, bytes) = (startIndex, 0)
    for index in unicodeScalars.indices {
      bytes += UTF8.width(unicodeScalars[index])
      if bytes > count { break }
      end = unicodeScalars.index(after: index)
    }
    return self[..<end]
  }
}
