// SPDX-License-Identifier: MIT

internal import Declarations
internal import Kiosk

extension Table where Value == SpeechSettings {
  static let speech = Table("speech", "How a kiosk speaks to people who do not see it.") { keys in
    let voice = keys.optional(
      "voice", .word("the name of a voice"),
      "The voice of the first language, as the program calls it; the language's.")
    let rate = keys.optional(
      "rate", .number(SpeechSettings.rates), default: 1,
      "How fast it speaks; 1 is the voice's own pace.")
    let starts = keys.optional(
      "start", .starts, default: "key",
      "What begins it, one or a list: key, the first key; jack, a headset; fingers, two that rest for 2 s; always."
    )
    let program = keys.optional(
      "program", .program,
      "What makes a sound of a text, and its arguments, in which {language}, {rate} and {words} (a minute) are filled in: it reads the text and writes a WAV; espeak-ng."
    )
    return { fields in
      var speech = SpeechSettings()
      speech.voice = fields[voice]
      speech.rate = fields[rate]
      speech.starts = Set(fields[starts])
      if let program = fields[program] { speech.program = program }
      return speech
    }
  }
}

extension Form where Value == [SpeechSettings.Start] {
  /// A single event, or a list.
  fileprivate static var starts: Form {
    let start = Form<SpeechSettings.Start>.choice([
      "key": .key, "jack": .jack, "fingers": .fingers, "always": .always,
    ])
    return start.map { [$0] }.or(start.list("starts"))
  }
}
