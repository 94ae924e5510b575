// SPDX-License-Identifier: MIT

import Glibc
import LinuxIO
import Testing

@Suite struct ConsoleTests {
  @Test func `a descriptor that isn't a virtual terminal isn't changed`() throws {
    let pair = SocketPair()
    let null = try OwnedDescriptor(opening: "/dev/null", O_RDWR)
    let terminal = try OwnedDescriptor(opening: "/dev/ptmx", O_RDWR | O_NOCTTY)
    try Console.takeOver(null.rawValue)
    try Console.takeOver(pair.near.rawValue)
    try Console.takeOver(terminal.rawValue)
    try Console.takeOver(-1)
  }
}
