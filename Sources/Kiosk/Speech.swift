// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelExpressions

/// The settings of speech.
public struct SpeechSettings: Hashable, Sendable {
  /// An event that begins speech.
  public enum Start: String, CaseIterable, Hashable, Sendable {
    /// The first key.
    case key
    /// A headset is plugged in.
    case jack
    /// Two fingers rest for two seconds.
    case fingers
    /// Nothing: the kiosk always speaks.
    case always
  }

  /// The voice of the kiosk's first language, or nil for the language's own voice.
  public var voice: String?
  /// The speed. 1 is the voice's own pace.
  public var rate = 1.0
  /// The events that begin speech. Any of them suffices.
  public var starts: Set<Start> = [.key]
  /// The program that converts text to sound, and its arguments.
  public var program = standardProgram

  /// Settings that start speech at the first key.
  public init() {}

  /// espeak-ng, whose speed is in words per minute.
  public static let standardProgram = [
    "espeak-ng", "--stdin", "--stdout", "-b", "1", "-v", "{language}", "-s", "{words}",
  ]
  /// The words per minute at rate 1, as espeak-ng counts them.
  private static let wordsAMinute = 175.0

  /// The range of `rate`.
  public static let rates = 0.5...4.0

  /// Fills in the language, the rate and the words per minute.
  package func program(language: String, rate: Double) -> [String] {
    let words = Value.number((Self.wordsAMinute * rate).rounded()).display
    let filled = [
      ("{language}", language), ("{rate}", Value.number(rate).display), ("{words}", words),
    ]
    return program.map { word in filled.reduce(word) { $0.replacing($1.0, with: $1.1) } }
  }
}

/// An utterance or a tone. Utterances are spoken in order.
public enum Utterance: Hashable, Sendable {
  /// Speech. If it interrupts, it replaces current and waiting speech.
  case text(String, language: String, interrupts: Bool)
  /// A tone instead of a secret character.
  case tone
  /// The end of current speech.
  case silence
}

struct Voice: Hashable, Sendable {
  var isOn: Bool
  var rate: Double
  var gain: Double
}

extension Engine {
  private var voice: Voice? { features.list.lazy.compactMap(\.voice).first }
  package var isSpeaking: Bool { voice?.isOn ?? false }
  /// The rate of speech. 1 is the voice's own pace.
  package var speechRate: Double { voice?.rate ?? 1 }
  /// The gain of speech, 0 … 1.7. The initial gain is 1.
  package var speechGain: Double { voice?.gain ?? 1 }
}
