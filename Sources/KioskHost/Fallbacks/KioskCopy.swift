// SPDX-License-Identifier: MIT

internal import Glibc
package import LinuxIO
internal import SystemPackage

/// A kiosk file and its attached files when the kiosk last ran without errors.
///
/// Paths below the folder are the same, so relative references work.
package struct KioskCopy: Sendable {
  private let folder: String
  private let original: String

  /// Returns nil without a folder for persistent state.
  package init?(of original: String, in folders: StateFolders) {
    guard let state = folders.persistent, let name = FilePath(original).lastComponent else {
      return nil
    }
    folder = "\(state)/last/\(name.string)"
    self.original = original
  }

  package var file: String { place(of: original) }

  package func original(of file: String) -> String {
    file.hasPrefix(folder + "/") ? String(file.dropFirst(folder.count)) : file
  }

  private func place(of file: String) -> String { folder + Files.absolutePath(file) }

  /// Writes nothing if no file has changed.
  ///
  /// A new copy replaces the old one atomically, so that a power cut leaves one complete.
  package func save(_ files: [String]) throws(Failure) {
    guard try !isSame(files) else {
      remove(in: folder, but: Set(files.map(place)))
      return
    }
    let draft = KioskCopy(folder: folder + ".new", original: original)
    draft.remove()
    for file in files {
      let bytes = try Files.read(file, .image)
      let place = draft.place(of: file)
      try Files.makeFolder(FilePath(place).removingLastComponent().string)
      do throws(Errno) {
        try StateFile(place, maximumBytes: bytes.count).write(bytes)
      } catch {
        draft.remove()
        throw Failure(.didNotHold, "cannot write \(place): \(error)")
      }
    }
    try replace(by: draft)
  }

  private init(folder: String, original: String) {
    self.folder = folder
    self.original = original
  }

  private func isSame(_ files: [String]) throws(Failure) -> Bool {
    for file in files {
      let bytes = try Files.read(file, .image)
      let copied = try? StateFile(place(of: file), maximumBytes: bytes.count).read()
      guard copied == bytes else { return false }
    }
    return true
  }

  /// Removes the other's folder.
  private func replace(by draft: KioskCopy) throws(Failure) {
    func move() -> Bool { unsafe rename(draft.folder, folder) == 0 }
    var isDone = Folder.exchange(draft.folder, folder) || move()
    if !isDone {
      // The file system can't exchange folders.
      remove()
      isDone = move()
    }
    let failure = Errno(rawValue: errno)
    draft.remove()
    guard isDone else {
      throw Failure(.didNotHold, "cannot replace the copy in \(folder): \(failure)")
    }
    // If the sync fails, the system writes the folder later.
    if let parent = try? OwnedDescriptor(
      opening: FilePath(folder).removingLastComponent().string, O_RDONLY | O_DIRECTORY)
    {
      _ = fsync(parent.rawValue)
    }
  }

  private func remove() {
    remove(in: folder, but: [])
    _ = unsafe rmdir(folder)
  }

  private func remove(in folder: String, but kept: Set<String>) {
    for name in Folder.names(in: folder) {
      let path = "\(folder)/\(name)"
      if kept.contains(path) { continue }
      if unsafe unlink(path) == 0 { continue }
      remove(in: path, but: kept)
      // Fails if the folder still contains kept files.
      _ = unsafe rmdir(path)
    }
  }
}
