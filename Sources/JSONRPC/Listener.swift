// SPDX-License-Identifier: MIT

internal import Glibc
internal import LinuxIO
internal import Motion
internal import SystemPackage

/// A socket at a path, to which this user, root and the members of a group may connect. It goes when
/// its owner does.
final class Listener {
  let path: String
  private let group: UInt32?
  private let inode: UInt64
  private let work: ClientWork
  private let loop: EventLoop
  private let socket: OwnedDescriptor
  private let accept: (consuming OwnedDescriptor) throws(Errno) -> Void
  private var token: EventLoop.Token?

  /// Listens at `path`, where a socket is replaced if no server answers on it, and calls `accept` for
  /// each connection, as part of `work`.
  init(
    at path: String, group: String?, for work: ClientWork, on loop: EventLoop,
    accept: @escaping (consuming OwnedDescriptor) throws(Errno) -> Void
  ) throws(ServerError) {
    self.path = path
    self.work = work
    self.loop = loop
    self.accept = accept
    self.group = group.flatMap { UserGroups.number(of: $0) }
    do throws(Errno) {
      try Self.clearAway(path)
      socket = try LocalSocket.listen(at: path, group: self.group)
      inode = Self.socketInode(path) ?? 0
      token = try loop.watch(socket.rawValue) { [unowned self] _ in acceptAll() }
    } catch {
      throw ServerError(path, error)
    }
  }

  deinit {
    token = nil
    // Another server may have put its own there meanwhile.
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
      _ = try LocalSocket.connect(to: path, patience: 0.2)
    } catch .connectionRefused {
      try retryingOnInterrupt { unsafe unlink(path) }
      return
    } catch .resourceTemporarilyUnavailable {
      // A server listens and is busy.
    }
    throw .addressInUse
  }

  private func acceptAll() {
    work.measure {
      do throws(Errno) {
        // Further connections are accepted in the next turn.
        for _ in 0..<16 {
          guard let connection = try LocalSocket.accept(from: socket.rawValue) else { return }
          try accept(connection)
        }
      } catch {
        // Out of descriptors or memory: clients wait until there may be some again.
        pause()
      }
    }
  }

  private func pause() {
    token = loop.schedule(at: loop.now + 1) { [unowned self] in
      token = try? loop.watch(socket.rawValue) { [unowned self] _ in acceptAll() }
    }
  }

  /// Whether the peer of a connection may use it.
  func admits(_ connection: CInt) -> Bool {
    guard let peer = try? LocalSocket.peer(of: connection) else { return false }
    return Self.admits(peer, owner: geteuid(), group: group)
  }

  /// Whether a peer may use a socket of the user `owner`.
  static func admits(_ peer: LocalSocket.Peer, owner: UInt32, group: UInt32?) -> Bool {
    peer.user == 0 || peer.user == owner || group.map(peer.groups.contains) ?? false
  }
}
