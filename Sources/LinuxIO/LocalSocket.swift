// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import Glibc
package import SystemPackage

package enum LocalSocket {
  /// The peer process at the time of the connection, as reported by the kernel.
  package struct Peer: Hashable, Sendable {
    package var process: Int
    package var user: UInt32
    package var groups: Set<UInt32>

    package init(process: Int, user: UInt32, groups: Set<UInt32>) {
      self.process = process
      self.user = user
      self.groups = groups
    }
  }

  /// Throws `resourceTemporarilyUnavailable` after `timeout` seconds. C: `connect`.
  package static func connect(
    to path: String, timeout: Double = 5
  ) throws(Errno) -> OwnedDescriptor {
    let socket = try make(0)
    var time = timeval()
    time.tv_sec = Int(timeout)
    time.tv_usec = Int((timeout - timeout.rounded(.down)) * 1e6)
    // Limits the wait in `connect`.
    try set(socket, SO_SNDTIMEO, &time)
    try unsafe withAddress(path) { unsafe Glibc.connect(socket.rawValue, $0, $1) }
    time = timeval()
    try set(socket, SO_SNDTIMEO, &time)
    return socket
  }

  /// Creates a socket for its owner and `group`, or the owner's group if that can't be set. C:
  /// `bind`, `listen`.
  package static func listen(at path: String, group: UInt32?) throws(Errno) -> OwnedDescriptor {
    let socket = try make(SOCK_NONBLOCK.rawValue)
    try unsafe withAddress(path) { unsafe bind(socket.rawValue, $0, $1) }
    do throws(Errno) {
      // Connections are possible only after `listen`.
      try retryingOnInterrupt { unsafe chmod(path, 0o660) }
      if let group { _ = unsafe chown(path, uid_t.max, group) }
      try retryingOnInterrupt { Glibc.listen(socket.rawValue, 64) }
    } catch {
      _ = unsafe unlink(path)
      throw error
    }
    return socket
  }

  /// Returns the next connection, non-blocking, or nil. C: `accept4`.
  package static func accept(from listener: CInt) throws(Errno) -> OwnedDescriptor? {
    do throws(Errno) {
      let flags = CInt(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
      return OwnedDescriptor(
        adopting: try retryingOnInterrupt { accept4(listener, nil, nil, flags) })
    } catch .resourceTemporarilyUnavailable, .connectionAbort {
      return nil
    }
  }

  /// C: SO_PEERCRED, SO_PEERGROUPS.
  package static func peer(of socket: CInt) throws(Errno) -> Peer {
    // C: `struct ucred`: pid, uid and gid, 32 bits each.
    var credentials: [UInt32] = [0, 0, 0]
    var size = socklen_t(12)
    // The kernel writes at most `size` bytes, here and below.
    try retryingOnInterrupt {
      unsafe getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
    }
    var groups: [UInt32] = []
    while true {
      do throws(Errno) {
        size = socklen_t(groups.count * 4)
        try retryingOnInterrupt {
          unsafe getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, &groups, &size)
        }
        return Peer(
          process: Int(credentials[0]), user: credentials[1],
          groups: Set(groups.prefix(Int(size) / 4) + [credentials[2]]))
      } catch .outOfRange where Int(size) / 4 > groups.count {
        // The kernel has returned the required size.
        groups = [UInt32](repeating: 0, count: Int(size) / 4)
      }
    }
  }

  /// Sends as many bytes as possible without blocking, possibly 0. C: `send`.
  package static func send(_ bytes: ArraySlice<UInt8>, to socket: CInt) throws(Errno) -> Int {
    do throws(Errno) {
      return try retryingOnInterrupt {
        // The slice lives until the call returns.
        unsafe bytes.withUnsafeBytes {
          unsafe Glibc.send(
            socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
      }
    } catch .resourceTemporarilyUnavailable {
      return 0
    }
  }

  private static func make(_ flags: UInt32) throws(Errno) -> OwnedDescriptor {
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | flags
    return OwnedDescriptor(
      adopting: try retryingOnInterrupt { Glibc.socket(AF_UNIX, CInt(type), 0) })
  }

  private static func set(
    _ socket: borrowing OwnedDescriptor, _ option: CInt, _ value: inout timeval
  ) throws(Errno) {
    let (number, size) = (socket.rawValue, socklen_t(MemoryLayout<timeval>.size))
    // The kernel copies the value.
    try retryingOnInterrupt { unsafe setsockopt(number, SOL_SOCKET, option, &value, size) }
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) throws(Errno) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .invalidArgument }
    try unsafe withAddress(Array(path.utf8) + [0], body)
  }

  /// A path terminated by a zero, or an abstract name, which starts with a zero and has an explicit
  /// length. C: `struct sockaddr_un`.
  static func withAddress(
    _ name: [UInt8], _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) throws(Errno) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard name.count <= capacity else { throw .fileNameTooLong }
    // Fits, because of the check above.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size - capacity + name.count)
    // The family, which comes first, determines the rest.
    try retryingOnInterrupt {
      unsafe withUnsafePointer(to: &address) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
      }
    }
  }
}
