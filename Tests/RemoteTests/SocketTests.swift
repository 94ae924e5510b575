// SPDX-License-Identifier: MIT

import RoundelDeclarations
import Glibc
import RoundelJSON
import LinuxIO
@testable import JSONRPC
import SystemPackage
import Testing

@Suite struct SocketTests {
  @Test func `only its user and group can access the socket`() throws {
    let fixture = try Fixture()
    var status = stat()
    #expect(stat_(fixture.path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o660)
  }

  @Test func `a socket without a server is replaced`() throws {
    let fixture = try Fixture(serving: false)
    // The socket remains when its owner dies.
    _ = try LocalSocket.listen(at: fixture.path, group: nil)
    try fixture.serve()
    #expect(try fixture.answer(to: #"{"jsonrpc":"2.0","method":"echo","id":1}"#)?["id"] == 1)
  }

  @Test func `a socket with a running server isn't replaced`() throws {
    let fixture = try Fixture()
    #expect {
      try Server(at: fixture.path, worker: fixture.worker, on: fixture.loop)
    } throws: {
      "\($0)".contains("another kiosk uses")
    }
    #expect(try fixture.answer(to: #"{"jsonrpc":"2.0","method":"echo","id":1}"#)?["id"] == 1)
  }

  @Test func `a file that isn't a socket isn't replaced`() throws {
    let fixture = try Fixture(serving: false)
    let file = try FileDescriptor.open(
      FilePath(fixture.path), .writeOnly, options: [.create], permissions: .ownerReadWrite)
    try file.close()
    #expect(throws: ServerError.self) { try fixture.serve() }
    #expect(unsafe access(fixture.path, F_OK) == 0)
  }

  @Test func `a server removes its socket when it ends`() throws {
    let fixture = try Fixture()
    fixture.stopServing()
    #expect(unsafe access(fixture.path, F_OK) == -1)
  }

  @Test(arguments: ["/nowhere/at/all", "/tmp/" + String(repeating: "x", count: 120)])
  func `an unusable socket path is named in the error`(_ path: String) throws {
    let fixture = try Fixture(serving: false)
    #expect { try Server(at: path, worker: fixture.worker, on: fixture.loop) } throws: {
      "\($0)".contains(path)
    }
  }

  @Test func `root, the kiosk's user and the group have access, others don't`() {
    func may(_ user: UInt32, _ groups: Set<UInt32>, group: UInt32? = 50) -> Bool {
      Listener.admits(
        LocalSocket.Peer(process: 1, user: user, groups: groups), owner: 1000, group: group)
    }
    #expect(may(0, [0]))
    #expect(may(1000, [1000]))
    #expect(may(1001, [1001, 50]))
    #expect(!may(1001, [1001]))
    #expect(!may(1001, [1001, 50], group: nil))
    #expect(!may(1001, [0, 1000]))
  }

  @Test func `the kernel reports the peer's identity`() throws {
    let fixture = try Fixture(serving: false)
    let listener = try LocalSocket.listen(at: fixture.path, group: nil)
    let client = try LocalSocket.connect(to: fixture.path)
    guard let accepted = try LocalSocket.accept(from: listener.rawValue) else {
      Issue.record("nobody came")
      return
    }
    let peer = try LocalSocket.peer(of: accepted.rawValue)
    #expect(peer.process == Int(getpid()))
    #expect(peer.user == geteuid())
    #expect(peer.groups.contains(getegid()))
    #expect(client.rawValue >= 0)
  }
}

/// `stat` is both a type and a function.
private func stat_(_ path: String, _ status: inout stat) -> CInt { unsafe stat(path, &status) }
