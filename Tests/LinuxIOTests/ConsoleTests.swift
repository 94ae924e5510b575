// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import Testing

@Suite struct ConsoleTests {
  @Test func `what is no virtual terminal is left alone`() throws {
    let pair = SocketPair()
    let null = try OwnedDescriptor(opening: "/dev/null", O_RDWR)
    let terminal = try OwnedDescriptor(opening: "/dev/ptmx", O_RDWR | O_NOCTTY)
    #expect(try Console(null.rawValue) == nil)
    #expect(try Console(pair.near.rawValue) == nil)
    #expect(try Console(terminal.rawValue) == nil)
    #expect(try Console(-1) == nil)
  }
}
