// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import RoundelMotion
import Testing

@testable import RoundelStudio

@Suite struct WebTests {
  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  // Source: FIPS 180, the examples of its appendix.
  @Test(arguments: [
    ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
    ), (String(repeating: "a", count: 1_000_000), "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
  ])
  func `hashes match the standard`(_ text: String, _ expected: String) {
    #expect(hex(SHA1.hash(Array(text.utf8))) == expected)
  }

  /// Otherwise a message after a small one would wait up to 40 ms for a delayed acknowledgement.
  @Test func `a message to a page doesn't wait for earlier ones`() throws {
    var port: UInt16 = 0
    let listener = try LoopbackSocket.listen(at: &port)
    let page = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    defer { close(page) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    // Every socket address starts with the family, which determines the rest.
    let isConnected = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(page, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    try #require(isConnected)
    guard let accepted = try LocalSocket.accept(from: listener.rawValue) else {
      Issue.record("nobody has come")
      return
    }
    var isOn: CInt = 0
    var length = socklen_t(MemoryLayout<CInt>.size)
    // The kernel writes at most the given size.
    let result = unsafe getsockopt(
      accepted.rawValue, CInt(IPPROTO_TCP), TCP_NODELAY, &isOn, &length)
    #expect(result == 0 && isOn != 0)
  }

  /// A nonblocking client connected to a port.
  private func client(of port: UInt16) throws -> OwnedDescriptor {
    let client = OwnedDescriptor(adopting: socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    // Every socket address starts with the family, which determines the rest.
    let isConnected = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(client.rawValue, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    try #require(isConnected)
    return client
  }

  /// Returns the bytes that a client has received as text, or nil if it has received none.
  private func answer(
    to client: borrowing OwnedDescriptor, from server: StudioServer, on loop: EventLoop
  ) throws -> String? {
    for _ in 0..<8 {
      loop.wakeUp()
      try loop.turn()
      _ = server.beforeWait()
    }
    var bytes = [UInt8](repeating: 0, count: 4096)
    // The kernel writes at most the given size.
    let count = unsafe recv(client.rawValue, &bytes, bytes.count, CInt(MSG_DONTWAIT))
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  @Test func `incomplete requests are disconnected after 10 seconds`() throws {
    var now = Timestamp(microseconds: 100_000_000)
    let loop = try EventLoop(clock: { now })
    let server = try StudioServer(port: 0, on: loop)
    let half = try client(of: server.port)
    _ = try LocalSocket.send(Array("GET / HTTP/1.1\r\nHost: x\r\n".utf8)[...], to: half.rawValue)
    #expect(try answer(to: half, from: server, on: loop) == nil)
    now = now + 9.9
    #expect(try answer(to: half, from: server, on: loop) == nil)
    now = now + 0.2
    // The end of the connection.
    #expect(try answer(to: half, from: server, on: loop) == "")
    let whole = try client(of: server.port)
    let request = "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"
    _ = try LocalSocket.send(Array(request.utf8)[...], to: whole.rawValue)
    let refusal = try #require(try answer(to: whole, from: server, on: loop))
    #expect(refusal.hasPrefix("HTTP/1.1 403"))
  }

  @Test func `an incomplete web socket message is disconnected after 10 seconds`() throws {
    var now = Timestamp(microseconds: 100_000_000)
    let loop = try EventLoop(clock: { now })
    let server = try StudioServer(port: 0, on: loop)
    let page = try client(of: server.port)
    func send(_ bytes: [UInt8]) throws { _ = try LocalSocket.send(bytes[...], to: page.rawValue) }
    let path = server.address.split(separator: "/").last ?? ""
    try send(
      Array(
        """
        GET /\(path)/socket HTTP/1.1\r
        Host: 127.0.0.1:\(server.port)\r
        Upgrade: websocket\r
        Sec-WebSocket-Version: 13\r
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
        \r

        """.utf8))
    #expect(try answer(to: page, from: server, on: loop)?.hasPrefix("HTTP/1.1 101") == true)
    now = now + 60
    #expect(try answer(to: page, from: server, on: loop) == nil)
    // A complete message starts no timeout.
    try send([0x89, 0x80, 0, 0, 0, 0])
    #expect(try answer(to: page, from: server, on: loop) != nil)
    now = now + 60
    #expect(try answer(to: page, from: server, on: loop) == nil)
    for half: [UInt8] in [[0x81, 0x85, 0], [0, 0, 0, 1, 2]] {
      try send(half)
      #expect(try answer(to: page, from: server, on: loop) == nil)
      now = now + 5.1
    }
    #expect(try answer(to: page, from: server, on: loop) == "")
  }

  private func request(_ text: String) -> HTTPRequest? {
    let bytes = Array(text.utf8)
    return HTTPRequest.end(of: bytes).flatMap { HTTPRequest(bytes[..<$0]) }
  }

  // Source: RFC 6455, section 1.3.
  @Test func `a web socket handshake is answered by the standard`() throws {
    let head =
      "GET /t/socket?x HTTP/1.1\r\nHost: 127.0.0.1:1\r\nUPGRADE: WebSocket\r\nSec-WebSocket-Version: 13\r\n"
    let whole = try #require(
      request(head + "Sec-WebSocket-Key:  dGhlIHNhbXBsZSBub25jZQ== \r\n\r\n"))
    #expect(whole.path == "/t/socket" && whole["host"] == "127.0.0.1:1")
    #expect(whole.webSocketAccept == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    #expect(request(head + "\r\n")?.webSocketAccept == nil)
    #expect(request("GET  /\r\n\r\n") == nil)
    #expect(request("GET http://x/ HTTP/1.1\r\n\r\n") == nil)
    #expect(request("GET / HTTP/1.1\r\n") == nil)
  }

  private func frame(_ first: UInt8, _ payload: [UInt8], masked: Bool = true) -> [UInt8] {
    var bytes = [first]
    let bit: UInt8 = masked ? 0x80 : 0
    if payload.count < 126 {
      bytes.append(bit | UInt8(payload.count))
    } else if payload.count < 65536 {
      bytes += [bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    } else {
      bytes +=
        [bit | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
    }
    guard masked else { return bytes + payload }
    let mask: [UInt8] = [1, 2, 3, 250]
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
  }

  @Test func `fragmented messages are reassembled`() throws {
    let long = [UInt8](repeating: 65, count: 70_000)
    let stream =
      frame(0x81, Array("hello".utf8)) + frame(0x89, [7]) + frame(0x01, [72]) + frame(0x8a, [])
      + frame(0x80, [105]) + frame(0x82, long) + frame(0x88, [])
    for size in [1, 3, 4096, stream.count] {
      var frames = WebSocketFrames(limit: 100_000)
      var found: [WebSocketFrames.Message] = []
      for start in stride(from: 0, to: stream.count, by: size) {
        frames.append(stream[start..<min(start + size, stream.count)])
        while let message = try frames.next() { found.append(message) }
      }
      #expect(
        found == [.text(Array("hello".utf8)), .ping([7]), .text([72, 105]), .binary(long), .close])
    }
  }

  @Test func `violations of the standard end the connection`() {
    let bad: [[UInt8]] = [
      frame(0x81, [1], masked: false), frame(0xc1, [1]), frame(0x83, [1]), frame(0x80, [1]),
      frame(0x09, [1]), frame(0x81, [UInt8](repeating: 0, count: 2000)),
      [0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],
    ]
    for bytes in bad {
      var frames = WebSocketFrames(limit: 1000)
      frames.append(bytes)
      #expect(throws: WebSocketFrames.Violation.self) {
        while try frames.next() != nil {}
      }
    }
  }
}
