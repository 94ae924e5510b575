// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
package import SystemPackage

/// Reports when one of several files is written, replaced or removed.
///
/// Editors write in place, rename another file over the old one, or first move the old one away.
/// Others replace a link or directory in the path. Therefore each directory, link and file of a
/// path is watched, and a missing one's parent. Other changes there don't wake the loop.
///
/// A change is reported once the writer has closed the file.
package final class FileWatch {
  /// The identity of a path's content. Inode numbers alone are reused.
  private struct Version: Hashable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int
  }

  private struct Node {
    enum Kind: Hashable { case folder, link, file }

    let kind: Kind
    let device: UInt64
    let inode: UInt64
  }

  private static let replaced = UInt32(IN_MOVE_SELF | IN_DELETE_SELF)
  private static let appeared = UInt32(IN_CREATE | IN_MOVED_TO)
  private static let maximumLinks = 40

  private var token: EventLoop.Token?
  private let descriptor: OwnedDescriptor
  private let handler: () -> Void
  private var paths: [String]
  private var versions: [String: Version] = [:]
  /// Whether there was a change without a corresponding event.
  private var hasMissed = false

  private var masks: [CInt: UInt32] = [:]
  private var wanted: [CInt: (mask: UInt32, path: String)] = [:]
  private var files: Set<CInt> = []
  private var missing: [CInt: Set<String>] = [:]

  /// The files and their directories needn't exist.
  package init(
    _ paths: [String], on loop: EventLoop, _ handler: @escaping () -> Void
  ) throws(Errno) {
    descriptor = OwnedDescriptor(
      adopting: try retryingOnInterrupt {
        inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK))
      })
    self.handler = handler
    self.paths = paths
    followPaths()
    versions = currentVersions()
    token = try loop.watch(descriptor.rawValue) { [unowned self] _ in
      if hasChanged() { self.handler() }
    }
  }

  /// Earlier changes to already watched paths are still reported.
  package func watch(_ paths: [String]) {
    let known = Set(self.paths)
    self.paths = paths
    followPaths()
    let current = currentVersions()
    // A formerly missing file no longer causes an event by its name.
    hasMissed = hasMissed || known.contains { paths.contains($0) && current[$0] != versions[$0] }
    versions = current.filter { !known.contains($0.key) }
      .merging(versions.filter { paths.contains($0.key) }) { current, _ in current }
  }

  // MARK: - Changes

  private func hasChanged() -> Bool {
    let (isWritten, isMoved) = drain()
    guard isWritten || isMoved || hasMissed else { return false }
    hasMissed = false
    followPaths()
    let found = currentVersions()
    defer { versions = found }
    return isWritten || found != versions
  }

  private func currentVersions() -> [String: Version] {
    var result: [String: Version] = [:]
    for path in paths {
      var information = stat()
      // Writes a local.
      guard unsafe stat(path, &information) == 0 else { continue }
      let version = Version(
        device: UInt64(information.st_dev), inode: UInt64(information.st_ino),
        size: Int64(information.st_size), seconds: information.st_mtim.tv_sec,
        nanoseconds: information.st_mtim.tv_nsec)
      // A writer is about to fill an empty regular file.
      let isAwaited = version.size == 0 && information.st_mode & S_IFMT == S_IFREG
      result[path] = isAwaited ? versions[path] : version
    }
    return result
  }

  /// Returns whether a file was written, and whether a path component may have been replaced.
  private func drain() -> (isWritten: Bool, isMoved: Bool) {
    var isWritten = false
    var isMoved = false
    unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while let count = try? unsafe descriptor.read(into: buffer), count > 0 {
        var offset = 0
        let header = MemoryLayout<inotify_event>.size
        while offset + header <= count {
          // The kernel writes whole, aligned records, each followed by `len` bytes of its name.
          let event = unsafe buffer.load(fromByteOffset: offset, as: inotify_event.self)
          let bytes = unsafe buffer[(offset + header)..<(offset + header + Int(event.len))]
          let name = unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
          offset += header + Int(event.len)
          if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
            isWritten = true
          } else if event.mask & UInt32(IN_IGNORED) != 0 {
            masks[event.wd] = nil
          } else if event.mask & UInt32(IN_CLOSE_WRITE) != 0 {
            isWritten = isWritten || files.contains(event.wd)
          } else if event.mask & Self.appeared != 0 {
            isMoved = isMoved || missing[event.wd]?.contains(name) == true
          } else {
            isMoved = true
          }
        }
      }
    }
    return (isWritten, isMoved)
  }

  // MARK: - Ways

  /// Watches exactly their components.
  private func followPaths() {
    wanted = [:]
    files = []
    missing = [:]
    var visited: Set<String> = []
    for path in paths { follow(path, &visited) }
    for watch in masks.keys where wanted[watch] == nil {
      inotify_rm_watch(descriptor.rawValue, watch)
      masks[watch] = nil
    }
    // A missing file may exist now.
    for (watch, place) in wanted where masks[watch] != place.mask {
      let mask = place.mask | UInt32(IN_DONT_FOLLOW)
      let found = unsafe inotify_add_watch(descriptor.rawValue, place.path, mask)
      if found >= 0 { masks[found] = place.mask }
    }
  }

  private func follow(_ path: String, _ visited: inout Set<String>) {
    // The next component is the last.
    var rest = path.split(separator: "/").reversed().map(String.init)
    var folder = path.hasPrefix("/") ? "/" : "."
    var links = 0
    while let name = rest.popLast() {
      let place = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      guard
        let node = watchNode(at: place, &visited) ?? watchFor(name, in: folder, at: place, &visited)
      else { return }
      switch node.kind {
      case .folder: folder = place
      case .link:
        links += 1
        guard links <= Self.maximumLinks, let target = Files.target(ofLink: place) else { return }
        rest += target.split(separator: "/").reversed().map(String.init)
        if target.hasPrefix("/") { folder = "/" }
      case .file: return
      }
    }
  }

  /// Returns nil if the entry doesn't exist.
  private func watchNode(at place: String, _ visited: inout Set<String>) -> Node? {
    // The entry may be replaced between two calls.
    for _ in 0..<4 {
      guard let node = Self.node(at: place) else { return nil }
      if visited.contains(place) { return node }
      // For a directory, these two events would also be reported for its entries.
      let ofItself = UInt32(IN_ATTRIB) | (node.kind == .file ? UInt32(IN_CLOSE_WRITE) : 0)
      let mask = node.kind == .folder ? Self.replaced : Self.replaced | ofItself
      let watch = add(mask, at: place)
      if node.kind == .file, let watch { files.insert(watch) }
      if let again = Self.node(at: place), again.inode == node.inode, again.device == node.device {
        visited.insert(place)
        return node
      }
    }
    return nil
  }

  private func watchFor(
    _ name: String, in folder: String, at place: String, _ visited: inout Set<String>
  ) -> Node? {
    if let watch = add(Self.appeared, at: folder) { missing[watch, default: []].insert(name) }
    return watchNode(at: place, &visited)
  }

  /// Returns nil if that isn't permitted.
  private func add(_ mask: UInt32, at place: String) -> CInt? {
    let added = mask | UInt32(IN_DONT_FOLLOW | IN_MASK_ADD)
    let watch = unsafe inotify_add_watch(descriptor.rawValue, place, added)
    guard watch >= 0 else { return nil }
    masks[watch, default: 0] |= mask
    wanted[watch, default: (0, place)].mask |= mask
    return watch
  }

  private static func node(at place: String) -> Node? {
    var information = stat()
    // Writes a local.
    guard unsafe lstat(place, &information) == 0 else { return nil }
    let kind: Node.Kind =
      switch information.st_mode & S_IFMT {
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .file
      }
    return Node(
      kind: kind, device: UInt64(information.st_dev), inode: UInt64(information.st_ino))
  }
}
