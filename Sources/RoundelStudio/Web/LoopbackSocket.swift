// SPDX-License-Identifier: MIT

internal import Glibc
internal import LinuxIO
internal import SystemPackage

/// TCP sockets that other machines can't reach.
enum LoopbackSocket {
  /// Sets a `port` of 0 to a free one. C: `bind`, `listen`.
  static func listen(at port: inout UInt16) throws(Errno) -> OwnedDescriptor {
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let socket = OwnedDescriptor(adopting: try checked(Glibc.socket(AF_INET, CInt(type), 0)))
    let number = socket.rawValue
    try turnOn(SO_REUSEADDR, of: SOL_SOCKET, on: number)
    // Inherited by connections. Otherwise a message after a small one waits up to 40 ms for the
    // delayed acknowledgement.
    try turnOn(TCP_NODELAY, of: CInt(IPPROTO_TCP), on: number)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // The family, which comes first, determines the rest.
    let result = unsafe withUnsafeMutablePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> CInt in
        guard unsafe bind(number, pointer, length) == 0, Glibc.listen(number, 16) == 0 else {
          return -1
        }
        return unsafe getsockname(number, pointer, &length)
      }
    }
    _ = try checked(result)
    port = UInt16(bigEndian: address.sin_port)
    return socket
  }

  private static func turnOn(
    _ option: CInt, of level: CInt, on socket: CInt
  ) throws(Errno) {
    var yes: CInt = 1
    // The kernel copies the value.
    _ = try checked(
      unsafe setsockopt(socket, level, option, &yes, socklen_t(MemoryLayout<CInt>.size)))
  }

  private static func checked(_ result: CInt) throws(Errno) -> CInt {
    guard result >= 0 else { throw Errno(rawValue: errno) }
    return result
  }
}
