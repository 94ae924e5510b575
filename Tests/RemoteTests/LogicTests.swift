// SPDX-License-Identifier: MIT

import RoundelDeclarations
import Glibc
import RoundelJSON
import LinuxIO
import RoundelMotion
import JSONRPC
import KioskService
import Testing

/// A kiosk's logic program that runs a shell script.
private func shell(_ script: String) -> LogicProgram.Command {
  LogicProgram.Command(name: "brain", arguments: ["/bin/sh", "-c", script])
}

extension KioskFixture {
  fileprivate func status() throws -> JSONValue {
    try ask("status")["logic"] ?? .null
  }

  fileprivate func cups() throws -> JSONValue {
    try ask("get", #"{"property":"cups"}"#)["value"] ?? .null
  }
}

/// A request that sets the value `cups`.
private func setting(_ cups: Int, id: Int = 1) -> String {
  #"{"jsonrpc":"2.0","method":"set","params":{"property":"cups","value":\#(cups)},"id":\#(id)}"#
}

@Suite struct LogicTests {
  @Test func `a program reads events in their printed form and sets values like a client`() throws {
    let fixture = try KioskFixture()
    // The script answers the first event with a page name.
    fixture.remote?.logic.run(
      shell(
        """
        while read -r line; do
          case $line in '{"t":'*'"event":"page","page":"two"'*) echo '\(setting(3))' ;; esac
        done
        """))
    _ = try fixture.ask("go", #"{"page":"two"}"#)
    #expect(try fixture.run { try fixture.cups() == 3 })
  }

  @Test func `answers and watches arrive on the program's input`() throws {
    let fixture = try KioskFixture()
    fixture.remote?.logic.run(
      shell(
        """
        echo '{"jsonrpc":"2.0","method":"watch","params":{"expressions":["cups"]},"id":7}'
        while read -r line; do echo "$line" >&2; done
        """))
    #expect(try fixture.run { fixture.log.contains { $0.contains(#""id":7"#) } })
    _ = try fixture.ask("set", #"{"property":"cups","value":5}"#)
    #expect(
      try fixture.run { fixture.log.contains { $0.hasSuffix(#""watch":"cups","value":5}"#) } })
    #expect(fixture.log.contains { $0.hasPrefix(#"brain: {"t":"#) })
  }

  @Test func `a program that exits is restarted with growing delays, shown in status`() throws {
    let fixture = try KioskFixture()
    fixture.remote?.logic.run(shell("exit 3"))
    #expect(try fixture.run { try fixture.status()["state"] == "waiting" })
    let status = try fixture.status()
    #expect(status["program"] == "brain" && status["starts"] == 1)
    #expect(status["last_end"] == "exited with status 3")
    #expect((status["next_start"]?.number ?? 9) <= 1)
    #expect(try fixture.run { try fixture.status()["starts"] == 2 })
    #expect(try fixture.run { fixture.log.contains { $0.contains("restarting in 2 s") } })
  }

  @Test func `a program that can't be started doesn't end the kiosk`() throws {
    let fixture = try KioskFixture()
    fixture.remote?.logic.run(.init(name: "lost", arguments: ["/nowhere/lost"]))
    let status = try fixture.status()
    #expect(status["state"] == "waiting")
    #expect(status["last_end"]?.string?.contains("No such file") == true)
  }

  @Test func `another program starts once the previous one has exited`() throws {
    let fixture = try KioskFixture()
    fixture.remote?.logic.run(shell("trap 'exit 0' TERM; while :; do sleep 0.01; done"))
    let first = try fixture.status()["process"]
    let next = shell("echo '\(setting(6))'; read -r answer; sleep 600")
    fixture.remote?.logic.run(next)
    #expect(try fixture.run { try fixture.cups() == 6 })
    let second = try fixture.status()["process"]
    #expect(first != second)
    // The same program keeps running.
    fixture.remote?.logic.run(next)
    #expect(try fixture.status()["process"] == second)
    fixture.remote?.logic.run(nil)
    #expect(try fixture.status() == .null)
    #expect(try fixture.run { kill(Int32(second?.integer ?? 1), 0) == -1 })
  }

  @Test func `the program and its children end with the kiosk`() throws {
    let fixture = try KioskFixture()
    // The background process must be ended separately, because it outlives its parent.
    fixture.remote?.logic.run(shell("sleep 600 & echo $! >&2; trap '' TERM; sleep 600"))
    #expect(try fixture.run { fixture.log.count == 2 })
    let own = try #require(try fixture.status()["process"]?.integer)
    let child = try #require(fixture.log.last.flatMap { Int32($0.dropFirst("brain: ".count)) })
    fixture.remote?.logic.end(by: MonotonicClock.now + 0.05)
    #expect(kill(Int32(own), 0) == -1)
    // The process isn't a child of the test, so it may be a zombie until init reaps it.
    #expect(try fixture.run { !isRunning(child) })
  }

  @Test func `a program that exits on its own leaves no children behind`() throws {
    let fixture = try KioskFixture()
    fixture.remote?.logic.run(shell("sleep 600 & echo $! >&2; exit 1"))
    #expect(try fixture.run { fixture.log.contains { $0.contains("restarting") } })
    let line = fixture.log.first { $0.hasPrefix("brain: ") }
    let child = try #require(line.flatMap { Int32($0.dropFirst("brain: ".count)) })
    #expect(try fixture.run { !isRunning(child) })
  }

  private func isRunning(_ process: Int32) -> Bool {
    guard let stat = try? OwnedDescriptor(opening: "/proc/\(process)/stat", O_RDONLY),
      let text = try? stat.receive(upTo: 4096)
    else { return false }
    return !String(decoding: text, as: UTF8.self).contains(") Z ")
  }

  @Test func `garbage is reported once and ignored`() throws {
    let fixture = try KioskFixture()
    fixture.remote?.logic.run(
      shell(
        #"printf 'garbage\n\377\376{\n[[[[\n{"jsonrpc":1}\n'; echo '\#(setting(4))'; sleep 600"#))
    #expect(try fixture.run { try fixture.cups() == 4 })
    #expect(fixture.log.count { $0.contains("invalid request") } == 1)
  }

  @Test func `a program that floods its output and never reads leaves time for others`() throws {
    let fixture = try KioskFixture()
    fixture.remote?.logic.run(
      shell("yes '\(setting(2))' & yes 'a message' >&2 & sleep 600"))
    #expect(try fixture.run { try fixture.cups() == 2 })
    for _ in 0..<20 { _ = try fixture.ask("go", #"{"page":"one"}"#) }
    #expect(try fixture.status()["state"] == "running")
    // At most 400 lines per interval, however many turns there were.
    let seconds = try #require(try fixture.ask("status")["uptime"]?.number)
    #expect(Double(fixture.log.count) < 1000 + 400 * 50 * (seconds + 0.1))
    let kept = try #require(try fixture.ask("status")["client_work"]?["kept_bytes"]?.integer)
    #expect(kept < 2 << 20)
  }

  @Test func `a program that closes its output still receives events`() throws {
    let fixture = try KioskFixture()
    fixture.remote?.logic.run(
      shell("exec >&-; while read -r line; do echo \"heard $line\" >&2; done"))
    _ = try fixture.ask("go", #"{"page":"two"}"#)
    #expect(try fixture.run { fixture.log.contains { $0.contains("heard") && $0.contains("two") } })
    // The end of its output is reported only once.
    let before = fixture.loop.wakeUps
    let end = MonotonicClock.now + 0.1
    while MonotonicClock.now < end { try fixture.loop.turn(until: end) }
    #expect(fixture.loop.wakeUps - before < 100)
  }

  @Test func `a message that is too long ends the program`() throws {
    let fixture = try KioskFixture()
    fixture.remote?.logic.run(shell("head -c 2000000 /dev/zero | tr '\\0' x; sleep 600"))
    #expect(try fixture.run { try fixture.status()["state"] == "waiting" })
    #expect(try fixture.status()["last_end"] == "was killed by signal 15")
  }
}
