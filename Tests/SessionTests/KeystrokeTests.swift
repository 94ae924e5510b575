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

  @Test(arguments: ["\"rihgt\"", "true", "1", "[\"left\"]"])
  func `the error for an unknown key lists all keys`(_ value: String) {
    #expect {
      try Recording(Array("{\"t\":1,\"key\":\(value)}".utf8), path: "r.jsonl")
    } throws: { error in
      "\(error)".contains(
        "r.jsonl:1: error: \"key\" takes one of left, right, up, down, next, previous, enter, back")
    }
  }
}
