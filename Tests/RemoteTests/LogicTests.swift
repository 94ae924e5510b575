// SPDX-License-Identifier: MIT

import Declarations
import Glibc
import JSON
import LinuxIO
import Motion
import JSONRPC
import KioskService
import Testing

/// A kiosk's logic program that runs a shell script.
private func shell(_ script: String) -> LogicProgram.Command {
  LogicProgram.Command(name: "brain", arguments: ["/bin/sh", "-c", script])
}

extension KioskStand {
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
    let stand = try KioskStand()
    // The script answers the first event with a page name.
    stand.remote?.logic.run(
      shell(
        """
        while read -r line; do
          case $line in '{"t":'*'"event":"page","page":"two"'*) echo '\(setting(3))' ;; esac
        done
        """))
    _ = try stand.ask("go", #"{"page":"two"}"#)
    #expect(try stand.run { try stand.cups() == 3 })
  }

  @Test func `answers and watches arrive on the program's input`() throws {
    let stand = try KioskStand()
    stand.remote?.logic.run(
      shell(
        """
        echo '{"jsonrpc":"2.0","method":"watch","params":{"expressions":["cups"]},"id":7}'
        while read -r line; do echo "$line" >&2; done
        """))
    #expect(try stand.run { stand.log.contains { $0.contains(#""id":7"#) } })
    _ = try stand.ask("set", #"{"property":"cups","value":5}"#)
    #expect(
      try stand.run { stand.log.contains { $0.hasSuffix(#""watch":"cups","value":5}"#) } })
    #expect(stand.log.contains { $0.hasPrefix(#"brain: {"t":"#) })
  }

  @Test func `a program that exits is restarted with growing delays, shown in status`() throws {
    let stand = try KioskStand()
    stand.remote?.logic.run(shell("exit 3"))
    #expect(try stand.run { try stand.status()["state"] == "waiting" })
    let status = try stand.status()
    #expect(status["program"] == "brain" && status["starts"] == 1)
    #expect(status["last_end"] == "exited with status 3")
    #expect((status["next_start"]?.number ?? 9) <= 1)
    #expect(try stand.run { try stand.status()["starts"] == 2 })
    #expect(try stand.run { stand.log.contains { $0.contains("started again in 2 s") } })
  }

  @Test func `a program that can't be started doesn't end the kiosk`() throws {
    let stand = try KioskStand()
    stand.remote?.logic.run(.init(name: "lost", arguments: ["/nowhere/lost"]))
    let status = try stand.status()
    #expect(status["state"] == "waiting")
    #expect(status["last_end"]?.string?.contains("No such file") == true)
  }

  @Test func `another program starts once the previous one has exited`() throws {
    let stand = try KioskStand()
    stand.remote?.logic.run(shell("trap 'exit 0' TERM; while :; do sleep 0.01; done"))
    let first = try stand.status()["process"]
    let next = shell("echo '\(setting(6))'; read -r answer; sleep 600")
    stand.remote?.logic.run(next)
    #expect(try stand.run { try stand.cups() == 6 })
    let second = try stand.status()["process"]
    #expect(first != second)
    // The same program keeps running.
    stand.remote?.logic.run(next)
    #expect(try stand.status()["process"] == second)
    stand.remote?.logic.run(nil)
    #expect(try stand.status() == .null)
    #expect(try stand.run { kill(Int32(second?.integer ?? 1), 0) == -1 })
  }

  @Test func `the program and its children end with the kiosk`() throws {
    let stand = try KioskStand()
    // The background process must be ended separately, because it outlives its parent.
    stand.remote?.logic.run(shell("sleep 600 & echo $! >&2; trap '' TERM; sleep 600"))
    #expect(try stand.run { stand.log.count == 2 })
    let own = try #require(try stand.status()["process"]?.integer)
    let child = try #require(stand.log.last.flatMap { Int32($0.dropFirst("brain: ".count)) })
    stand.remote?.logic.end(by: MonotonicClock.now + 0.05)
    #expect(kill(Int32(own), 0) == -1)
    // The process isn't a child of the test, so it may be a zombie until init reaps it.
    #expect(try stand.run { !isRunning(child) })
  }

  @Test func `a program that exits on its own leaves no children behind`() throws {
    let stand = try KioskStand()
    stand.remote?.logic.run(shell("sleep 600 & echo $! >&2; exit 1"))
    #expect(try stand.run { stand.log.contains { $0.contains("started again") } })
    let line = stand.log.first { $0.hasPrefix("brain: ") }
    let child = try #require(line.flatMap { Int32($0.dropFirst("brain: ".count)) })
    #expect(try stand.run { !isRunning(child) })
  }

  private func isRunning(_ process: Int32) -> Bool {
    guard let stat = try? OwnedDescriptor(opening: "/proc/\(process)/stat", O_RDONLY),
      let text = try? stat.receive(upTo: 4096)
    else { return false }
    return !String(decoding: text, as: UTF8.self).contains(") Z ")
  }

  @Test func `garbage is reported once and ignored`() throws {
    let stand = try KioskStand()
    stand.remote?.logic.run(
      shell(
        #"printf 'garbage\n\377\376{\n[[[[\n{"jsonrpc":1}\n'; echo '\#(setting(4))'; sleep 600"#))
    #expect(try stand.run { try stand.cups() == 4 })
    #expect(stand.log.count { $0.contains("not a request") } == 1)
  }

  @Test func `a program that floods its output and never reads leaves time for others`() throws {
    let stand = try KioskStand()
    stand.remote?.logic.run(
      shell("yes '\(setting(2))' & yes 'a message' >&2 & sleep 600"))
    #expect(try stand.run { try stand.cups() == 2 })
    for _ in 0..<20 { _ = try stand.ask("go", #"{"page":"one"}"#) }
    #expect(try stand.status()["state"] == "running")
    // At most 400 lines per interval, however many turns there were.
    let seconds = try #require(try stand.ask("status")["uptime"]?.number)
    #expect(Double(stand.log.count) < 1000 + 400 * 50 * (seconds + 0.1))
    let kept = try #require(try stand.ask("status")["client_work"]?["kept_bytes"]?.integer)
    #expect(kept < 2 << 20)
  }

  @Test func `a program that closes its output still receives events`() throws {
    let stand = try KioskStand()
    stand.remote?.logic.run(
      shell("exec >&-; while read -r line; do echo \"heard $line\" >&2; done"))
    _ = try stand.ask("go", #"{"page":"two"}"#)
    #expect(try stand.run { stand.log.contains { $0.contains("heard") && $0.contains("two") } })
    // The end of its output is reported only once.
    let before = stand.loop.wakeUps
    let end = MonotonicClock.now + 0.1
    while MonotonicClock.now < end { try stand.loop.turn(until: end) }
    #expect(stand.loop.wakeUps - before < 100)
  }

  @Test func `a message that is too long ends the program`() throws {
    let stand = try KioskStand()
    stand.remote?.logic.run(shell("head -c 2000000 /dev/zero | tr '\\0' x; sleep 600"))
    #expect(try stand.run { try stand.status()["state"] == "waiting" })
    #expect(try stand.status()["last_end"] == "was killed by signal 15")
  }
}
