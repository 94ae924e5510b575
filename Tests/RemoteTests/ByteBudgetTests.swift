// SPDX-License-Identifier: MIT

import RoundelJSON
import LinuxIO
import RoundelMotion
import JSONRPC
import Testing

@Suite struct ByteBudgetTests {
  private let limits: Limits = {
    var limits = Limits()
    limits.guaranteedClientBytes = 100
    limits.maximumClientBytes = 1000
    limits.maximumTotalBytes = 1500
    return limits
  }()

  /// Two clients with ids from a server.
  private func clients() throws -> [ClientID] {
    let fixture = try Fixture()
    let wires = [try fixture.connect(), try fixture.connect()]
    for wire in wires {
      wire.send(line: #"{"jsonrpc":"2.0","method":"subscribe"}"#)
      try fixture.settle()
    }
    return fixture.subscribers
  }

  @Test func `a released reservation returns its bytes`() throws {
    let client = try clients()[0]
    let budget = ByteBudget(limits)
    var kept: [Reservation] = []
    for _ in 0..<10 { kept.append(try budget.reserve(100, for: client)) }
    #expect(budget.totalBytes == 1000)
    #expect(throws: RemoteError.self) { try budget.reserve(1, for: client) }
    kept.removeFirst(3)
    #expect(budget.totalBytes == 700)
    try kept[0].resize(to: 300)
    #expect(throws: RemoteError.self) { try kept[0].grow(by: 101) }
    // A rejected reservation changes nothing.
    #expect(budget.totalBytes == 900 && kept[0].bytes == 300)
    kept = []
    #expect(budget.totalBytes == 0)
  }

  @Test func `the shared bytes run out, a client's guaranteed bytes don't`() throws {
    let clients = try clients()
    let budget = ByteBudget(limits)
    let first = try budget.reserve(1000, for: clients[0])
    let second = try budget.reserve(700, for: clients[1])
    do {
      try second.grow(by: 1)
      Issue.record("more than all")
    } catch {
      #expect(error.limit?.name == "maximumTotalBytes" && error.code == .busy)
    }
    try second.resize(to: 0)
    try second.resize(to: 100)
    withExtendedLifetime(first) {}
  }

  @Test func `a size that overflows is rejected`() throws {
    let client = try clients()[0]
    let budget = ByteBudget(limits)
    let small = try budget.reserve(10, for: client)
    #expect(throws: RemoteError.self) { try budget.reserve(.max, for: client) }
    #expect(budget.totalBytes == 10)
    withExtendedLifetime(small) {}
  }
}
