// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import SystemPackage
import Testing

/// The service manager's end of a notification socket.
private final class Listener {
  let descriptor: OwnedDescriptor

  /// `name` is a path, or starts with a zero byte for the abstract namespace.
  init(_ name: [UInt8]) {
    descriptor = OwnedDescriptor(adopting: socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    let length = socklen_t(2 + name.count)
    let number = descriptor.rawValue
    unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = unsafe bind(number, $0, length)
      }
    }
  }

  func receive() -> String {
    unsafe withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) {
      let count = unsafe recv(descriptor.rawValue, $0.baseAddress, $0.count, 0)
      return unsafe String(decoding: $0.prefix(max(count, 0)), as: UTF8.self)
    }
  }
}

@Suite struct ServiceNotificationTests {
  @Test func `messages reach an abstract socket as one datagram`() throws {
    let name = "roundel-test-\(UInt64.random(in: 0 ... .max))"
    let listener = Listener([0] + Array(name.utf8))
    let notification = try ServiceNotification(socket: "@" + name)
    try notification.send(.ready, .status("showing\nSTOPPING=1"))
    #expect(listener.receive() == "READY=1\nSTATUS=showing STOPPING=1")
    try notification.send(.watchdog)
    try notification.send(.stopping)
    #expect(listener.receive() == "WATCHDOG=1")
    #expect(listener.receive() == "STOPPING=1")
  }

  @Test func `messages reach a socket in the file system`() throws {
    let path = "/tmp/roundel-test-\(UInt64.random(in: 0 ... .max))"
    let listener = Listener(Array(path.utf8) + [0])
    defer { unsafe unlink(path) }
    let notification = try ServiceNotification(socket: path)
    try notification.send(.ready)
    #expect(listener.receive() == "READY=1")
  }

  @Test func `an unread listener is an error and doesn't block`() throws {
    let name = "roundel-test-\(UInt64.random(in: 0 ... .max))"
    let listener = Listener([0] + Array(name.utf8))
    let notification = try ServiceNotification(socket: "@" + name)
    // Unix datagrams queue in the receiver, up to a limit of the kernel.
    #expect(throws: Errno.wouldBlock) {
      for _ in 0..<100_000 { try notification.send(.watchdog) }
    }
    withExtendedLifetime(listener) {}
  }

  @Test(arguments: [
    ("", Errno.invalidArgument), ("relative", .invalidArgument), ("/a\0b", .invalidArgument),
    ("vsock:2:1234", .invalidArgument), ("/nonexistent/notify", .noSuchFileOrDirectory),
    ("/" + String(repeating: "x", count: 200), .fileNameTooLong),
  ])
  func `an invalid socket name is an error`(_ name: String, _ error: Errno) {
    #expect(throws: error) { _ = try ServiceNotification(socket: name) }
  }

  @Test func `the watchdog's interval comes from the environment`() {
    let own = String(getpid())
    #expect(ServiceNotification.watchdogInterval(microseconds: "15000000", process: own) == 15)
    #expect(ServiceNotification.watchdogInterval(microseconds: "500000", process: nil) == 0.5)
    #expect(ServiceNotification.watchdogInterval(microseconds: "500000", process: "1") == nil)
    for broken in [nil, "", "0", "-1", "soon"] {
      #expect(ServiceNotification.watchdogInterval(microseconds: broken, process: own) == nil)
    }
  }
}
