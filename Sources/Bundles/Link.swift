// SPDX-License-Identifier: MIT

internal import Glibc
internal import LinuxIO
internal import SystemPackage

/// Symbolic links.
enum Link {
  /// Makes a link and atomically replaces any file or link that is there.
  static func make(_ path: String, to target: String) throws(Failure) {
    let draft = path + ".link"
    Files.remove(draft)
    guard unsafe symlink(target, draft) == 0, unsafe rename(draft, path) == 0 else {
      let error = Errno(rawValue: errno)
      Files.remove(draft)
      throw Failure(error, "cannot make the link \(path)")
    }
  }
}

/// A folder that one process at a time changes.
final class Lock {
  private let descriptor: OwnedDescriptor

  /// Waits until no other process has the lock.
  init(on folder: String) throws(Failure) {
    do throws(Errno) {
      descriptor = try OwnedDescriptor(opening: folder, O_RDONLY | O_DIRECTORY)
    } catch {
      throw Failure(error, "cannot use \(folder)")
    }
    // If the file system has no locks, this does not wait for others.
    while flock(descriptor.rawValue, LOCK_EX) != 0, errno == EINTR {}
  }
}
