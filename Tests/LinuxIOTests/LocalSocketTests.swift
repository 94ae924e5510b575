// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import Testing

@Suite struct LocalSocketTests {
  @Test func `a peer reports its process, user and groups`() throws {
    var ends: [CInt] = [-1, -1]
    // This process owns both ends.
    #expect(unsafe socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    var groups = [gid_t](repeating: 0, count: 65536)
    let count = unsafe getgroups(CInt(groups.count), &groups)
    let peer = try LocalSocket.peer(of: ends[0])
    #expect(peer.process == Int(getpid()) && peer.user == geteuid())
    #expect(peer.groups == Set(groups.prefix(Int(count)) + [getegid()]))
  }
}
