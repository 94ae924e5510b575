// SPDX-License-Identifier: MIT

internal import Glibc
internal import LinuxIO
internal import SystemPackage

enum Link {
  /// Creates a link, which atomically replaces an existing file or link.
  static func make(_ path: String, to target: String) throws(Failure) {
    let draft = path + ".link"
    Files.remove(draft)
    guard unsafe symlink(target, draft) == 0, unsafe rename(draft, path) == 0 else {
      let error = Errno(rawValue: errno)
      Files.remove(draft)
      throw Failure(error, "cannot create the link \(path)")
    }
  }
}

/// A lock on a folder that only one process at a time may change.
final class Lock {
  private let descriptor: OwnedDescriptor

  init(on folder: String) throws(Failure) {
    do throws(Errno) {
      descriptor = try OwnedDescriptor(opening: folder, O_RDONLY | O_DIRECTORY)
    } catch {
      throw Failure(error, "cannot use \(folder)")
    }
    // Doesn't wait if the file system doesn't support locks.
    while flock(descriptor.rawValue, LOCK_EX) != 0, errno == EINTR {}
  }
}
