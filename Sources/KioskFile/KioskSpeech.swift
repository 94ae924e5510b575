// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import Kiosk

extension Table where Value == SpeechSettings {
  static let speech = Table("speech", "Spoken output for users who can't see the screen.") { keys in
    keys.optional(
      "voice", .word("the name of a voice"),
      "The voice for the first language, as named by the speech program. The default is the language's voice.",
      at: \SpeechSettings.voice)
    keys.optional(
      "rate", .number(SpeechSettings.rates), default: 1,
      "The speed, as a multiple of the voice's normal speed.", at: \SpeechSettings.rate)
    let starts = keys.optional(
      "start", .starts, default: "key",
      "The event that starts speech, or a list of events: key, the first key; jack, a headset; fingers, two fingers resting for 2 s; always."
    )
    let program = keys.optional(
      "program", .program,
      "The speech program and its arguments, which may contain {language}, {rate} and {words} (words per minute). It reads text and writes a WAV file. The default is espeak-ng."
    )
    return { fields in
      var speech = SpeechSettings()
      speech.starts = Set(fields[starts])
      if let program = fields[program] { speech.program = program }
      return speech
    }
  }
}

extension Form where Value == [SpeechSettings.Start] {
  fileprivate static var starts: Form {
    let start = Form<SpeechSettings.Start>.choice([
      "key": .key, "jack": .jack, "fingers": .fingers, "always": .always,
    ])
    return start.map { [$0] }.or(start.list("starts"))
  }
}
