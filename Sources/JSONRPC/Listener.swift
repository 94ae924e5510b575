// SPDX-License-Identifier: MIT

internal import Glibc
internal import LinuxIO
internal import RoundelMotion
internal import SystemPackage

/// A socket, open to its user, root and the members of a group. Releasing the object removes the
/// socket.
final class Listener {
  let path: String
  private let group: UInt32?
  private let inode: UInt64
  private let socket: OwnedDescriptor
  private var acceptor: Acceptor?

  /// Replaces an existing socket if no server answers on it.
  init(
    at path: String, group: String?, for work: ClientWork, on loop: EventLoop,
    accept: @escaping (consuming OwnedDescriptor) throws(Errno) -> Void
  ) throws(ServerError) {
    self.path = path
    self.group = group.flatMap { UserGroups.number(of: $0) }
    do throws(Errno) {
      try Self.clearAway(path)
      socket = try LocalSocket.listen(at: path, group: self.group)
      inode = Self.socketInode(path) ?? 0
      acceptor = try Acceptor(
        socket.rawValue, on: loop, measuring: { work.measure($0) }, accept: accept)
    } catch {
      throw ServerError(path, error)
    }
  }

  deinit {
    acceptor = nil
    // Another server may have replaced the socket.
    if Self.socketInode(path) == inode { Files.remove(path) }
  }

  private static func socketInode(_ path: String) -> UInt64? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
    return UInt64(status.st_ino)
  }

  private static func clearAway(_ path: String) throws(Errno) {
    guard socketInode(path) != nil else {
      var status = stat()
      if unsafe lstat(path, &status) == 0 { throw .fileExists }
      return
    }
    do throws(Errno) {
      _ = try LocalSocket.connect(to: path, timeout: 0.2)
    } catch .connectionRefused {
      try retryingOnInterrupt { unsafe unlink(path) }
      return
    } catch .resourceTemporarilyUnavailable {
      // A server listens, but is busy.
    }
    throw .addressInUse
  }

  func admits(_ connection: CInt) -> Bool {
    guard let peer = try? LocalSocket.peer(of: connection) else { return false }
    return Self.admits(peer, owner: geteuid(), group: group)
  }

  static func admits(_ peer: LocalSocket.Peer, owner: UInt32, group: UInt32?) -> Bool {
    peer.user == 0 || peer.user == owner || group.map(peer.groups.contains) ?? false
  }
}
