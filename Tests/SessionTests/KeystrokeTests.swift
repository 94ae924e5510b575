// SPDX-License-Identifier: MIT

import RoundelControls
import Kiosk
import RoundelMotion
import RoundelSession
import Testing

@Suite struct KeystrokeTests {
  @Test(arguments: Keystroke.allCases)
  func `a key is recorded by name and read back`(_ key: Keystroke) throws {
    let line = SessionLine(Command.key(key), at: Instant(seconds: 1)).text
    #expect(line == "{\"t\":1.000,\"key\":\"\(key.rawValue)\"}")
    let steps = try Recording(Array(line.utf8), path: "r.jsonl").steps
    #expect(steps.map(\.what) == [.command(.key(key))])
  }

  @Test(arguments: [
    ("true", Command.key(KeyPress.keystroke(.enter), .down)),
    ("false", .key(KeyPress.keystroke(.enter), .up)),
    ("\"cancel\"", .key(KeyPress.keystroke(.enter), .cancel)),
  ])
  func `a held key is recorded with its name and whether it is down`(
    _ down: String, _ command: Command
  ) throws {
    let line = SessionLine(command, at: Instant(seconds: 1)).text
    #expect(line == "{\"t\":1.000,\"key\":{\"name\":\"enter\",\"down\":\(down)}}")
    let steps = try Recording(Array(line.utf8), path: "r.jsonl").steps
    #expect(steps.map(\.what) == [.command(command)])
  }

  @Test(arguments: ["\"rihgt\"", "true", "[\"left\"]", "{\"name\":\"enter\",\"down\":3}"])
  func `the error for an unknown key lists all keys`(_ value: String) {
    #expect {
      try Recording(Array("{\"t\":1,\"key\":\(value)}".utf8), path: "r.jsonl")
    } throws: { error in
      "\(error)".contains(
        "r.jsonl:1: error: \"key\" takes one of left, right, up, down, next, previous, enter, back")
    }
  }
}
