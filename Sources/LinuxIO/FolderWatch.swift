// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
package import SystemPackage

/// Tells when entries of a folder come or go, or change their owner or their permissions, as device
/// files do while udev sets them up.
///
/// The folder need not exist, only its parent: the kernel makes `/dev/input` with the first device and
/// removes it with the last. Changes of the files' contents are not reported. Several changes that are
/// read together are reported once. When the folder itself appears or disappears, a report may be
/// spurious, so handlers look at the folder.
package final class FolderWatch {
  private static let entries = UInt32(
    IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM | IN_ONLYDIR)

  private var token: EventLoop.Token?
  private let descriptor: OwnedDescriptor
  private let path: String
  private let parent: String
  private let handler: () -> Void
  /// The watch on the parent, while the folder is not there.
  private var parentWatch: CInt?

  /// Watches `path`, which is absolute.
  package init(
    _ path: String, on loop: EventLoop, _ handler: @escaping () -> Void
  ) throws(Errno) {
    descriptor = OwnedDescriptor(
      adopting: try retryingOnInterrupt { inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK)) })
    self.path = path
    parent = "/" + path.split(separator: "/").dropLast().joined(separator: "/")
    self.handler = handler
    try watchFolder()
    token = try loop.watch(descriptor.rawValue) { [unowned self] _ in
      drain()
      // Neither is there any more: nothing can come, and the handler will see that.
      try? watchFolder()
      self.handler()
    }
  }

  /// Watches the folder, or waits for it. A folder that is watched already stays so.
  private func watchFolder() throws(Errno) {
    if unsafe inotify_add_watch(descriptor.rawValue, path, Self.entries) >= 0 {
      if let watch = parentWatch { inotify_rm_watch(descriptor.rawValue, watch) }
      parentWatch = nil
      return
    }
    guard Errno.current == .noSuchFileOrDirectory else { throw Errno.current }
    parentWatch = try retryingOnInterrupt {
      unsafe inotify_add_watch(
        descriptor.rawValue, parent, UInt32(IN_CREATE | IN_MOVED_TO | IN_ONLYDIR))
    }
    // It may have come between the two calls.
    if unsafe access(path, F_OK) == 0 { try watchFolder() }
  }

  /// Reads what has happened; that something has is enough to know.
  private func drain() {
    unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while let count = try? unsafe descriptor.read(into: buffer), count > 0 {}
    }
  }
}
