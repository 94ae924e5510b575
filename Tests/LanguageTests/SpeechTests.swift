// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import TestSupport
import Testing

extension Guest {
  fileprivate mutating func press(_ keys: Keystroke..., at seconds: Double) throws {
    advance(to: seconds)
    for key in keys { try engine.apply(.key(key)) }
  }

  /// The utterances since the last call.
  fileprivate mutating func utterances() -> [String] {
    let texts = engine.takeEvents().filter { $0.name == "spoken" }.map {
      $0.fields.first?.value.display ?? ""
    }
    // The events and the audio report the same utterances.
    let heard = engine.takeUtterances().compactMap { utterance in
      if case .text(let text, _, _) = utterance { text } else { nil }
    }
    #expect(texts == heard)
    return texts
  }

  fileprivate var isSpeaking: Bool { engine.isSpeaking }
}

/// Speech for users who can't see the kiosk.
@Suite struct SpeechTests {
  private let tea = """
    - {dial: minutes, at: [100, 100], radius: 80, labels: [one, two, {label: "3", spoken: three}]}
    - {button: tea, at: [300, 100], size: [90, 90], text: Tea}
    - {button: off, at: [300, 200], size: [90, 90], text: Milk, enabled: false}
    - {toggle: light, at: [100, 300], size: [120, 80], label: Light}
    - {label: note, at: [300, 300], text: Note}
    """

  private func talking(_ controls: String, _ start: String = "key", _ head: String = "") -> String {
    page(controls, "speech: {start: \(start)}\n\(head)")
  }

  @Test func `a kiosk without speech is silent, and ignores the speech keys`() throws {
    var guest = try Guest(page(tea))
    try guest.press(.right, .repeat, .stop, .louder, at: 1)
    guest.tap(Point(300, 100), at: 2)
    #expect(guest.utterances() == [] && !guest.isSpeaking)
  }

  @Test func `the first key only speaks the page and the focus`() throws {
    var guest = try Guest(talking(tea))
    #expect(guest.utterances() == [])
    try guest.press(.enter, at: 1)
    #expect(guest.utterances() == ["home", "minutes, dial, one, 1 of 3, Enter, then the arrows"])
    #expect(guest.engine.focusedControl == "minutes")
  }

  @Test func `each detent is spoken once, by its label`() throws {
    var guest = try Guest(talking(tea))
    try guest.press(.enter, .enter, at: 1)
    _ = guest.utterances()
    try guest.press(.right, at: 2)
    guest.advance(to: 3)
    #expect(guest.utterances() == ["two"])
    try guest.press(.right, at: 4)
    guest.advance(to: 5)
    #expect(guest.utterances() == ["three"])
  }

  @Test(arguments: [
    ("dial: c, radius: 80, labels: [one, two, three]", "two"),
    ("dial: c, radius: 80, min: 5, max: 9, unit: \" h\"", "6 h"),
    ("dial: c, radius: 80, endless: true, steps_per_turn: 4", "0.25"),
    ("ring: c, radius: 80, step: 10", "10"),
    ("ring: c, radius: 80, step: 10, text: \"{c.value} °C\"", "10 °C"),
    ("picker: c, size: [150, 150], wheels: [{id: w, items: [x, y, z]}]", "y"),
    ("resistor: c, size: [180, 120]", "2 kΩ ±5 %"),
  ])
  func `each detent is spoken if a template gives the name`(
    _ control: String, _ value: String
  ) throws {
    var guest = try Guest(
      talking(
        "- {\(control), at: [100, 100], spoken: \"{texts.name}\"}", "key",
        "languages: [en, de]\ntexts: {name: {en: Warmth, de: Wärme}}"))
    try guest.press(.enter, .enter, at: 1)
    #expect(guest.utterances().contains { $0.hasPrefix("Warmth, ") })
    try guest.press(.right, at: 2)
    guest.advance(to: 4)
    #expect(guest.utterances() == [value])
  }

  @Test func `stopped reels are spoken if a template gives the name`() throws {
    var guest = try Guest(
      talking(
        """
        - {slots: c, at: [100, 100], size: [150, 150], duration: 1, spoken: "{texts.name}",
           reels: [{id: a, items: [x]}, {id: b, items: [y]}]}
        """, "key", "languages: [en]\ntexts: {name: {en: Luck}}"))
    try guest.press(.enter, .enter, at: 1)
    _ = guest.utterances()
    guest.advance(to: 4)
    #expect(guest.utterances() == ["x, y"])
  }

  @Test func `speech follows the focus, selections and switches`() throws {
    var guest = try Guest(talking(tea))
    try guest.press(.enter, .next, at: 1)
    #expect(guest.utterances().last == "Tea, button, Enter chooses it")
    try guest.press(.enter, at: 2)
    #expect(guest.utterances() == ["Tea, chosen"])
    try guest.press(.next, at: 3)
    #expect(guest.utterances() == ["Light, switch, off, Enter chooses it"])
    try guest.press(.enter, at: 4)
    #expect(guest.utterances() == ["Light, on"])
  }

  @Test func `the only control of a page is spoken each time a key focuses it`() throws {
    var guest = try Guest(talking("- {button: tea, at: [300, 100], size: [90, 90], text: Tea}"))
    try guest.press(.enter, at: 1)
    _ = guest.utterances()
    for second in 2...3 {
      try guest.press(second == 2 ? .next : .left, at: Double(second))
      #expect(guest.utterances() == ["Tea, button, Enter chooses it"])
    }
  }

  @Test func `a selected leaf or row is spoken by its label`() throws {
    var guest = try Guest(
      talking(
        """
        - {menu: m, at: [100, 100], label: M, items: [{id: a, label: Ah, items: [{id: b, label: Bee}]}]}
        - {list: l, at: [300, 200], size: [180, 180], row_height: 80, items: [Ant, Bat]}
        """))
    try guest.press(.enter, .enter, .enter, at: 1)
    _ = guest.utterances()
    try guest.press(.enter, at: 2)
    #expect(guest.utterances().first == "Bee, chosen")
    try guest.press(.next, .enter, .right, at: 4)
    _ = guest.utterances()
    try guest.press(.enter, at: 5)
    #expect(guest.utterances().first == "Bat, chosen")
  }

  @Test func `a label that can be pressed is announced as a button`() throws {
    var guest = try Guest(
      talking(
        "- {label: l, at: [100, 100], text: A, on: {selected: [{emit: label}]}}", "always"))
    _ = guest.utterances()
    try guest.press(.next, at: 1)
    #expect(guest.utterances() == ["A, button, Enter chooses it"])
  }

  @Test func `phrases in the file replace built-in ones, in the current language`() throws {
    let head = """
      languages: [en, de]
      values: {cups: 2}
      texts:
        spoken_selected: {en: "You take {label} for {cups}", de: "{label}: gewählt"}
        spoken_button: {de: "{label} {state}"}
      """
    var guest = try Guest(
      talking(
        "- {button: tea, at: [300, 100], size: [90, 90], text: T, spoken: \"Tea {language}\"}",
        "always", head))
    #expect(guest.utterances() == ["home"])
    try guest.press(.enter, .enter, at: 1)
    #expect(
      guest.utterances() == ["Tea en, button, Enter chooses it", "You take Tea en for 2"])
    try guest.set("language", .text("de"))
    #expect(guest.utterances() == ["home", "Tea de"])
    try guest.press(.enter, at: 2)
    #expect(guest.utterances() == ["Tea de: gewählt"])
  }

  @Test(arguments: ["digits", "pin"])
  func `typed characters are spoken, but a PIN only sounds tones`(layout: String) throws {
    var guest = try Guest(
      talking("- {keypad: code, at: [200, 200], size: [300, 380], layout: \(layout)}"))
    try guest.press(.enter, .enter, at: 1)
    _ = guest.engine.takeUtterances()
    try guest.press(.right, .enter, .down, .enter, at: 2)
    let heard = guest.engine.takeUtterances().filter { $0 != .silence }
    let events = guest.events()
    if layout == "pin" {
      #expect(heard == [.tone, .tone, .tone, .tone])
      let digits = events.filter { $0.hasPrefix("spoken") }.joined().filter(\.isNumber)
      #expect(digits.isEmpty)
      #expect(guest["code.value"] == .text("••"))
    } else {
      let texts = heard.map { if case .text(let text, _, _) = $0 { text } else { "" } }
      #expect(texts == ["2", "2", "5", "5"])
    }
  }

  @Test func `while speech is on, a finger explores and a second tap selects`() throws {
    var guest = try Guest(talking(tea, "always"))
    _ = guest.utterances()
    try guest.tap("tea", at: 1)
    #expect(guest.utterances() == ["Tea, button"])
    try guest.tap("tea", at: 2)
    #expect(guest.utterances() == ["Tea, chosen"])
    // Disabled controls and plain labels are spoken, too.
    guest.tap(Point(300, 200), at: 3)
    guest.tap(Point(300, 300), at: 4)
    #expect(guest.utterances() == ["Milk, button, unavailable", "Note"])
    // Controls under a moving finger are spoken.
    guest.touch(.down, Point(300, 300), at: 5)
    guest.touch(.up, Point(300, 300), at: 5.1)
    guest.touch(.down, Point(390, 390), at: 5.5)
    guest.touch(.move, Point(300, 100), at: 6)
    guest.touch(.move, Point(310, 110), at: 6.1)
    guest.touch(.move, Point(100, 300), at: 6.2)
    guest.touch(.up, Point(100, 300), at: 6.3)
    #expect(guest.utterances() == ["Tea, button", "Light, switch, off"])
    #expect(guest["light.value"] == .flag(false))
  }

  @Test func `repeat, rate and volume work, and are reset for the next guest`() throws {
    var guest = try Guest(
      talking(tea).replacing("[400, 400]", with: "[400, 400], home_after: 60"))
    try guest.press(.next, at: 1)
    let first = guest.utterances()
    try guest.press(.repeat, at: 2)
    #expect(guest.utterances() == first)
    try guest.press(.faster, .louder, at: 3)
    #expect(guest.utterances() == ["faster", "louder"])
    #expect(guest.engine.speechRate == 1.25 && guest.engine.speechGain > 1)
    for _ in 0..<20 { try guest.press(.slower, .quieter, at: 4) }
    #expect(guest.engine.speechRate == 0.5 && guest.engine.speechGain > 0)
    _ = guest.utterances()
    guest.advance(to: 64)
    #expect(!guest.isSpeaking && guest.engine.speechRate == 1 && guest.engine.speechGain == 1)
    #expect(guest.utterances() == [])
  }

  @Test func `stop ends speech for this guest, and repeat restarts it`() throws {
    var guest = try Guest(talking(tea))
    try guest.press(.next, .stop, at: 1)
    _ = guest.utterances()
    try guest.press(.next, .next, at: 2)
    #expect(guest.utterances() == [] && !guest.isSpeaking)
    try guest.press(.repeat, at: 3)
    #expect(guest.utterances().first == "home" && guest.isSpeaking)
  }

  @Test func `plugging in a headset starts speech, and unplugging ends it`() throws {
    var guest = try Guest(talking(tea, "jack"))
    try guest.press(.next, at: 1)
    #expect(guest.utterances() == [])
    try guest.engine.apply(.jack(true))
    #expect(guest.isSpeaking && guest.utterances().first == "home")
    try guest.engine.apply(.jack(false))
    #expect(!guest.isSpeaking && guest.engine.takeUtterances() == [.silence])
  }

  @Test func `two fingers resting for two seconds toggle speech and press nothing`() throws {
    var guest = try Guest(talking(tea, "[fingers]"))
    func rest(_ guest: inout Guest, at seconds: Double, for time: Double) {
      guest.touch(.down, Point(300, 100), at: seconds)
      guest.touch(.down, Point(200, 380), at: seconds + 0.1, finger: 1)
      guest.advance(to: seconds + 0.1 + time)
      guest.touch(.up, Point(300, 100), at: seconds + 0.2 + time)
      guest.touch(.up, Point(200, 380), at: seconds + 0.3 + time, finger: 1)
    }
    rest(&guest, at: 1, for: 1.7)
    #expect(!guest.isSpeaking)
    rest(&guest, at: 5, for: 2)
    #expect(guest.isSpeaking && guest.utterances().contains("home"))
    rest(&guest, at: 10, for: 2)
    #expect(!guest.isSpeaking)
    guest.advance(to: 20)
    #expect(!guest.isSpeaking)
  }

  @Test func `any touch or key interrupts an utterance`() throws {
    var guest = try Guest(talking(tea, "always"))
    _ = guest.engine.takeUtterances()
    guest.touch(.down, Point(390, 10), at: 1)
    #expect(guest.engine.takeUtterances() == [.silence])
    try guest.press(.next, at: 2)
    #expect(guest.engine.takeUtterances().first == .silence)
  }

  @Test func `a label with its own spoken text is spoken when it changes`() throws {
    var guest = try Guest(
      talking(
        """
        - {button: ok, at: [100, 100], size: [90, 90], on: {selected: [{set: {n: "{n + 1}"}}]}}
        - {label: shown, at: [300, 100], text: "{n}", spoken: "{n} tries left"}
        - {label: quiet, at: [300, 200], text: "{n}"}
        """, "key", "values: {n: 1}"))
    try guest.press(.next, .enter, at: 1)
    #expect(guest.utterances().suffix(2) == ["ok, chosen", "2 tries left"])
  }

  @Test func `keys reach pages, labels and images with actions`() throws {
    var guest = try Guest(
      page(
        """
        - {label: l, at: [100, 100], text: A, on: {selected: [{emit: label}]}}
        - {button: b, at: [300, 100], size: [90, 90]}
        """
      ).replacing(
        "  - page: home", with: "  - page: home\n    on: {selected: [{emit: ground}]}"))
    try guest.press(.next, .enter, at: 1)
    #expect(guest.events("emit") == ["emit(name label) by action"])
    try guest.press(.next, .next, .enter, at: 2)
    #expect(guest.events("emit") == ["emit(name ground) by action"])
    try guest.press(.next, at: 3)
    #expect(guest.engine.focusedControl == "l")
  }

  /// The utterances with their languages since the last call.
  private func spoken(_ guest: inout Guest) -> [String] {
    guest.engine.takeUtterances().compactMap { utterance in
      if case .text(let text, let language, _) = utterance { "\(language): \(text)" } else { nil }
    }
  }

  @Test func `a control and an item with lang are spoken in that language`() throws {
    var guest = try Guest(
      talking(
        """
        - {button: stop, at: [100, 100], size: [90, 90], text: قف, lang: ar}
        - {button: go, at: [100, 300], size: [90, 90], text: Los}
        - list: language
          at: [300, 200]
          size: [180, 200]
          row_height: 60
          items: [{id: de, label: Deutsch}, {id: ar, label: العربية, lang: ar}]
        """, "key", "languages: [de]"))
    try guest.press(.down, at: 1)
    #expect(spoken(&guest) == ["de: home", "ar: قف، زر، زر الإدخال يختاره"])
    try guest.press(.down, at: 2)
    #expect(spoken(&guest) == ["de: Los, Taste, Eingabe wählt es"])
    try guest.press(.down, .enter, .down, at: 3)
    #expect(spoken(&guest).suffix(2) == ["de: Deutsch, 1 von 2", "ar: العربية، 2 من 2"])
    try guest.press(.enter, at: 4)
    #expect(spoken(&guest) == ["ar: العربية، تم الاختيار"])
    try guest.press(.repeat, at: 5)
    #expect(spoken(&guest) == ["ar: العربية، تم الاختيار"])
  }

  @Test func `lang shapes the text of a control and an item`() throws {
    let guest = try Guest(
      page(
        """
        - {button: stop, at: [100, 100], size: [90, 90], text: One, lang: ar}
        - list: language
          at: [300, 200]
          size: [180, 200]
          row_height: 60
          items: [{id: de, label: Two}, {id: ar, label: Three, lang: ar}]
        - {dial: d, at: [100, 300], radius: 80, labels: [Four, {label: Five, lang: ar}]}
        """, "languages: [de]"))
    let runs = guest.engine.displayList.items.flatMap(\.tiles).compactMap { tile -> TextRun? in
      if case .text(let run) = tile.shape { run } else { nil }
    }
    let languages = Dictionary(runs.map { ($0.text, $0.font.language) }) { $1 }
    for text in ["One", "Three", "Five"] { #expect(languages[text] == "ar", "\(text)") }
    for text in ["Two", "Four"] { #expect(languages[text] == "de", "\(text)") }
  }

  @Test func `spoken is the name, and the value is still said`() throws {
    var guest = try Guest(
      talking(
        """
        - {ring: heat, at: [100, 100], radius: 80, min: 0, max: 30, step: 1, value: 21, spoken: "Heat of {texts.room}"}
        """, "key", "languages: [en]\ntexts: {room: {en: the kitchen}}"))
    try guest.press(.down, at: 1)
    #expect(guest.utterances().last?.hasPrefix("Heat of the kitchen, slider, 21") == true)
  }

  @Test func `a language without sentences is one error that lists all missing ones`() {
    let file = talking(tea, "key", "languages: [en, pl]")
    let found = diagnostics(file)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.contains("speech has no sentences in \"pl\"") == true, "\(found)")
    for phrase in Phrase.all { #expect(found.first?.contains(phrase.name) == true) }
    #expect(diagnostics(file.replacing("en, pl", with: "tr, uk-UA")) == [])
    #expect(diagnostics(page(tea, "languages: [en, pl]")) == [])
  }

  @Test(arguments: Phrase.languages)
  func `each built-in phrase is a valid template in each language`(language: String) {
    for phrase in Phrase.all {
      let (name, words) = (phrase.name, phrase.words(in: language))
      #expect(!words.isEmpty, "\(name)")
      let file = page("- {label: l, at: [100, 100], text: A}", "languages: [\(language)]")
        .replacing("pages:", with: "texts: {\(name): {\(language): \"\(words)\"}}\npages:")
      #expect(throws: Never.self, "\(name)") { try Guest.description(file) }
    }
  }

  /// Random operation of one kiosk: the utterances match the events at any frame rate.
  @Test func `random keys speak the same at any frame rate`() throws {
    var generator = SeededGenerator(seed: 7)
    let keys = Keystroke.allCases
    let steps = (0..<200).map { _ in
      (Double.random(in: 0.01...0.5, using: &generator), keys.randomElement(using: &generator))
    }
    func texts(frame: Double?) throws -> [String] {
      var guest = try Guest(talking(tea, "always"))
      var texts: [String] = []
      var now = 0.0
      for (pause, key) in steps {
        let next = now + pause
        while let frame, now + frame < next {
          now += frame
          guest.advance(to: now)
        }
        now = next
        try guest.press(key ?? .next, at: now)
        texts += guest.utterances()
      }
      return texts
    }
    let exact = try texts(frame: nil)
    #expect(exact.count > 50)
    #expect(try texts(frame: 1.0 / 60) == exact)
  }
}
