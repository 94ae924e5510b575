// SPDX-License-Identifier: MIT

extension String {
  /// Returns at most `count` UTF-8 bytes, without splitting a scalar.
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
