// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
internal import SystemPackage

/// Writes files for the whole package.
///
/// Readers never see part of the new content. The file keeps its owner, group, permissions and
/// access control list. The target of symbolic links is replaced. Pipes and devices are written
/// directly.
///
/// A link of another user except root must lead to a file of that user. Otherwise a directory's
/// owner could let root overwrite any file.
///
/// Only root can preserve another owner. If the group can't be preserved, the new group gets the
/// permissions of all other users.
package enum FileReplacement {
  package enum Access: Sendable {
    /// 0644, or 0755 for a directory, restricted by the umask.
    case byUmask
    case mode(UInt32)
    case like(String)
  }

  private enum Target {
    /// The directory's path and the name contain no links.
    case file(folder: String, name: String, isThere: Bool)
    case stream
    case descriptor(CInt)
  }

  /// The kernel's limit for the links of one path.
  private static let maximumLinks = 40

  /// Writes a file that survives a power failure if `isDurable`.
  static func write(
    to path: String, access: Access, isDurable: Bool,
    _ contents: (FileDescriptor) throws -> Void
  ) throws {
    switch try target(of: path) {
    case .file(let folder, let name, let isThere):
      let place = folder + name
      try replace(
        place, in: folder, access: isThere ? .like(place) : access, isDurable: isDurable, contents)
    case .stream:
      let stream = try FileDescriptor.open(FilePath(path), .writeOnly, options: .closeOnExec)
      try stream.closeAfter { try contents(stream) }
    case .descriptor(let number): try contents(FileDescriptor(rawValue: number))
    }
  }

  private static func target(of path: String) throws(Errno) -> Target {
    var status = stat()
    // In a directory like /tmp, the kernel refuses to follow another user's link. Writes a local.
    let isThere = unsafe stat(path, &status) == 0
    guard isThere || errno == ENOENT else { throw .current }
    var place = path
    var linkOwners: Set<uid_t> = []
    for _ in 0...maximumLinks {
      let parts = FilePath(place)
      guard let last = parts.lastComponent, last.kind == .regular,
        status.st_mode & S_IFMT != S_IFDIR
      else { throw path.isEmpty ? Errno.noSuchFileOrDirectory : Errno.isDirectory }
      let above = parts.removingLastComponent()
      let folder = try Files.realPath(above.isEmpty ? "." : above.string)
      if folder == "/proc/\(getpid())/fd", let number = CInt(last.string) {
        return .descriptor(number)
      }
      let prefix = folder == "/" ? folder : folder + "/"
      place = prefix + last.string
      guard let target = Files.target(ofLink: place) else {
        let fileOwner = isThere ? status.st_uid : try owner(of: folder)
        guard linkOwners.isSubset(of: [fileOwner]) else { throw .permissionDenied }
        let isStream = isThere && status.st_mode & S_IFMT != S_IFREG
        return isStream ? .stream : .file(folder: prefix, name: last.string, isThere: isThere)
      }
      linkOwners.formUnion([try owner(of: place)].filter { $0 != 0 && $0 != geteuid() })
      place = target.hasPrefix("/") ? target : prefix + target
    }
    throw .tooManySymbolicLinkLevels
  }

  private static func owner(of path: String) throws(Errno) -> uid_t {
    var status = stat()
    // Writes a local.
    try retryingOnInterrupt { unsafe lstat(path, &status) }
    return status.st_uid
  }

  // MARK: Files

  private static func replace(
    _ place: String, in folder: String, access: Access, isDurable: Bool,
    _ contents: (FileDescriptor) throws -> Void
  ) throws {
    // Random, so that other users of the directory can't guess it.
    let draft = "\(folder).roundel-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
    let isPrivate = if case .byUmask = access { false } else { true }
    let (file, hasName) = try open(draft, in: folder, isPrivate ? 0o600 : 0o644)
    var isNamed = hasName
    defer { if isNamed { Files.remove(draft) } }
    try file.closeAfter {
      try give(access, to: file)
      try contents(file)
      if isDurable { try synchronize(file.rawValue) }
      if !isNamed {
        try retryingOnInterrupt {
          unsafe linkat(AT_FDCWD, link(to: file), AT_FDCWD, draft, AT_SYMLINK_FOLLOW)
        }
        isNamed = true
      }
    }
    // Watchers expect a closed file.
    try retryingOnInterrupt { unsafe Glibc.rename(draft, place) }
    isNamed = false
    if isDurable { try synchronizeFolder(folder) }
  }

  /// Creates a nameless file, which disappears if this process is killed, or a named one if the
  /// file system requires it.
  private static func open(
    _ draft: String, in folder: String, _ mode: mode_t
  ) throws(Errno) -> (file: FileDescriptor, hasName: Bool) {
    let flags = O_WRONLY | O_CLOEXEC
    let nameless = unsafe Glibc.open(folder, flags | roundel_O_TMPFILE, mode)
    if nameless >= 0 {
      let file = FileDescriptor(rawValue: nameless)
      if unsafe access(link(to: file), F_OK) == 0 { return (file, false) }
      // Without /proc it can't be named later.
      _ = close(nameless)
    }
    let named = try retryingOnInterrupt {
      unsafe Glibc.open(draft, flags | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
    }
    return (FileDescriptor(rawValue: named), true)
  }

  private static func link(to file: FileDescriptor) -> String { "/proc/self/fd/\(file.rawValue)" }

  /// Blocks until the file is on the disk, if the file system supports that.
  private static func synchronize(_ file: CInt) throws(Errno) {
    do throws(Errno) {
      try retryingOnInterrupt { fsync(file) }
    } catch .invalidArgument {
    }
  }

  private static func synchronizeFolder(_ path: String) throws(Errno) {
    // A user may have permission to write to a directory, but not to read it.
    guard let folder = try? OwnedDescriptor(opening: path, O_RDONLY | O_DIRECTORY) else { return }
    try synchronize(folder.rawValue)
  }

  // MARK: Access

  static func give(_ access: Access, to file: FileDescriptor) throws(Errno) {
    switch access {
    case .byUmask: break
    case .mode(let mode): permit(mode, to: file)
    case .like(let path): try give(accessOf: path, to: file)
    }
  }

  private static func give(accessOf path: String, to file: FileDescriptor) throws(Errno) {
    var (own, other) = (stat(), stat())
    // Both write a local.
    try retryingOnInterrupt { unsafe fstat(file.rawValue, &own) }
    try retryingOnInterrupt { unsafe stat(path, &other) }
    // A directory may pass its group on to new entries. New content loses the setuid bit.
    var mode = other.st_mode & (own.st_mode & S_IFMT == S_IFDIR ? 0o3777 : 0o777)
    let isSame = own.st_uid == other.st_uid && own.st_gid == other.st_gid
    if !isSame, fchown(file.rawValue, other.st_uid, other.st_gid) != 0,
      own.st_gid != other.st_gid, fchown(file.rawValue, uid_t.max, other.st_gid) != 0
    {
      mode = mode & ~0o070 | (mode & 0o007) << 3
    }
    copyList(of: path, to: file)
    permit(mode, to: file)
  }

  /// Ignores errors, because FAT and others have no permissions per file.
  private static func permit(_ mode: mode_t, to file: FileDescriptor) {
    _ = fchmod(file.rawValue, mode)
  }

  private static func copyList(of path: String, to file: FileDescriptor) {
    let name = "system.posix_acl_access"
    var list = [UInt8](repeating: 0, count: 1 << 12)
    // The kernel writes at most `list.count` bytes.
    let count = unsafe getxattr(path, name, &list, list.count)
    // Most files have no list.
    guard count > 0 else { return }
    _ = unsafe fsetxattr(file.rawValue, name, list, count, 0)
  }
}
