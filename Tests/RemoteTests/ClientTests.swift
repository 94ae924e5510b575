// SPDX-License-Identifier: MIT

import RoundelDeclarations
import Glibc
import RoundelJSON
import LinuxIO
import RoundelMotion
import JSONRPC
import SystemPackage
import TestSupport
import Testing

/// The blocking client. The other side has sent everything before the client reads.
@Suite struct ClientTests {
  /// A client that will read `text` and then the end of the stream.
  private func client(
    hearing text: String, ends: Bool = true, limit: Int = 1 << 20
  ) throws -> (Client, CInt) {
    try client(hearing: Array(text.utf8), ends: ends, limit: limit)
  }

  private func client(
    hearing bytes: [UInt8], ends: Bool = true, limit: Int = 1 << 20
  ) throws -> (Client, CInt) {
    var pair: [CInt] = [0, 0]
    guard unsafe socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &pair) == 0 else {
      throw Errno(rawValue: errno)
    }
    _ = try LocalSocket.send(bytes[...], to: pair[1])
    if ends { shutdown(pair[1], CInt(SHUT_WR)) }
    let copy = OwnedDescriptor(adopting: dup(pair[0]))
    return (
      Client(reading: OwnedDescriptor(adopting: pair[0]), writing: copy, limit: limit), pair[1]
    )
  }

  /// Otherwise two programs that write a lot would block each other forever.
  @Test func `a nonblocking client sends a long request while the other side doesn't read`()
    throws
  {
    let loop = try EventLoop()
    let (client, other) = try client(hearing: "", ends: false)
    defer { close(other) }
    try client.sendWithoutWaiting(on: loop)
    let text = String(repeating: "x", count: 5 << 20)
    _ = try client.send("save", [.init("bytes", .string(text))])
    _ = try client.send("echo")
    var reader = LineReader(limit: 8 << 20)
    var lines: [String] = []
    while lines.count < 2 {
      let piece = try FileDescriptor(rawValue: other).receive(upTo: 1 << 16)
      reader.append(piece)
      while case .text(let line)? = reader.next() {
        lines.append(String(decoding: line, as: UTF8.self))
      }
      try loop.turn(until: MonotonicClock.now)
    }
    #expect(lines[0].contains(text) && lines[1].contains("echo"))
  }

  private func error(hearing text: String, ends: Bool = true, timeout: Double = 5) throws
    -> ClientError?
  {
    let (client, other) = try client(hearing: text, ends: ends)
    defer { close(other) }
    do throws(ClientError) {
      _ = try client.call("echo", timeout: timeout)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a call returns the result and passes on notifications before it`() throws {
    let (client, other) = try client(
      hearing: """
        {"jsonrpc":"2.0","method":"event","params":{"t":1}}
        {"jsonrpc":"2.0","result":"late","id":7}
        {"jsonrpc":"2.0","result":[1],"id":1}

        """)
    defer { close(other) }
    var reported: [String] = []
    client.onNotification = { reported.append($0.json.text) }
    #expect(try client.call("echo", [.init("value", "x")]) == .array([1]))
    #expect(reported == [#"{"jsonrpc":"2.0","method":"event","params":{"t":1}}"#])
    let sent = try OwnedDescriptor(adopting: dup(other)).receive(upTo: 1000)
    #expect(
      String(decoding: sent, as: UTF8.self)
        == #"{"jsonrpc":"2.0","method":"echo","params":{"value":"x"},"id":1}"# + "\n")
  }

  @Test func `a client reports why there is no answer`() throws {
    #expect(try error(hearing: "") == .disconnected)
    #expect(try error(hearing: "SSH-2.0-x\n") == .garbled("SSH-2.0-x"))
    #expect(try error(hearing: "{\"a\":1}\n") == .garbled("{\"a\":1}"))
    let refusal = RemoteError(.failed, "no")
    #expect(
      try error(hearing: Response(1, .failure(refusal)).json.text + "\n") == .refused(refusal))
    // An error about the connection.
    #expect(
      try error(hearing: Response(.null, .failure(refusal)).json.text + "\n") == .refused(refusal))
    guard case .timedOut? = try error(hearing: "", ends: false, timeout: 0.05) else {
      Issue.record("it waits on")
      return
    }
  }

  @Test func `a client reads the output that a server sent before it disconnected`() throws {
    // Like the program: writing to a closed socket is an error and doesn't end the process.
    _ = signal(SIGPIPE, SIG_IGN)
    let refusal = RemoteError(.busy, "too many")
    for (message, error) in [
      ("", ClientError.disconnected), ("Welcome!\n", .garbled("Welcome!")),
      (Response(.null, .failure(refusal)).json.text + "\n", .refused(refusal)),
    ] {
      let (client, other) = try client(hearing: message)
      close(other)
      #expect { try client.call("echo") } throws: { $0 as? ClientError == error }
    }
  }

  @Test func `an endless line is invalid`() throws {
    let (client, other) = try client(hearing: String(repeating: "x", count: 5000), limit: 1000)
    defer { close(other) }
    #expect { try client.call("echo") } throws: {
      $0 as? ClientError == .garbled("a line without an end")
    }
  }

  @Test func `notifications that arrive with an answer are delivered immediately`() throws {
    let (client, other) = try client(
      hearing: """
        {"jsonrpc":"2.0","result":true,"id":1}
        {"jsonrpc":"2.0","method":"event","params":{"t":1}}

        """, ends: false)
    defer { close(other) }
    var reported = 0
    client.onNotification = { _ in reported += 1 }
    #expect(try client.call("events") == true)
    #expect(throws: ClientError.self) { try client.listen(timeout: 0.01) }
    #expect(reported == 1)
  }

  @Test func `any server output is an answer, a notification or an error`() throws {
    let message = Array(
      """
      {"jsonrpc":"2.0","method":"event","params":{"t":1,"lost":3}}
      {"jsonrpc":"2.0","result":{"png":"iVBORw0KGgo="},"id":1}
      {"jsonrpc":"2.0","error":{"code":-32601,"message":"there is no such method"},"id":1}
      {"jsonrpc":"2.0","error":{"code":-32001,"message":"busy"},"id":null}

      """.utf8)
    var random = SeededGenerator(seed: 11)
    var outcomes: [String: Int] = [:]
    for _ in 0..<2000 {
      let bytes = message.mutated(using: &random)
      let (client, other) = try client(hearing: bytes, limit: 1000)
      defer { close(other) }
      client.onNotification = { _ in outcomes["told", default: 0] += 1 }
      do throws(ClientError) {
        _ = try client.call("echo")
        outcomes["answer", default: 0] += 1
        try client.listen()
      } catch {
        outcomes["\(error)".isEmpty ? "silence" : "error", default: 0] += 1
      }
    }
    #expect(Set(outcomes.keys) == ["told", "answer", "error"])
  }

  @Test func `an absent server is distinguished from a refused connection`() throws {
    let fixture = try Fixture(serving: false)
    #expect { try Client(at: fixture.path) } throws: {
      $0 as? ClientError == .absent(path: fixture.path)
    }
    _ = try LocalSocket.listen(at: fixture.path, group: nil)
    #expect { try Client(at: fixture.path) } throws: {
      $0 as? ClientError == .absent(path: fixture.path)
    }
  }

  @Test func `a kiosk that accepts no more connections is busy`() throws {
    let fixture = try Fixture(serving: false)
    let listener = try LocalSocket.listen(at: fixture.path, group: nil)
    var waiting: [Wire] = []
    var failure: Errno?
    for _ in 0..<200 {
      do throws(Errno) {
        waiting.append(Wire(try LocalSocket.connect(to: fixture.path, timeout: 0.01)))
      } catch {
        failure = error
        break
      }
    }
    #expect(failure == .resourceTemporarilyUnavailable)
    #expect(listener.rawValue >= 0)
  }
}
