// SPDX-License-Identifier: MIT

import RoundelAudio
import RoundelControls
import RoundelExpressions
import Glibc
import HostSupport
import RoundelJSON
import Kiosk
import KioskHost
import KioskProtocol
import LinuxIO
import RoundelMotion
import RoundelRuntime
import Testing

/// A kiosk that speaks with a shell script, which records its input in the file `said`.
private struct SpeechFixture {
  let fixture: KioskFixture

  init(_ script: String, start: String = "key", label: String = "One") throws {
    fixture = try KioskFixture("", isManaged: false)
    let program = try fixture.folder.write(script, to: "voice.sh")
    try fixture.folder.write(
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
    try fixture.start()
  }

  func press(_ key: Keystroke) throws {
    fixture.cycle?.press(.keystroke(key), time: fixture.clock.now)
    try fixture.advance(by: 0)
  }

  /// The lines that the script recorded.
  func spokenLines() throws -> [String] {
    (try fixture.folder.text(of: "said") ?? "").split(separator: "\n").map(String.init)
  }

  /// The process ids recorded in a file.
  func processes(in file: String) throws -> [pid_t] {
    try (fixture.folder.text(of: file) ?? "").split(separator: "\n").compactMap { pid_t($0) }
  }

  func failures() throws -> [String] {
    try fixture.events(named: "failed").compactMap { $0["message"]?.string }
  }

  /// The frame counts of the spoken sounds, and nil for each interruption.
  var spoken: [Int?] { fixture.sounds.spoken.map { $0?.frameCount } }
}

/// Records its arguments and input, and writes a sound of four frames with unknown length.
private let voice = #"""
  dir=${0%/*}
  text=$(cat; echo .)
  [ "$text" = . ] || echo "$1 $2 ${text%.}" | head -1 >> "$dir/said"
  printf 'RIFF\044\360\377\177WAVEfmt \020\000\000\000\001\000\001\000\000\040\000\000\000\100\000\000'
  printf '\002\000\020\000data\000\360\377\177\001\000\002\000\003\000\004\000'
  """#

@Suite(.timeLimit(.minutes(2))) struct SpeechProgramTests {
  @Test func `each text gets its own process, and the resulting sound is played`() throws {
    let speech = try SpeechFixture(voice)
    try speech.press(.next)
    try speech.fixture.run { speech.spoken.compactMap(\.self).count == 2 }
    #expect(
      try speech.spokenLines() == ["en+f3 1.5 first", "en+f3 1.5 One, button, Enter chooses it"])
    #expect(speech.spoken.compactMap(\.self) == [4, 4])
    #expect(try speech.failures() == [])
    try speech.fixture.cycle?.perform { engine in try engine.set(.language, to: .text("de")) }
    try speech.fixture.advance(by: 0)
    try speech.fixture.run { try speech.spokenLines().count == 4 }
    #expect(try speech.spokenLines().last?.hasPrefix("de 1.5 One, Taste") == true)
  }

  @Test func `text longer than 4000 bytes is cut between characters`() throws {
    let speech = try SpeechFixture(voice, label: "x" + String(repeating: "é", count: 3_000))
    try speech.press(.next)
    try speech.fixture.run { try speech.spokenLines().count == 2 }
    let message = try #require(try speech.spokenLines().last)
    #expect(message == "en+f3 1.5 x" + String(repeating: "é", count: 1_999))
  }

  @Test func `a key interrupts the current utterance and drops pending ones`() throws {
    let speech = try SpeechFixture(
      """
      echo $$ >> ${0%/*}/started
      cat >> ${0%/*}/said
      echo $$ >> ${0%/*}/speaking
      sleep 1000
      """)
    try speech.press(.next)
    // The process for the next utterance may even start before this one.
    try speech.fixture.run { try !speech.processes(in: "speaking").isEmpty }
    let first = try #require(try speech.processes(in: "speaking").first)
    #expect(try speech.spokenLines() == ["first"])
    try speech.press(.next)
    try speech.fixture.run { try speech.spokenLines().last == "Two, button, Enter chooses it" }
    #expect(try !speech.spokenLines().contains("One, button, Enter chooses it"))
    #expect(speech.spoken.contains(nil))
    try speech.fixture.run { kill(first, 0) != 0 }
    speech.fixture.stop()
    // No process is left, neither running nor as a zombie.
    for process in try speech.processes(in: "started") { #expect(kill(process, 0) != 0) }
  }

  @Test(arguments: [
    ("exit 3", "exited with status 3"), ("cat; echo no sound", "wrote no sound"),
    ("cat > /dev/null; yes", "wrote more than 32 MiB"),
  ])
  func `a failing program is one failure, and the kiosk continues`(script: String, why: String)
    throws
  {
    let speech = try SpeechFixture(script)
    for _ in 0..<3 {
      try speech.press(.next)
      try speech.fixture.run { try !speech.failures().isEmpty }
    }
    #expect(try speech.failures().count == 1)
    #expect(try speech.failures().first?.contains(why) == true)
    #expect(speech.fixture.cycle?.engine.focusedControl == "a")
  }

  @Test func `a hanging program is killed`() throws {
    let speech = try SpeechFixture("cat >> ${0%/*}/said; sleep 1000")
    try speech.press(.next)
    try speech.fixture.run { try speech.spokenLines() == ["first"] }
    try speech.fixture.advance(by: 60)
    #expect(try speech.failures().count == 1)
    #expect(try speech.failures().first?.contains("did not exit within") == true)
  }

  @Test func `a missing program is one failure`() throws {
    let speech = try SpeechFixture(voice)
    speech.fixture.folder.remove("voice.sh")
    try speech.press(.next)
    try speech.fixture.run { try !speech.failures().isEmpty }
    try speech.press(.next)
    try speech.fixture.advance(by: 1)
    #expect(try speech.failures().count == 1)
  }

  @Test func `a program without output may speak itself`() throws {
    let speech = try SpeechFixture("cat >> ${0%/*}/said")
    try speech.press(.next)
    try speech.fixture.run { try speech.spokenLines().count == 2 }
    #expect(speech.spoken.allSatisfy { $0 == nil })
    #expect(try speech.failures() == [])
  }

  @Test func `no process runs while speech is off`() throws {
    let speech = try SpeechFixture("echo $$ >> ${0%/*}/started; cat > /dev/null", start: "jack")
    try speech.press(.next)
    try speech.fixture.advance(by: 5)
    #expect(try speech.fixture.folder.text(of: "started") == nil)
  }

  @Test func `PIN keys sound tones`() {
    let tone = Sound.tone(gain: 1)
    #expect(tone.seconds > 0.05 && tone.seconds < 0.5)
    let loud = tone.amplified(by: 100)
    #expect(loud.samples.max() == .max && loud.samples.min() == .min)
  }
}
