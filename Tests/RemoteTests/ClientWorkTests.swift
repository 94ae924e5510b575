// SPDX-License-Identifier: MIT

import RoundelJSON
import LinuxIO
import RoundelMotion
import JSONRPC
import Testing

@Suite struct ClientWorkTests {
  private final class Counting: ClientTask {
    let client: ClientID
    let name: String
    var left: Int
    let done: (String) -> Void

    init(_ name: String, for client: ClientID, pieces: Int, done: @escaping (String) -> Void) {
      self.name = name
      self.client = client
      left = pieces
      self.done = done
    }

    func proceed() -> Bool {
      done(name)
      left -= 1
      return left > 0
    }
  }

  private func clients() throws -> [ClientID] {
    let fixture = try Fixture()
    let wires = [try fixture.connect(), try fixture.connect()]
    for wire in wires {
      wire.send(line: #"{"jsonrpc":"2.0","method":"subscribe"}"#)
      try fixture.settle()
    }
    return fixture.subscribers
  }

  @Test func `clients take turns, however many tasks each has`() throws {
    let clients = try clients()
    let loop = try EventLoop()
    let work = ClientWork(on: loop, limits: Limits())
    var order: [String] = []
    let tasks = ["a", "b", "c"].map {
      Counting($0, for: clients[0], pieces: 2) { order.append($0) }
    }
    tasks.forEach { work.add($0) }
    let other = Counting("x", for: clients[1], pieces: 3) { order.append($0) }
    work.add(other)
    // A pending task isn't added twice.
    work.add(other)
    for _ in 0..<20 { try loop.turn(until: .zero) }
    #expect(order.joined() == "axbxcxabc")
    #expect(work.longestTurn > 0)
  }

  @Test func `work that exceeds a turn continues in the next`() throws {
    let client = try clients()[0]
    let loop = try EventLoop()
    var limits = Limits()
    limits.maximumTurnSeconds = 0
    let work = ClientWork(on: loop, limits: limits)
    var count = 0
    let task = Counting("a", for: client, pieces: 5) { _ in count += 1 }
    work.add(task)
    for turn in 1...5 {
      try loop.turn(until: .zero)
      // No more work is done in the same turn.
      work.run()
      #expect(count == turn)
    }
    let before = loop.wakeUps
    try loop.turn(until: MonotonicClock.now + 0.01)
    #expect(loop.wakeUps == before + 1 && count == 5)
  }
}
