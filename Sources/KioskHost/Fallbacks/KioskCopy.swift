// SPDX-License-Identifier: MIT

internal import Glibc
package import LinuxIO
internal import SystemPackage

/// A copy of a kiosk file and its attached files, made when the kiosk last ran without errors.
///
/// Below the copy's folder, the files have the same paths as below the root, so relative references keep working.
package struct KioskCopy: Sendable {
  private let folder: String
  private let original: String

  /// Creates a copy in the folder for persistent state, or returns nil if there isn't one.
  package init?(of original: String, in folders: StateFolders) {
    guard let state = folders.lasting, let name = FilePath(original).lastComponent else {
      return nil
    }
    folder = "\(state)/last/\(name.string)"
    self.original = original
  }

  /// The path of the copied kiosk file.
  package var file: String { place(of: original) }

  /// Returns the path of the original of a copied file.
  package func original(of file: String) -> String {
    file.hasPrefix(folder + "/") ? String(file.dropFirst(folder.count)) : file
  }

  private func place(of file: String) -> String { folder + Files.absolutePath(file) }

  /// Replaces the copy with `files`. Writes nothing if no file has changed.
  ///
  /// A new copy is written next to the old one and replaces it atomically. After a power cut, one of the two is
  /// complete.
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

  /// Returns whether the copy contains each file with its current content.
  private func isSame(_ files: [String]) throws(Failure) -> Bool {
    for file in files {
      let bytes = try Files.read(file, .image)
      let copied = try? StateFile(place(of: file), maximumBytes: bytes.count).read()
      guard copied == bytes else { return false }
    }
    return true
  }

  /// Replaces this copy with another, and removes the other's folder.
  private func replace(by draft: KioskCopy) throws(Failure) {
    func move() -> Bool { unsafe rename(draft.folder, folder) == 0 }
    var isDone = Folder.exchange(draft.folder, folder) || move()
    if !isDone {
      // The file system doesn't support exchanging folders.
      remove()
      isDone = move()
    }
    let failure = Errno(rawValue: errno)
    draft.remove()
    guard isDone else {
      throw Failure(.didNotHold, "cannot put a copy in place at \(folder): \(failure)")
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
      // Fails, as intended, if the folder still contains kept files.
      _ = unsafe rmdir(path)
    }
  }
}
