// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import SystemPackage
import Testing

/// The service manager's end of a notification socket.
private final class Manager {
  let name = "roundel-test-\(UInt64.random(in: 0 ... .max))"
  private let socket = OwnedDescriptor(
    adopting: Glibc.socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0))

  init() {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = [0] + Array(name.utf8)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = unsafe bind(socket.rawValue, $0, socklen_t(2 + bytes.count))
      }
    }
  }

  func store(
    process: String? = nil, count: Int = 0, names: String? = nil, first: CInt = 3
  ) throws -> DescriptorStore {
    DescriptorStore(
      try ServiceNotification(socket: "@" + name), process: process, count: "\(count)",
      names: names, first: first)
  }

  /// The next message and its descriptor, or nil if there is no message.
  func receive() -> (message: String, descriptor: CInt?)? {
    var text = [UInt8](repeating: 0, count: 4096)
    // On 64-bit machines: a 16-byte header and the descriptor, padded to 8. Source: cmsg(3).
    var control = [UInt8](repeating: 0, count: 24)
    return unsafe text.withUnsafeMutableBytes { text in
      unsafe control.withUnsafeMutableBytes { control in
        var part = unsafe iovec(iov_base: text.baseAddress, iov_len: text.count)
        return unsafe withUnsafeMutablePointer(to: &part) { part in
          var message = unsafe msghdr(
            msg_name: nil, msg_namelen: 0, msg_iov: part, msg_iovlen: 1,
            msg_control: control.baseAddress, msg_controllen: control.count, msg_flags: 0)
          let count = unsafe recvmsg(
            socket.rawValue, &message, CInt(MSG_DONTWAIT | MSG_CMSG_CLOEXEC))
          guard count >= 0 else { return nil }
          let descriptor =
            unsafe message.msg_controllen < 20
            ? nil : control.load(fromByteOffset: 16, as: CInt.self)
          return (unsafe String(decoding: text.prefix(count), as: UTF8.self), descriptor)
        }
      }
    }
  }
}

/// A new unnamed file.
private func makeFile() throws -> OwnedDescriptor {
  try OwnedDescriptor(opening: "/tmp", O_RDWR | __O_TMPFILE)
}

/// A descriptor from an earlier process, which the caller must close.
private func take(_ name: String, from store: DescriptorStore) -> CInt? {
  guard let descriptor = store.take(name) else { return nil }
  return descriptor.release()
}

private func identity(_ descriptor: CInt) -> ino_t? {
  var information = stat()
  return unsafe fstat(descriptor, &information) == 0 ? information.st_ino : nil
}

@Suite struct DescriptorStoreTests {
  @Test func `the service manager receives the descriptor to keep`() throws {
    let manager = Manager()
    let file = try makeFile()
    try manager.store().keep(file, as: "/dev/dri/card0")
    let kept = try #require(manager.receive())
    #expect(kept.message == "FDSTORE=1\nFDNAME=/dev/dri/card0")
    let copy = OwnedDescriptor(adopting: try #require(kept.descriptor))
    #expect(copy.rawValue != file.rawValue && identity(copy.rawValue) == identity(file.rawValue))
    #expect(manager.receive() == nil)
  }

  @Test func `one descriptor is kept at a time`() throws {
    let manager = Manager()
    let store = try manager.store()
    store.keep(try makeFile(), as: "one")
    store.keep(try makeFile(), as: "one")
    store.keep(try makeFile(), as: "other")
    store.forgetAll()
    store.forgetAll()
    var messages: [String] = []
    while let next = manager.receive() {
      messages.append(next.message)
      if let descriptor = next.descriptor { close(descriptor) }
    }
    #expect(
      messages == [
        "FDSTORE=1\nFDNAME=one", "FDSTORE=1\nFDNAME=one", "FDSTOREREMOVE=1\nFDNAME=one",
        "FDSTORE=1\nFDNAME=other", "FDSTOREREMOVE=1\nFDNAME=other",
      ])
  }

  @Test func `a descriptor from an earlier process is taken once, by name`() throws {
    let manager = Manager()
    let file = try makeFile()
    // Numbers that no other test in this process uses.
    let first: CInt = 700
    for offset in 0..<3 { #expect(dup2(file.rawValue, first + CInt(offset)) >= 0) }
    do {
      let store = try manager.store(
        process: "\(getpid())", count: 3, names: "one:two", first: first)
      // A descriptor without a name is closed.
      #expect(fcntl(first + 2, F_GETFD) == -1)
      let one = try #require(take("one", from: store))
      #expect(one == first && fcntl(one, F_GETFD) == FD_CLOEXEC)
      #expect(identity(one) == identity(file.rawValue))
      #expect(take("one", from: store) == nil)
      close(one)
      store.keep(file, as: "one")
      #expect(fcntl(first + 1, F_GETFD) == -1)
      #expect(manager.receive()?.message == "FDSTOREREMOVE=1\nFDNAME=two")
    }
    #expect(manager.receive()?.message == "FDSTORE=1\nFDNAME=one")
  }

  @Test func `descriptors for another process and invalid counts are ignored`() throws {
    let manager = Manager()
    let file = try makeFile()
    for (process, count) in [("1", 1), (nil, 1), ("\(getpid())", 0), ("\(getpid())", -1)] {
      let store = try manager.store(
        process: process, count: count, names: "one", first: file.rawValue)
      #expect(take("one", from: store) == nil)
    }
    #expect(identity(file.rawValue) != nil)
  }
}
