// SPDX-License-Identifier: MIT

import RoundelDeclarations
import Dispatch
import Glibc
import RoundelJSON
import LinuxIO
import RoundelMotion
import JSONRPC
import Testing

/// Clients in large numbers, and slow, hostile or suddenly disconnected ones.
@Suite struct ClientLoadTests {
  private let echo = #"{"jsonrpc":"2.0","method":"echo","id":1}"#

  @Test func `an endless line gets an error and a disconnect`() throws {
    let fixture = try Fixture()
    let bad = try fixture.connect()
    let good = try fixture.connect()
    let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 60_000)
    var sent = 0
    #expect(
      try fixture.run {
        if !bad.isClosed { sent += bad.send(piece) }
        bad.read()
        return bad.isClosed
      })
    #expect(bad.answers.first?["error"]?["code"] == -32600)
    #expect(bad.lines.first?.contains("1114112 bytes") == true)
    // The server stops reading; the socket buffers hold about 200 KB.
    #expect(sent < 2 << 20)
    good.send(line: echo)
    #expect(
      try fixture.run {
        good.read()
        return !good.lines.isEmpty
      })
  }

  @Test func `the longest line is accepted, and a line of one more byte isn't`() throws {
    var limits = Limits()
    limits.maximumLineBytes = 100
    limits.maximumPromptBytes = 50
    let fixture = try Fixture(limits)
    let start = #"{"jsonrpc":"2.0","method":"echo","id":1}"#
    let longest = start + String(repeating: " ", count: 100 - start.count)
    #expect(try fixture.answer(to: longest)?["id"] == 1)
    #expect(try fixture.answer(to: longest + " ")?["error"]?["code"] == -32600)
  }

  @Test func `long messages are parsed outside the loop and answered in order`() throws {
    let fixture = try Fixture()
    let wire = try fixture.connect()
    let long = String(repeating: "y", count: 100_000)
    wire.send(line: #"{"jsonrpc":"2.0","method":"echo","params":["\#(long)"],"id":1}"#)
    wire.send(line: #"{"jsonrpc":"2.0","method":"echo","id":2}"#)
    #expect(
      try fixture.run {
        wire.read()
        return wire.lines.count == 2
      })
    #expect(wire.answers.map { $0["id"] } == [1, 2])
    #expect(wire.answers[0]["result"]?.string?.count == 100_000)
  }

  @Test func `the loop runs between any two requests of a flood`() throws {
    var limits = Limits()
    limits.maximumTurnSeconds = 0
    let fixture = try Fixture(limits)
    let wire = try fixture.connect()
    let flood = String(repeating: echo + "\n", count: 1000)
    #expect(wire.send(flood.utf8) == flood.utf8.count)
    var turns = 0
    var most = 0
    #expect(
      try fixture.run {
        let before = wire.lines.count
        wire.read()
        most = max(most, wire.lines.count - before)
        turns += 1
        return wire.lines.count == 1000
      })
    #expect(most == 1)
    #expect(turns >= 1000)
  }

  @Test func `clients take turns, so a flood doesn't delay a single request`() throws {
    var limits = Limits()
    limits.maximumTurnSeconds = 0
    let fixture = try Fixture(limits)
    let flooding = try fixture.connect()
    flooding.send(String(repeating: echo + "\n", count: 1000).utf8)
    let modest = try fixture.connect()
    try fixture.settle()
    modest.send(line: echo)
    #expect(
      try fixture.run {
        modest.read()
        return !modest.lines.isEmpty
      })
    flooding.read()
    #expect(flooding.lines.count < 100)
  }

  @Test func `a slow reader loses notifications and receives their number`() throws {
    let fixture = try Fixture()
    let slow = try fixture.connect()
    let quick = try fixture.connect()
    let subscribe = #"{"jsonrpc":"2.0","method":"subscribe"}"#
    slow.send(line: subscribe)
    quick.send(line: subscribe)
    #expect(try fixture.run { fixture.subscribers.count == 2 })
    let text = JSONValue.string(String(repeating: "z", count: 1000))
    let count = 5000
    for number in 1...count {
      fixture.server?.clients.notify(
        "event", [.init("number", .number(Double(number))), .init("text", text)],
        to: fixture.subscribers)
      try fixture.loop.turn(until: .zero)
      quick.read()
    }
    #expect(
      try fixture.run {
        quick.read()
        return quick.lines.count == count
      })
    #expect(quick.answers.allSatisfy { $0["params"]?["lost"] == nil })

    #expect(
      try fixture.run {
        let before = slow.lines.count
        slow.read()
        return slow.lines.count == before
      })
    try fixture.settle()
    fixture.server?.clients.notify("event", [.init("number", 0)], to: fixture.subscribers)
    #expect(
      try fixture.run {
        slow.read()
        return slow.answers.last?["params"]?["number"] == 0
      })
    let got = slow.lines.count - 1
    #expect(got > 400 && got < 2000)
    #expect(slow.answers.last?["params"]?["lost"]?.integer == count - got)
    // The number is reported once.
    #expect(slow.answers.dropLast().allSatisfy { $0["params"]?["lost"] == nil })
  }

  @Test func `a client that doesn't read its answers isn't served until it does`() throws {
    let fixture = try Fixture()
    let slow = try fixture.connect()
    let request = #"{"jsonrpc":"2.0","method":"repeat","params":["0123456789",10000],"id":1}"#
    slow.send(String(repeating: request + "\n", count: 100).utf8)
    try fixture.settle()
    #expect(try fixture.answer(to: echo)?["id"] == 1)
    slow.read()
    let early = slow.lines.count
    #expect(early < 15)
    #expect(
      try fixture.run {
        slow.read()
        return slow.lines.count == 100
      })
  }

  @Test func `a request that outlives the server is harmless`() throws {
    let fixture = try Fixture()
    // This blocks the thread that parses long messages, and with it the client's next one.
    let gate = DispatchSemaphore(value: 0)
    fixture.worker.run({ gate.wait() }, whenDone: { _ in })
    let client = try fixture.connect()
    client.send(line: #"{"jsonrpc":"2.0","method":"later","id":1}"#)
    client.send(
      line: #"{"method":"echo","params":[""# + String(repeating: "x", count: 30_000) + #""]}"#)
    try fixture.settle()
    #expect(fixture.kept.count == 1)
    fixture.stopServing()
    fixture.kept = []
    gate.signal()
    try fixture.settle()
    #expect(fixture.server == nil)
  }

  @Test func `64 active clients are served, and others once some leave`() throws {
    let fixture = try Fixture()
    var clients: [Wire] = []
    for _ in 0..<200 {
      clients.append(try fixture.connect())
      clients.last?.send(line: #"{"jsonrpc":"2.0","method":"subscribe"}"#)
      try fixture.settle()
    }
    try fixture.settle()
    #expect(fixture.server?.clients.count == 64)
    for client in clients {
      client.read()
      if !client.isClosed { client.send(line: echo) }
    }
    #expect(
      try fixture.run {
        clients.forEach { $0.read() }
        return clients.allSatisfy { !$0.lines.isEmpty }
      })
    #expect(clients.filter(\.isClosed).count == 136)
    for client in clients {
      #expect(
        client.isClosed
          ? client.answers.first?["error"]?["code"] == -32001 : client.answers.first?["id"] == 1)
    }
    clients.removeAll()
    #expect(try fixture.run { fixture.server?.clients.count == 0 })
    #expect(try fixture.answer(to: echo)?["id"] == 1)
  }

  @Test func `a full server disconnects the client that has been idle longest`() throws {
    var limits = Limits()
    limits.maximumClients = 3
    let fixture = try Fixture(limits)
    var idle: [Wire] = []
    for _ in 0..<3 {
      idle.append(try fixture.connect())
      try fixture.settle()
    }
    // The first client sends a request, the second subscribes, and the third waits.
    idle[1].send(line: #"{"jsonrpc":"2.0","method":"subscribe"}"#)
    idle[2].send(line: #"{"jsonrpc":"2.0","method":"later","id":1}"#)
    try fixture.settle()
    idle[0].send(line: echo)
    try fixture.settle()
    #expect(try fixture.answer(to: echo)?["id"] == 1)
    idle.forEach { $0.read() }
    #expect(idle.map(\.isClosed) == [true, false, false])
    #expect(idle[0].answers.last?["error"]?["data"]?["limit"] == "maximumClients")
    #expect(fixture.gone.count >= 1)
    // With a subscription instead of the removed client, no client is idle.
    let third = try fixture.connect()
    third.send(line: #"{"jsonrpc":"2.0","method":"subscribe"}"#)
    try fixture.settle()
    let refused = try fixture.answer(to: echo)
    #expect(refused?["error"]?["data"]?.text == #"{"limit":"maximumClients","maximum":3}"#)
    withExtendedLifetime(third) {}
  }

  @Test func `of two idle clients the last to send a request stays`() throws {
    var limits = Limits()
    limits.maximumClients = 2
    let fixture = try Fixture(limits)
    let early = try fixture.connect()
    try fixture.settle()
    let late = try fixture.connect()
    try fixture.settle()
    early.send(line: echo)
    try fixture.settle()
    #expect(try fixture.answer(to: echo)?["id"] == 1)
    early.read()
    late.read()
    #expect(!early.isClosed && late.isClosed)
  }

  @Test func `a message may contain any number of values`() throws {
    let fixture = try Fixture()
    for count in [20_000, 80_000] {
      let values = String(repeating: "1,", count: count) + "1"
      let answer = try fixture.answer(to: "{\"a\":[\(values)]}")
      #expect(answer?["error"]?["message"]?.string?.hasPrefix("\"jsonrpc\" is missing") == true)
    }
  }

  @Test func `an id is kept until the answer, so its length is limited`() throws {
    let fixture = try Fixture()
    let (longest, more) = (String(repeating: "i", count: 256), String(repeating: "i", count: 257))
    #expect(
      try fixture.answer(to: "{\"jsonrpc\":\"2.0\",\"method\":\"echo\",\"id\":\"\(longest)\"}")?[
        "id"]
        == .string(longest))
    let refused = try fixture.answer(
      to: "{\"jsonrpc\":\"2.0\",\"method\":\"echo\",\"id\":\"\(more)\"}")
    #expect(refused?["error"]?["data"]?["limit"] == "maximumIDBytes")
  }

  @Test func `incomplete messages of many clients are limited in total`() throws {
    var limits = Limits()
    limits.maximumTotalBytes = 4 << 20
    let fixture = try Fixture(limits)
    let half = [UInt8](repeating: UInt8(ascii: "y"), count: 60_000)
    var wires: [Wire] = []
    for _ in 0..<16 {
      let wire = try fixture.connect()
      wires.append(wire)
      var sent = 0
      _ = try fixture.run {
        sent += wire.send(half)
        wire.read()
        return sent > 900_000 || wire.isClosed
      }
    }
    try fixture.settle()
    wires.forEach { $0.read() }
    let refused = wires.filter(\.isClosed)
    #expect(refused.count > 8 && refused.count < 16)
    #expect(
      refused.allSatisfy { $0.answers.first?["error"]?["data"]?["limit"] == "maximumTotalBytes" })
    // A modest client is still served.
    #expect(try fixture.answer(to: echo)?["id"] == 1)
  }

  @Test func `the slowest reader is disconnected when there are too many unread answers`() throws {
    var limits = Limits()
    limits.maximumTotalUnreadBytes = 2 << 20
    let fixture = try Fixture(limits)
    let request = #"{"jsonrpc":"2.0","method":"repeat","params":["0123456789",\#(200_000)],"id":1}"#
    let slow = try fixture.connect()
    slow.send(line: #"{"jsonrpc":"2.0","method":"repeat","params":["x",1500000],"id":1}"#)
    try fixture.settle()
    let slower = try fixture.connect()
    slower.send(line: request)
    #expect(try fixture.run { fixture.gone.count == 1 })
    slow.read()
    slower.read()
    #expect(!slow.isClosed && slower.isClosed)
  }

  @Test func `the answers of a pending batch count towards the limit`() throws {
    var limits = Limits()
    limits.guaranteedClientBytes = 0
    limits.maximumClientBytes = 50_000
    let fixture = try Fixture(limits)
    let wire = try fixture.connect()
    let long = #"{"jsonrpc":"2.0","method":"repeat","params":["0123456789",3000],"id":1}"#
    let later = #"{"jsonrpc":"2.0","method":"later","id":2}"#
    wire.send(line: "[\(long),\(long),\(later)]")
    #expect(try fixture.run { !fixture.kept.isEmpty })
    fixture.kept.removeFirst().give("now")
    #expect(
      try fixture.run {
        wire.read()
        return !wire.lines.isEmpty
      })
    guard case .array(let answers)? = wire.answers.first else {
      Issue.record("no batch")
      return
    }
    #expect(answers[0]["result"]?.string?.count == 30_000)
    #expect(answers[1]["error"]?["data"]?["limit"] == "maximumClientBytes")
    #expect(answers[2]["result"] == "now")
  }

  @Test func `too many pending requests are rejected`() throws {
    var limits = Limits()
    limits.maximumWaitingRequests = 64
    let fixture = try Fixture(limits)
    let wire = try fixture.connect()
    for _ in 0..<65 { wire.send(line: #"{"jsonrpc":"2.0","method":"later","id":1}"#) }
    #expect(
      try fixture.run {
        wire.read()
        return !wire.lines.isEmpty
      })
    #expect(fixture.kept.count == 64)
    #expect(wire.answers.first?["error"]?["code"] == -32001)
  }

  @Test func `a disconnected client leaves nothing behind`() async {
    // In a separate process, where no other test opens files at the same time.
    await #expect(processExitsWith: .success) { try leaveInTheMiddle() }
  }

  @Test func `a client that closed its output gets its answers, then the connection ends`() throws {
    let fixture = try Fixture()
    let wire = try fixture.connect()
    wire.send(line: #"{"jsonrpc":"2.0","method":"later","id":1}"#)
    // The last line needs no terminator.
    wire.send(echo.utf8)
    wire.endOutput()
    #expect(try fixture.run { !fixture.kept.isEmpty })
    try fixture.settle()
    wire.read()
    #expect(wire.lines.count == 1 && !wire.isClosed)
    fixture.kept.removeFirst().give("now")
    #expect(
      try fixture.run {
        wire.read()
        return wire.isClosed
      })
    #expect(wire.lines.count == 2)
  }

  @Test func `a subscribed client that closed its output still gets notifications`() throws {
    let fixture = try Fixture()
    let wire = try fixture.connect()
    wire.send(line: #"{"jsonrpc":"2.0","method":"subscribe","id":1}"#)
    wire.endOutput()
    #expect(try fixture.run { fixture.subscribers.count == 1 })
    try fixture.settle()
    fixture.server?.clients.notify("event", [], to: fixture.subscribers)
    try fixture.settle()
    wire.read()
    #expect(wire.lines.count == 2 && !wire.isClosed)
  }

  @Test func `an idle server does not wake the loop`() throws {
    let fixture = try Fixture()
    let wires = try (0..<10).map { _ in try fixture.connect() }
    wires.forEach { $0.send(line: echo) }
    try fixture.settle()
    wires[0].endOutput()
    try fixture.settle()
    let before = fixture.loop.wakeUps
    try fixture.loop.turn(until: MonotonicClock.now + 0.1)
    #expect(fixture.loop.wakeUps == before + 1)
    withExtendedLifetime(wires) {}
  }
}

/// Fifty clients disconnect while they wait for an answer, or in the middle of a message.
private func leaveInTheMiddle() throws {
  let echo = #"{"jsonrpc":"2.0","method":"echo","id":1}"#
  let fixture = try Fixture()
  let before = try openDescriptors()
  for round in 0..<50 {
    var wire: Wire? = try fixture.connect()
    wire?.send(line: #"{"jsonrpc":"2.0","method":"later","id":1}"#)
    wire?.send(echo.utf8.prefix(round))
    if round % 2 == 0 { try fixture.settle() }
    wire = nil
  }
  #expect(try fixture.run { fixture.gone.count == 50 })
  fixture.kept.forEach { $0.give("too late") }
  fixture.kept = []
  #expect(fixture.server?.clients.count == 0)
  // The test runner may open a few; a leak would be one for each client.
  #expect(try openDescriptors() < before + 50)
  #expect(try fixture.answer(to: echo)?["id"] == 1)
}

private func openDescriptors() throws -> Int {
  guard let folder = unsafe opendir("/proc/self/fd") else { return -1 }
  defer { unsafe closedir(folder) }
  var count = 0
  while unsafe readdir(folder) != nil { count += 1 }
  return count
}
