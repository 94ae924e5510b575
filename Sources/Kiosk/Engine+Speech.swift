// SPDX-License-Identifier: MIT

internal import Controls
internal import Drawing
internal import Expressions
internal import Geometry
internal import Motion

/// Speech: another reader of events, pages and the focus. At the end of each turn it says what has happened in
/// the turn, and then what has the focus.
///
///     off ── a key, a headset, two fingers ──► on ── home, sleep, `stop`, no headset ──► off
extension Engine {
  /// Whether it speaks now.
  package var isSpeaking: Bool { features.speech?.isOn ?? false }
  /// How fast it speaks; 1 is the voice's own pace.
  package var speechRate: Double { features.speech?.rate ?? 1 }
  /// How loud it speaks: 1 as at first, 0 … 1.7.
  package var speechGain: Double {
    Double(features.speech?.level ?? Speech.standardLevel) / Double(Speech.standardLevel)
  }

  /// The voice for speech: the file's voice for its first language and its relatives, else the language's own voice.
  private var spokenLanguage: String {
    guard let voice = description.speech?.voice else { return language.isEmpty ? "en" : language }
    func base(_ tag: String) -> String {
      String(tag.prefix { $0 != "-" && $0 != "_" && $0 != "+" })
    }
    let isOwn = language.isEmpty || language == description.languages.first
    return isOwn || base(voice) == base(language) ? voice : language
  }

  /// The language of built-in sentences.
  private var sentenceLanguage: String { language.isEmpty ? spokenLanguage : language }

  // MARK: On and off

  mutating func beginSpeech() {
    guard let settings = description.speech, var speech = features.speech, !speech.isOn, !isBlank
    else { return }
    speech = Speech(hasJack: speech.hasJack, rate: settings.rate)
    speech.isOn = true
    features.speech = speech
  }

  /// Ends speech for this guest. A kiosk that always speaks, or that speaks into a headset, begins again.
  mutating func endSpeech() {
    guard let settings = description.speech, let speech = features.speech else { return }
    if speech.isOn { outbox.add(.silence) }
    let goesOn =
      !isBlank
      && (settings.starts.contains(.always) || settings.starts.contains(.jack) && speech.hasJack)
    features.speech = Speech(hasJack: speech.hasJack, rate: settings.rate)
    features.speech?.isOn = goesOn
  }

  /// A headset is plugged in or pulled out.
  mutating func setJack(_ isIn: Bool) {
    guard features.speech != nil, features.speech?.hasJack != isIn else { return }
    features.speech?.hasJack = isIn
    guard description.speech?.starts.contains(.jack) == true else { return }
    if isIn { beginSpeech() } else { endSpeech() }
  }

  /// Ends what is being said, as a person does something.
  mutating func interruptSpeech() {
    if isSpeaking, outbox.utterances.last != .silence { outbox.add(.silence) }
  }

  /// Handles a key of speech, within a turn.
  mutating func control(speechBy key: Keystroke, _ turn: inout Turn) {
    guard let settings = description.speech, features.speech != nil else { return }
    if key == .repeat, !isSpeaking {
      features.speech?.isStopped = false
      return beginSpeech()
    }
    guard isSpeaking else { return }
    interruptSpeech()
    switch key {
    case .repeat: repeatSpeech(&turn)
    case .faster: setRate(speechRate * Speech.rateStep, "spoken_faster", &turn)
    case .slower: setRate(speechRate / Speech.rateStep, "spoken_slower", &turn)
    case .louder: setLevel(by: 1, "spoken_louder", &turn)
    case .quieter: setLevel(by: -1, "spoken_quieter", &turn)
    case .stop:
      let hasJack = features.speech?.hasJack ?? false
      features.speech = Speech(isStopped: true, hasJack: hasJack, rate: settings.rate)
    default: break
    }
  }

  private mutating func setRate(_ rate: Double, _ name: String, _ turn: inout Turn) {
    let range = SpeechSettings.rates
    features.speech?.rate = min(max(rate, range.lowerBound), range.upperBound)
    say(sentence(name), interrupts: true, &turn)
  }

  private mutating func setLevel(by way: Int, _ name: String, _ turn: inout Turn) {
    guard let level = features.speech?.level else { return }
    let levels = Speech.levels
    features.speech?.level = min(max(level + way, levels.lowerBound), levels.upperBound)
    say(sentence(name), interrupts: true, &turn)
  }

  private mutating func repeatSpeech(_ turn: inout Turn) {
    guard let last = features.speech?.last, !last.isEmpty else {
      features.speech?.announced = nil
      return
    }
    features.speech?.last = []
    for (index, text) in last.enumerated() { say(text, interrupts: index == 0, &turn) }
  }

  // MARK: The end of a turn

  /// Says what has happened in a turn: its `happened` events, then where it has led to.
  mutating func speak(of happened: ArraySlice<Event>, by cause: Cause, _ turn: inout Turn) {
    guard isSpeaking, !isBlank else { return }
    let start = outbox.utterances.count
    for (index, event) in happened.enumerated() {
      // Only the last of the detents that are crossed at the same moment is heard.
      let isPassed =
        event.name == "passing"
        && happened.dropFirst(index + 1).contains {
          $0.control == event.control && ["passing", "settled"].contains($0.name)
        }
      if !isPassed { speak(of: event, &turn) }
    }
    turn.cause = cause
    announce(since: start, &turn)
    // Not at a moment that depends on the frame rate.
    if !turn.isPassing { readLabels(&turn) }
  }

  /// The most texts that are said again.
  private static let maximumRepeated = 8

  /// Says a text.
  private mutating func say(_ text: String, interrupts: Bool, _ turn: inout Turn) {
    guard !text.isEmpty else { return }
    outbox.add(.text(text, language: spokenLanguage, interrupts: interrupts))
    outbox.add(Event("spoken", at: now, fields: [Field("text", .text(text))], by: turn.cause))
    guard var last = features.speech?.last else { return }
    if interrupts { last = [] }
    if last.count == Self.maximumRepeated { last.removeFirst() }
    last.append(text)
    features.speech?.last = last
  }

  private mutating func speak(of event: Event, _ turn: inout Turn) {
    guard let id = event.control else { return speak(ofKiosk: event, &turn) }
    // Events that leaving a page causes are not spoken, except those that led away from it.
    let leads = ["selected", "changed", "typed", "entered"]
    guard let place = places[id], place.page == shownPage || leads.contains(event.name) else {
      return
    }
    turn.cause = event.cause
    let entry = pages[place.page].controls[place.control]
    let byPerson = event.cause == .finger
    switch event.name {
    case "passing", "settled", "turned":
      guard byPerson || touches.focus?.control == place.control else { return }
      guard entry.kind != "menu" else {
        // The focus tells it already.
        guard touches.focus?.control != place.control, let item = event.item else { return }
        return say(itemSentence(item, of: place), interrupts: byPerson, &turn)
      }
      let said = sentence(
        event.name == "settled" ? "spoken_settled" : "spoken_passing",
        ["value": .text(value(of: place, in: event))])
      // A detent at which it comes to rest has been said.
      if event.name == "settled", features.speech?.last.last == said { return }
      say(said, interrupts: byPerson, &turn)
    case "selected":
      let item = chosenItem(event, of: entry)
      let label = item.map { name(ofItem: $0, of: place) } ?? name(of: place)
      say(sentence("spoken_selected", ["label": .text(label)]), interrupts: byPerson, &turn)
    case "changed":
      let words = entry.control.wording(of: nil, at: now)
      say(
        sentence(
          "spoken_changed",
          ["label": .text(name(of: place)), "state": .text(state(words, of: entry))]),
        interrupts: byPerson, &turn)
    case "started": say(sentence("spoken_started"), interrupts: byPerson, &turn)
    case "closed" where event["why"] != .text("selected"):
      say(sentence("spoken_closed"), interrupts: byPerson, &turn)
    case "typed":
      guard !entry.control.isSecret else { return outbox.add(.tone) }
      let key = event["key"]?.display ?? ""
      say(
        key == "delete"
          ? sentence("spoken_deleted")
          : sentence("spoken_typed", ["key": .text(keyName(key))]), interrupts: byPerson, &turn)
    case "entered":
      let (text, count) = (event["text"]?.display ?? "", event["count"]?.display ?? "")
      say(
        sentence("spoken_entered", ["text": .text(text), "count": .text(count)]),
        interrupts: byPerson, &turn)
    default: break
    }
  }

  /// The item that was chosen, as its control knows it: a leaf by the way to it, a row without an id by its number.
  private func chosenItem(_ event: Event, of entry: PlacedControl) -> String? {
    if case .list(let way)? = event["path"] { return way.map(\.display).joined(separator: "/") }
    return event.item ?? (entry.kind == "list" ? event["index"]?.display : nil)
  }

  private mutating func speak(ofKiosk event: Event, _ turn: inout Turn) {
    turn.cause = event.cause
    switch event.name {
    case "failed" where event.cause == .finger || event.cause == .action:
      say(sentence("spoken_failed"), interrupts: false, &turn)
    case "warned":
      say(stillThere, interrupts: true, &turn)
    default: break
    }
  }

  /// Announces the page and the focus, unless they were announced last.
  private mutating func announce(since start: Int, _ turn: inout Turn) {
    let follows = outbox.utterances[start...].contains {
      if case .text = $0 { true } else { false }
    }
    let now = Speech.Announced(page: shownPage, language: language, focus: shownFocus)
    guard let before = features.speech?.announced, before.page == now.page,
      before.language == now.language
    else {
      features.speech?.announced = now
      features.speech?.explored = nil
      let readings = labelReadings
      features.speech?.readings = readings
      say(pageSentence, interrupts: !follows && turn.cause == .finger, &turn)
      if let focus = now.focus { say(sentence(of: focus), interrupts: false, &turn) }
      return
    }
    guard before != now else { return }
    features.speech?.announced = now
    guard let focus = now.focus else { return }
    let text = sentence(of: focus)
    // On the keys of a secret, only a tone marks a step.
    if text.isEmpty { outbox.add(.tone) } else { say(text, interrupts: !follows, &turn) }
  }

  /// Says the labels whose spoken texts have changed while they are shown.
  private mutating func readLabels(_ turn: inout Turn) {
    let present = labelReadings
    guard let before = features.speech?.readings, before != present else { return }
    features.speech?.readings = present
    for entry in pages[shownPage].controls {
      guard let text = present[entry.id], text != before[entry.id] else { continue }
      say(text, interrupts: false, &turn)
    }
  }

  /// The spoken text of each visible control of the page that no key reaches and that has a `spoken` of its own.
  private var labelReadings: [String: String] {
    var readings: [String: String] = [:]
    for (index, entry) in pages[shownPage].controls.enumerated()
    where entry.isVisible && entry.spoken != nil && !entry.takesKeys {
      readings[entry.id] = name(of: Place(page: shownPage, control: index))
    }
    return readings
  }

  // MARK: Sentences

  /// A sentence of this kiosk's, or the built-in one, with what it tells.
  func sentence(_ name: String, _ fields: [String: Value] = [:]) -> String {
    var all = SpokenSentences.fields.map { field in
      Field(field.name, fields[field.name] ?? (field.kind == .number ? .number(0) : .text("")))
    }
    all.sort { $0.name < $1.name }
    let template =
      description.texts[name]?[language]
      ?? SpokenSentences.sentence(name, in: sentenceLanguage)
    return SpokenSentences.tidied(text(template, Event("spoken", at: now, fields: all)))
  }

  func text(_ template: TextTemplate, _ event: Event? = nil) -> String {
    var budget = WorkBudget(Self.conditionUnits)
    var failure: EvaluationError?
    return template.text(in: reading(event), budget: &budget, failure: &failure)
  }

  private var pageSentence: String {
    sentence("spoken_page", ["label": .text(pageName)])
  }

  private var pageName: String {
    let page = pages[shownPage]
    return page.spoken.map { text($0) } ?? Self.words(page.name)
  }

  /// An id as words.
  private static func words(_ id: String) -> String {
    String(id.map { $0 == "_" || $0 == "-" ? " " : $0 })
  }

  /// The spoken name of a control.
  func name(of place: Place) -> String {
    let entry = pages[place.page].controls[place.control]
    if let spoken = entry.spoken { return text(spoken) }
    let label = entry.control.wording(of: nil, at: now).label
    return label.isEmpty ? Self.words(entry.id) : label
  }

  /// The spoken name of an item.
  private func name(ofItem item: String, of place: Place) -> String {
    let entry = pages[place.page].controls[place.control]
    let last = item.split(separator: "/").last.map(String.init) ?? item
    if let spoken = entry.itemSpoken[item] ?? entry.itemSpoken[last] { return text(spoken) }
    let label = entry.control.wording(of: item, at: now).label
    guard entry.kind != "keypad" else { return keyName(label) }
    return label.isEmpty ? Self.words(last) : label
  }

  /// The spoken name of a key of a keypad.
  private func keyName(_ key: String) -> String {
    let name = key == " " ? "space" : key
    return SpokenSentences.isSentence("spoken_key_\(name)") ? sentence("spoken_key_\(name)") : key
  }

  /// The present value of a control, in the words of its label if the label has a `spoken`.
  private func value(of place: Place, in event: Event) -> String {
    let entry = pages[place.page].controls[place.control]
    let index = event["index"]?.display ?? ""
    let wheel = event["wheel"]?.display
    let part = wheel.map { "\($0)/\(index)" } ?? index
    if let spoken = entry.itemSpoken[part] { return text(spoken) }
    let words = entry.control.wording(of: wheel, at: now).value
    return words.isEmpty ? (event["label"] ?? event["turns"])?.display ?? "" : words
  }

  /// Whether it is on, off or unavailable.
  private func state(_ words: Wording, of entry: PlacedControl, item: String? = nil) -> String {
    var isEnabled = entry.isEnabled
    if let item, let found = entry.control.items(at: now).first(where: { $0.id == item }) {
      isEnabled = isEnabled && found.isEnabled
    }
    guard isEnabled else { return sentence("spoken_unavailable") }
    return switch words.isOn {
    case true?: sentence("spoken_on")
    case false?: sentence("spoken_off")
    case nil: ""
    }
  }

  private func fields(of words: Wording) -> [String: Value] {
    var fields: [String: Value] = ["value": .text(words.value)]
    if let position = words.position {
      let place: [String: Value] = [
        "number": .number(Double(position.number)), "count": .number(Double(position.count)),
      ]
      fields.merge(place) { $1 }
      fields["position"] = .text(sentence("spoken_position", place))
    }
    return fields
  }

  private func sentence(of focus: Focus) -> String {
    guard focus.control != Focus.ground else {
      return sentence("spoken_button", ["label": .text(pageName)])
    }
    let place = Place(page: shownPage, control: focus.control)
    let control = pages[shownPage].controls[focus.control].control
    guard let part = focus.part else { return controlSentence(place) }
    guard let item = control.item(ofPart: part, at: now) else {
      // Its only part is the control itself.
      var all = fields(of: control.wording(of: nil, at: now))
      guard case .text(let value)? = all["value"], !control.isSecret else { return "" }
      all["label"] = .text(value.isEmpty ? name(of: place) : "")
      all["state"] = .text(sentence("spoken_hint_turn"))
      return sentence("spoken_item", all)
    }
    return itemSentence(item, of: place)
  }

  /// The sentence for a control that keys or a finger come to.
  private func controlSentence(_ place: Place) -> String {
    let entry = pages[place.page].controls[place.control]
    let words = entry.control.wording(of: nil, at: now)
    var all = fields(of: words)
    all["label"] = .text(name(of: place))
    all["state"] = .text(state(words, of: entry))
    let role = type(of: entry.control).spokenRole
    let isButton = role == .seen && entry.pressArea(in: localTheme) != nil
    if touches.focus?.control == place.control, entry.isEnabled {
      let isPressed = isButton || role == .pressed
      all["hint"] = .text(sentence(isPressed ? "spoken_hint_press" : "spoken_hint_enter"))
    }
    let name = "spoken_\(isButton ? "button" : entry.kind)"
    return sentence(SpokenSentences.isSentence(name) ? name : "spoken_item", all)
  }

  private func itemSentence(_ item: String, of place: Place) -> String {
    let entry = pages[place.page].controls[place.control]
    let words = entry.control.wording(of: item, at: now)
    var all = fields(of: words)
    all["label"] = .text(name(ofItem: item, of: place))
    all["state"] = .text(state(words, of: entry, item: item))
    return sentence("spoken_item", all)
  }

  /// The question to a guest whether to go on.
  var stillThere: String { sentence("still_there") }

  // MARK: Fingers

  /// The part of the page that a finger hears at a place; nil for none. O(n) in its controls.
  private func hearing(at point: Point) -> Speech.Explored? {
    var heard: Speech.Explored?
    var nearest = Double.infinity
    let theme = localTheme
    forEachVisibleControl(of: shownPage) { index in
      let entry = pages[shownPage].controls[index]
      guard type(of: entry.control).spokenRole != .silent else { return }
      let within = entry.ground.contains(point) ? 0.0 : nil
      guard let distance = entry.distance(to: point, at: now, in: theme) ?? within,
        distance <= nearest
      else { return }
      nearest = distance
      heard = Speech.Explored(
        control: entry.id, item: entry.control.item(under: point, at: now))
    }
    return heard
  }

  /// Lets a finger that comes down, or one that explores already, hear what is under it, within a turn. False
  /// where it has heard that before, so that it is a choice.
  mutating func explore(at point: Point, isDown: Bool, _ turn: inout Turn) -> Bool {
    guard isSpeaking else { return false }
    let heard = hearing(at: point)
    if isDown, let heard, heard == features.speech?.explored { return false }
    guard heard != features.speech?.explored else { return true }
    features.speech?.explored = heard
    guard let heard, let place = places[heard.control] else { return true }
    say(
      heard.item.map { itemSentence($0, of: place) } ?? controlSentence(place), interrupts: true,
      &turn)
    return true
  }

  /// Seconds that two fingers rest to begin or end speech.
  private static let restTime = 2.0
  /// Design pixels that a finger which rests may go.
  private static let restSlop = 16.0

  /// When two fingers have rested for so long that speech begins or ends; nil for never.
  var restEnd: Instant? {
    guard description.speech?.starts.contains(.fingers) == true, !isBlank,
      touches.fingers.count == 2,
      touches.fingers.values.allSatisfy({
        !$0.hasRested && ($0.place - $0.start).length <= Self.restSlop
      })
    else { return nil }
    return touches.fingers.values.map(\.time).max().map { $0 + Self.restTime }
  }

  /// Begins or ends speech where two fingers have rested. They hold nothing from then on.
  mutating func endRest(_ turn: inout Turn) {
    guard let end = restEnd, end <= now else { return }
    turn.cause = .finger
    for finger in fingers {
      release(finger, &turn)
      touches.noteRest(of: finger)
    }
    if isSpeaking { endSpeech() } else { beginSpeech() }
  }
}
