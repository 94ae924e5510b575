// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import SystemPackage

/// A copy of a kiosk file and of all that it consists of, from when it was last shown without trouble.
///
/// The files lie below the copy's folder as they do below the root, so that they find each other.
struct KioskCopy: Sendable {
  private let folder: String
  private let original: String

  /// Nil where there is no folder for state.
  init?(of original: String) {
    guard let state = KeptValues.folder, let name = FilePath(original).lastComponent else {
      return nil
    }
    folder = "\(state)/last/\(name.string)"
    self.original = original
  }

  /// The kiosk file of the copy.
  var file: String { place(of: original) }

  /// What a file of the copy is a copy of.
  func original(of file: String) -> String {
    file.hasPrefix(folder + "/") ? String(file.dropFirst(folder.count)) : file
  }

  private func place(of file: String) -> String {
    let absolute = file.hasPrefix("/") ? file : "\(FilePath.currentFolder)/\(file)"
    return folder + FilePath(absolute).lexicallyNormalized().string
  }

  /// Makes the copy one of `files`, the kiosk file first. Files that are the same are not written again.
  func save(_ files: [String]) throws(Failure) {
    // The kiosk file last: before, the copy is of the kiosk that it was.
    for file in files.reversed() {
      let bytes = try Files.read(file, .image)
      let place = place(of: file)
      let target = StateFile(place, maximumBytes: bytes.count)
      if let same = try? target.read(), same == bytes { continue }
      try Files.makeFolder(FilePath(place).removingLastComponent().string)
      do throws(Errno) {
        try target.write(bytes)
      } catch {
        throw Failure(.didNotHold, "cannot write \(place): \(error)")
      }
    }
    remove(in: folder, but: Set(files.map(place)))
  }

  private func remove(in folder: String, but kept: Set<String>) {
    for name in Folder.names(in: folder) {
      let path = "\(folder)/\(name)"
      if kept.contains(path) { continue }
      if unsafe unlink(path) == 0 { continue }
      remove(in: path, but: kept)
      // Fails, as it should, where something in it is kept.
      _ = unsafe rmdir(path)
    }
  }
}

extension FilePath {
  fileprivate static var currentFolder: String {
    (try? Files.realPath(".")) ?? "/"
  }
}
