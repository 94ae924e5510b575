// SPDX-License-Identifier: MIT

internal import Glibc
package import LinuxIO
internal import SystemPackage

/// A copy of a kiosk file and of all that it consists of, from when it was last shown without trouble.
///
/// The files lie below the copy's folder as they do below the root, so that they find each other.
package struct KioskCopy: Sendable {
  private let folder: String
  private let original: String

  /// A copy in the folder for state; nil where there is none.
  package init?(of original: String, in folders: StateFolders) {
    guard let state = folders.lasting, let name = FilePath(original).lastComponent else {
      return nil
    }
    folder = "\(state)/last/\(name.string)"
    self.original = original
  }

  /// The kiosk file of the copy.
  package var file: String { place(of: original) }

  /// The original of a file of the copy.
  package func original(of file: String) -> String {
    file.hasPrefix(folder + "/") ? String(file.dropFirst(folder.count)) : file
  }

  private func place(of file: String) -> String { folder + Files.absolutePath(file) }

  /// Makes the copy one of `files`. Where all of them are the same, nothing is written.
  ///
  /// Another copy is made beside it and takes its place in one step, so that a power cut leaves one of the two,
  /// and never files of both.
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

  /// Whether the copy has each of the files as it is.
  private func isSame(_ files: [String]) throws(Failure) -> Bool {
    for file in files {
      let bytes = try Files.read(file, .image)
      let copied = try? StateFile(place(of: file), maximumBytes: bytes.count).read()
      guard copied == bytes else { return false }
    }
    return true
  }

  /// Takes the files of another copy, whose folder goes.
  private func replace(by draft: KioskCopy) throws(Failure) {
    func move() -> Bool { unsafe rename(draft.folder, folder) == 0 }
    var isDone = Folder.exchange(draft.folder, folder) || move()
    if !isDone {
      // A file system that cannot exchange.
      remove()
      isDone = move()
    }
    let failure = Errno(rawValue: errno)
    draft.remove()
    guard isDone else {
      throw Failure(.didNotHold, "cannot put a copy in place at \(folder): \(failure)")
    }
    // Where it cannot, the disk does it later.
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
      // Fails, as it should, where something in it is kept.
      _ = unsafe rmdir(path)
    }
  }
}
