// SPDX-License-Identifier: MIT

import Audio
import Controls
import Expressions
import Glibc
import HostSupport
import JSON
import Kiosk
import KioskHost
import KioskProtocol
import LinuxIO
import Motion
import Runtime
import Testing

/// A kiosk that speaks by a program of the shell, which notes what it gets in the file `said`.
private struct Talk {
  let stand: KioskStand

  init(_ script: String, start: String = "key", label: String = "One") throws {
    stand = try KioskStand("", isManaged: false)
    let program = try stand.folder.write(script, to: "voice.sh")
    try stand.folder.write(
      """
      kiosk: talk
      languages: [en, de]
      speech: {start: \(start), rate: 1.5, voice: en+f3, program: [sh, \(program), "{language}", "{rate}"]}
      pages:
        - page: first
          controls:
            - {button: a, at: [200, 200], size: [200, 200], text: \(label)}
            - {button: b, at: [600, 200], size: [200, 200], text: Two}
      """, to: "wall.yaml")
    try stand.start()
  }

  func press(_ key: Keystroke) throws {
    stand.cycle?.press(key, time: stand.clock.now)
    try stand.advance(by: 0)
  }

  /// The lines that the program has noted.
  func said() throws -> [String] {
    (try stand.folder.text(of: "said") ?? "").split(separator: "\n").map(String.init)
  }

  /// The numbers of the processes in a file to which they have written them.
  func processes(in file: String) throws -> [pid_t] {
    try (stand.folder.text(of: file) ?? "").split(separator: "\n").compactMap { pid_t($0) }
  }

  func failures() throws -> [String] {
    try stand.events(named: "failed").compactMap { $0["message"]?.string }
  }

  /// The frames of the sounds that were spoken, and nil where they were hushed.
  var spoken: [Int?] { stand.sounds.spoken.map { $0?.frameCount } }
}

/// Notes the arguments and all that it reads, and writes a sound of four frames whose length it does not know.
private let voice = #"""
  dir=${0%/*}
  text=$(cat; echo .)
  [ "$text" = . ] || echo "$1 $2 ${text%.}" | head -1 >> "$dir/said"
  printf 'RIFF\044\360\377\177WAVEfmt \020\000\000\000\001\000\001\000\000\040\000\000\000\100\000\000'
  printf '\002\000\020\000data\000\360\377\177\001\000\002\000\003\000\004\000'
  """#

@Suite(.timeLimit(.minutes(2))) struct SpeechProgramTests {
  @Test func `each text is given to a process of its own, and its sound is heard`() throws {
    let talk = try Talk(voice)
    try talk.press(.next)
    try talk.stand.run { talk.spoken.compactMap(\.self).count == 2 }
    #expect(
      try talk.said() == ["en+f3 1.5 first", "en+f3 1.5 One, button, Enter chooses it"])
    #expect(talk.spoken.compactMap(\.self) == [4, 4])
    #expect(try talk.failures() == [])
    try talk.stand.cycle?.perform { engine in try engine.set(.language, to: .text("de")) }
    try talk.stand.advance(by: 0)
    try talk.stand.run { try talk.said().count == 4 }
    #expect(try talk.said().last?.hasPrefix("de 1.5 One, Taste") == true)
  }

  @Test func `a spoken sentence longer than 4000 bytes is cut between two letters`() throws {
    let talk = try Talk(voice, label: "x" + String(repeating: "é", count: 3_000))
    try talk.press(.next)
    try talk.stand.run { try talk.said().count == 2 }
    let said = try #require(try talk.said().last)
    #expect(said == "en+f3 1.5 x" + String(repeating: "é", count: 1_999))
  }

  @Test func `a key ends what is being said, and what waits`() throws {
    let talk = try Talk(
      """
      echo $$ >> ${0%/*}/started
      cat >> ${0%/*}/said
      echo $$ >> ${0%/*}/speaking
      sleep 1000
      """)
    try talk.press(.next)
    // The process for the next text has started, too, maybe before this one.
    try talk.stand.run { try !talk.processes(in: "speaking").isEmpty }
    let first = try #require(try talk.processes(in: "speaking").first)
    #expect(try talk.said() == ["first"])
    try talk.press(.next)
    try talk.stand.run { try talk.said().last == "Two, button, Enter chooses it" }
    #expect(try !talk.said().contains("One, button, Enter chooses it"))
    #expect(talk.spoken.contains(nil))
    try talk.stand.run { kill(first, 0) != 0 }
    talk.stand.stop()
    // Nothing of it is left, neither running nor unreaped.
    for process in try talk.processes(in: "started") { #expect(kill(process, 0) != 0) }
  }

  @Test(arguments: [
    ("exit 3", "ended with status 3"), ("cat; echo no sound", "wrote no sound"),
    ("cat > /dev/null; yes", "wrote more than 32 MiB"),
  ])
  func `a program that fails is one failure, and the kiosk goes on`(script: String, why: String)
    throws
  {
    let talk = try Talk(script)
    for _ in 0..<3 {
      try talk.press(.next)
      try talk.stand.run { try !talk.failures().isEmpty }
    }
    #expect(try talk.failures().count == 1)
    #expect(try talk.failures().first?.contains(why) == true)
    #expect(talk.stand.cycle?.engine.focusedControl == "a")
  }

  @Test func `a program that hangs is given up`() throws {
    let talk = try Talk("cat >> ${0%/*}/said; sleep 1000")
    try talk.press(.next)
    try talk.stand.run { try talk.said() == ["first"] }
    try talk.stand.advance(by: 60)
    #expect(try talk.failures().count == 1)
    #expect(try talk.failures().first?.contains("did not end within") == true)
  }

  @Test func `a program that is missing is one failure`() throws {
    let talk = try Talk(voice)
    talk.stand.folder.remove("voice.sh")
    try talk.press(.next)
    try talk.stand.run { try !talk.failures().isEmpty }
    try talk.press(.next)
    try talk.stand.advance(by: 1)
    #expect(try talk.failures().count == 1)
  }

  @Test func `one that writes nothing speaks itself`() throws {
    let talk = try Talk("cat >> ${0%/*}/said")
    try talk.press(.next)
    try talk.stand.run { try talk.said().count == 2 }
    #expect(talk.spoken.allSatisfy { $0 == nil })
    #expect(try talk.failures() == [])
  }

  @Test func `while it does not speak no process runs`() throws {
    let talk = try Talk("echo $$ >> ${0%/*}/started; cat > /dev/null", start: "jack")
    try talk.press(.next)
    try talk.stand.advance(by: 5)
    #expect(try talk.stand.folder.text(of: "started") == nil)
  }

  @Test func `of a PIN tones are heard`() {
    let tone = Sound.tone(gain: 1)
    #expect(tone.seconds > 0.05 && tone.seconds < 0.5)
    let loud = tone.amplified(by: 100)
    #expect(loud.samples.max() == .max && loud.samples.min() == .min)
  }
}
