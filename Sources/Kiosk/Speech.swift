// SPDX-License-Identifier: MIT

internal import Controls
internal import Expressions

/// How a kiosk speaks.
public struct SpeechSettings: Hashable, Sendable {
  /// An event that begins speech.
  public enum Start: String, CaseIterable, Hashable, Sendable {
    /// The first key.
    case key
    /// A headset that is plugged in.
    case jack
    /// Two fingers that rest for two seconds.
    case fingers
    /// Nothing: it always speaks.
    case always
  }

  /// The voice of the kiosk's first language; nil for the language's own.
  public var voice: String?
  /// How fast it speaks; 1 is the voice's own pace.
  public var rate = 1.0
  /// The events that begin speech; any one of them does.
  public var starts: Set<Start> = [.key]
  /// The program that makes a sound of a text, and its arguments.
  public var program = standardProgram

  /// A kiosk that speaks from the first key on.
  public init() {}

  /// espeak-ng, whose pace is words a minute.
  public static let standardProgram = [
    "espeak-ng", "--stdin", "--stdout", "-b", "1", "-v", "{language}", "-s", "{words}",
  ]
  /// The words a minute at the rate 1, as espeak-ng counts them.
  private static let wordsAMinute = 175.0

  /// The rates that it may have.
  public static let rates = 0.5...4.0

  /// The program with the language, the rate and the words a minute filled in.
  package func program(language: String, rate: Double) -> [String] {
    let words = Value.number((Self.wordsAMinute * rate).rounded()).display
    let filled = [
      ("{language}", language), ("{rate}", Value.number(rate).display), ("{words}", words),
    ]
    return program.map { word in
      filled.reduce(word) { $0.replacing($1.0, with: $1.1) }
    }
  }
}

/// Something to be heard, in the order in which it is said.
public enum Utterance: Hashable, Sendable {
  /// A text. One that interrupts takes the place of all that is being said and waits.
  case text(String, language: String, interrupts: Bool)
  /// A tone in place of a letter that nobody may hear.
  case tone
  /// The present speech ends.
  case silence
}

/// The voice of a kiosk that speaks.
struct Voice: Hashable, Sendable {
  var isOn: Bool
  /// The rate; 1 is the voice's own pace.
  var rate: Double
  /// The gain, 0 … 1.7; 1 is that at first.
  var gain: Double
}

extension Engine {
  private var voice: Voice? { features.list.lazy.compactMap(\.voice).first }
  /// Whether the kiosk speaks now.
  package var isSpeaking: Bool { voice?.isOn ?? false }
  /// The rate of speech; 1 is the voice's own pace.
  package var speechRate: Double { voice?.rate ?? 1 }
  /// The gain of speech, 0 … 1.7; 1 is that at first.
  package var speechGain: Double { voice?.gain ?? 1 }
}
