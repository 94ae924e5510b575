// SPDX-License-Identifier: MIT

internal import Glibc
package import KioskHost
internal import LinuxIO
internal import SystemPackage

/// A folder that is removed with its contents when released.
package final class TemporaryFolder {
  package let path: String

  package init() throws {
    var template = Array("/tmp/roundel-host-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  /// Folders for state, inside this one.
  package var state: StateFolders {
    StateFolders(persistent: path + "/state", volatile: path + "/run")
  }

  /// Writes a file and returns its path.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    let file = "\(path)/\(name)"
    try Files.makeFolder(FilePath(file).removingLastComponent().string)
    try Files.write(Array(text.utf8), to: file)
    return file
  }

  /// The text of a file, or nil if it doesn't exist.
  package func text(of name: String) throws -> String? {
    try StateFile("\(path)/\(name)", maximumBytes: 1 << 20).read().map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  package func remove(_ name: String) { Self.remove("\(path)/\(name)") }

  private static func remove(_ path: String) {
    guard unsafe unlink(path) != 0 else { return }
    for name in Folder.names(in: path) { remove("\(path)/\(name)") }
    _ = unsafe rmdir(path)
  }
}

/// A kiosk file with one label.
package func wall(_ text: String, more: String = "") -> String {
  """
  kiosk: wall
  values: {guests: {value: 0, keep: true}}
  pages:
    - page: only
      controls:
        - {label: welcome, at: [640, 400], text: "\(text)"}
  \(more)
  """
}

package let brokenWall = "kiosk: wall\npages: [{page: only, controls: [{label: {}}]}]\n"
