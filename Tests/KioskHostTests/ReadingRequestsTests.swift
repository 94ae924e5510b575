// SPDX-License-Identifier: MIT

import Kiosk
import Testing

@testable import KioskHost

@Suite struct ReadingRequestsTests {
  private final class Answers {
    var names: [String] = []
  }

  @Test func `requests during a reload are answered by one more reload`() {
    var requests = ReadingRequests()
    let answers = Answers()
    func add(_ name: String) -> Bool { requests.add(by: .time) { _ in answers.names.append(name) } }
    func end() -> Bool {
      let (handlers, beginsAnother) = requests.end()
      for handler in handlers { handler(nil) }
      return beginsAnother
    }
    #expect(add("a"))
    #expect(!add("b") && !add("c"))
    #expect(end())
    #expect(answers.names == ["a"])
    #expect(!add("d"))
    #expect(end())
    #expect(answers.names == ["a", "b", "c"])
    #expect(!end())
    #expect(answers.names == ["a", "b", "c", "d"])
    #expect(add("e"))
  }

  @Test func `a reload is attributed to a command if any waiting request came from a command`() {
    var requests = ReadingRequests()
    _ = requests.add(by: .time) { _ in }
    _ = requests.add(by: .command) { _ in }
    _ = requests.add(by: .time) { _ in }
    #expect(requests.cause == .time)
    _ = requests.end()
    #expect(requests.cause == .command)
  }
}
