// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
public import SystemPackage

/// Tells when one of some files was written, replaced or taken away.
///
/// Editors write in place, or write another file and rename it over the old one, or move the old
/// one away first; so each file is watched and its directory as well. A change is reported once the
/// writer has closed the file. Several changes read in one go are reported once.
public final class FileWatch {
  private let descriptor: OwnedDescriptor
  private let loop: EventLoop
  private let handler: () -> Void
  private var token: EventLoop.Token?
  private let paths: [String]
  /// Names that matter, by the watch on their directory; none for the watch on a file itself.
  private var names: [CInt: Set<String>] = [:]

  /// Watches `paths`, whose directories must exist; the files need not.
  public init(
    _ paths: [String], on loop: EventLoop, _ handler: @escaping () -> Void
  ) throws(Errno) {
    descriptor = OwnedDescriptor(
      adopting: try retryingOnInterrupt {
        inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
      })
    self.loop = loop
    self.handler = handler
    self.paths = paths
    for path in paths { try watchDirectory(of: path) }
    watchFiles()
    token = try loop.watch(descriptor.rawValue) { [unowned self] _ in
      if drain() {
        // A file that was replaced is another one now.
        watchFiles()
        self.handler()
      }
    }
  }

  deinit {
    if let token { loop.cancel(token) }
  }

  private func watchDirectory(of path: String) throws(Errno) {
    let slash = path.lastIndex(of: "/")
    let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    let mask = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_ONLYDIR
    let watch = try retryingOnInterrupt {
      unsafe inotify_add_watch(descriptor.rawValue, directory, UInt32(mask))
    }
    names[watch, default: []].insert(name)
  }

  /// Watches the files themselves, for what is written through a symbolic link's target.
  private func watchFiles() {
    for path in paths {
      // Fails for a file that is not there, which its directory will tell of.
      let watch = unsafe inotify_add_watch(descriptor.rawValue, path, UInt32(IN_CLOSE_WRITE))
      if watch >= 0 && names[watch] == nil { names[watch] = [] }
    }
  }

  /// Reads all that has happened; whether any of it concerns a watched file.
  private func drain() -> Bool {
    var changed = false
    unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while let count = try? unsafe descriptor.read(into: buffer), count > 0 {
        var offset = 0
        let header = MemoryLayout<inotify_event>.size
        while offset + header <= count {
          // The kernel writes whole records, aligned, each followed by `len` bytes of its name.
          let event = unsafe buffer.load(fromByteOffset: offset, as: inotify_event.self)
          let bytes = unsafe buffer[(offset + header)..<(offset + header + Int(event.len))]
          let name = unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
          offset += header + Int(event.len)
          if event.mask & UInt32(IN_IGNORED) != 0 {
            names[event.wd] = nil
          } else if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
            changed = true
          } else if let names = names[event.wd] {
            changed = changed || names.isEmpty || names.contains(name)
          }
        }
      }
    }
    return changed
  }
}
