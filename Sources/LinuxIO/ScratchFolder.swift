// SPDX-License-Identifier: MIT

internal import Glibc
internal import SystemPackage

/// A private temporary directory, removed with its contents when the object is released.
package final class ScratchFolder {
  package let path: String

  package init() throws(Failure) {
    let place = Environment.variable("TMPDIR") ?? "/tmp"
    var template = Array("\(place)/roundel-XXXXXX".utf8CString)
    // Fills in the end of the template.
    guard unsafe mkdtemp(&template) != nil else {
      throw Failure(.didNotHold, "cannot create a folder in \(place): \(Errno(rawValue: errno))")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Folder.remove(path) }
}
