// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelMotion

/// Speech. At the end of each turn, the kiosk speaks the turn's events, and then the focused control.
///
///     off ── a key, a headset, two fingers ──► on ── home, sleep, `stop`, no headset ──► off
struct SpeechGuide: Feature {
  private var speech: Speech?

  init(_ description: Description) {
    speech = description.speech.map { Speech(isOn: $0.starts.contains(.always), rate: $0.rate) }
  }

  private var isOn: Bool { speech?.isOn ?? false }

  var voice: Voice? {
    guard let speech else { return nil }
    let gain = Double(speech.level) / Double(Speech.standardLevel)
    return Voice(isOn: speech.isOn, rate: speech.rate, gain: gain)
  }

  mutating func adopt(_ mapping: PlanMapping) {
    let next = SpeechGuide(mapping.next.description)
    if speech == nil || next.speech == nil { self = next }
  }

  // MARK: On and off

  private mutating func begin(_ engine: Engine) {
    guard let settings = engine.description.speech, let former = speech, !former.isOn,
      !engine.isBlank
    else { return }
    speech = Speech(isOn: true, hasJack: former.hasJack, rate: settings.rate)
  }

  /// Ends speech for this guest. A kiosk that always speaks, or has a headset, starts again.
  mutating func endSession(_ engine: inout Engine) {
    guard let settings = engine.description.speech, let former = speech else { return }
    if former.isOn { engine.outbox.add(.silence) }
    let continues =
      !engine.isBlank
      && (settings.starts.contains(.always) || settings.starts.contains(.jack) && former.hasJack)
    speech = Speech(isOn: continues, hasJack: former.hasJack, rate: settings.rate)
  }

  mutating func notice(_ input: Input, _ engine: inout Engine) -> Bool {
    let hasAsked = speech?.hasAsked == true
    switch input {
    case .touch(.down), .key:
      if hasAsked { speech?.announced = nil }
      interrupt(&engine)
    case .end: interrupt(&engine)
    case .jack(let isIn): setJack(isIn, &engine)
    case .touch, .shake: break
    }
    speech?.hasAsked = false
    return false
  }

  private mutating func setJack(_ isIn: Bool, _ engine: inout Engine) {
    guard speech != nil, speech?.hasJack != isIn else { return }
    speech?.hasJack = isIn
    guard engine.description.speech?.starts.contains(.jack) == true else { return }
    if isIn { begin(engine) } else { endSession(&engine) }
  }

  private mutating func interrupt(_ engine: inout Engine) {
    speech?.stopReading(at: engine.now)
    if isOn, engine.outbox.utterances.last != .silence { engine.outbox.add(.silence) }
  }

  // MARK: Keys

  mutating func press(_ key: KeyPress, _ engine: inout Engine, _ turn: inout Turn) -> Bool {
    guard let key = key.keystroke, key.isOfSpeech else {
      if speech?.isStopped == false, engine.description.speech?.starts.contains(.key) == true {
        begin(engine)
      }
      return false
    }
    guard speech != nil else { return false }
    handle(key, &engine, &turn)
    if isOn { engine.beginFocus() }
    return true
  }

  private mutating func handle(_ key: Keystroke, _ engine: inout Engine, _ turn: inout Turn) {
    guard let settings = engine.description.speech, let former = speech else { return }
    if key == .repeat, !isOn {
      speech?.isStopped = false
      return begin(engine)
    }
    guard isOn else { return }
    switch key {
    case .repeat: repeatLast(&engine, turn)
    case .faster: adjust(.faster, &engine, turn) { $0.scaleRate(by: Speech.rateStep) }
    case .slower: adjust(.slower, &engine, turn) { $0.scaleRate(by: 1 / Speech.rateStep) }
    case .louder: adjust(.louder, &engine, turn) { $0.raiseLevel(by: 1) }
    case .quieter: adjust(.quieter, &engine, turn) { $0.raiseLevel(by: -1) }
    case .stop: speech = Speech(isStopped: true, hasJack: former.hasJack, rate: settings.rate)
    default: break
    }
  }

  private mutating func adjust(
    _ phrase: Phrase, _ engine: inout Engine, _ turn: Turn, _ change: (inout Speech) -> Void
  ) {
    guard var adjusted = speech else { return }
    change(&adjusted)
    speech = adjusted
    say(engine.sentence(phrase), interrupts: true, &engine, turn)
  }

  private mutating func repeatLast(_ engine: inout Engine, _ turn: Turn) {
    guard let last = speech?.last, !last.isEmpty else {
      speech?.announced = nil
      return
    }
    speech?.last = []
    for (index, said) in last.enumerated() {
      say(
        said.text, in: said.language, isPrivate: said.isPrivate, interrupts: index == 0, &engine,
        turn)
    }
  }

  // MARK: The end of a turn

  mutating func conclude(
    _ happened: ArraySlice<Event>, _ engine: inout Engine, _ turn: inout Turn
  ) {
    guard isOn, !engine.isBlank else { return }
    let cause = turn.cause
    let start = engine.outbox.utterances.count
    for (index, event) in happened.enumerated() {
      // Of detents passed simultaneously, only the last is spoken.
      let isPassed =
        event.name == "passing"
        && happened.dropFirst(index + 1).contains {
          $0.control == event.control && ["passing", "settled"].contains($0.name)
        }
      if !isPassed { speak(of: event, &engine, &turn) }
    }
    turn.cause = cause
    announce(since: start, &engine, turn)
    // Labels aren't read at times that depend on the frame rate.
    if !turn.isPassing { readLabels(&engine, turn) }
  }

  /// The maximum number of strings to repeat.
  private static let maximumRepeated = 8

  private mutating func say(
    _ whole: String, in own: String = "", isPrivate: Bool = false, interrupts: Bool,
    _ engine: inout Engine, _ turn: Turn
  ) {
    // The names of icons in a text aren't words.
    let text = IconText.withoutIcons(whole)
    guard !text.isEmpty else { return }
    engine.outbox.add(.text(text, language: engine.voice(in: own), interrupts: interrupts))
    var event = Event(
      "spoken", at: engine.now, fields: [Field("text", .text(text))], by: turn.cause)
    event.isPrivate = isPrivate
    engine.outbox.add(event)
    speech?.recordDuration(of: text, from: engine.now, interrupts: interrupts)
    guard var last = speech?.last else { return }
    if interrupts { last = [] }
    if last.count == Self.maximumRepeated { last.removeFirst() }
    last.append(Speech.Said(text: text, language: own, isPrivate: isPrivate))
    speech?.last = last
  }

  private mutating func speak(of event: Event, _ engine: inout Engine, _ turn: inout Turn) {
    guard let id = event.control else { return speak(ofKiosk: event, &engine, &turn) }
    // Events caused by leaving a page are not spoken, except for the event that led away from it.
    let leads = ["selected", "changed", "typed", "entered"]
    guard let location = engine.locations[id],
      engine.isShown(page: location.page) || leads.contains(event.name)
    else { return }
    turn.cause = event.cause
    let entry = engine.controls[location]
    let language = engine.language(of: location, in: event)
    let isUserInput = event.cause == .finger
    let hasFocus = engine.touches.focus?.control == location
    switch event.name {
    case "passing", "settled", "turned":
      guard isUserInput || hasFocus else { return }
      guard entry.kind != "menu" else {
        // The focus announces it already.
        guard !hasFocus, let item = event.item else { return }
        return say(
          engine.itemSentence(item, of: location), in: engine.language(of: location, item),
          isPrivate: event.isPrivate, interrupts: isUserInput, &engine, turn)
      }
      let utterance = engine.sentence(
        event.name == "settled" ? .settled : .passing,
        ["value": .text(engine.value(of: location, in: event))], in: language)
      // The final detent was already spoken.
      if event.name == "settled", speech?.last.last?.text == utterance { return }
      say(
        utterance, in: language, isPrivate: event.isPrivate, interrupts: isUserInput, &engine, turn)
    case "typed" where entry.control.isSecret: engine.outbox.add(.tone)
    default:
      guard let utterance = engine.sentence(about: event, at: location) else { return }
      say(
        utterance, in: language, isPrivate: event.isPrivate, interrupts: isUserInput, &engine, turn)
    }
  }

  private mutating func speak(ofKiosk event: Event, _ engine: inout Engine, _ turn: inout Turn) {
    turn.cause = event.cause
    switch event.name {
    case "failed" where event.cause == .finger || event.cause == .action:
      say(engine.sentence(.failed), interrupts: false, &engine, turn)
    case "warned":
      say(engine.stillThere, interrupts: true, &engine, turn)
      speech?.hasAsked = true
    default: break
    }
  }

  /// Announces the page or the message, and the focus, unless they were just announced.
  private mutating func announce(since start: Int, _ engine: inout Engine, _ turn: Turn) {
    let follows = engine.outbox.utterances[start...].contains {
      if case .text = $0 { true } else { false }
    }
    let focus = engine.shownFocus
    let message = engine.overlays.message
    let now = Speech.Announced(
      page: engine.pages[engine.activePage].name, language: engine.language,
      message: message.map { _ in engine.overlays.revision },
      control: focus.map { $0.control.map { engine.controls[$0].id } },
      part: focus?.part, focusMoves: engine.touches.moves)
    guard let before = speech?.announced, before.page == now.page, before.language == now.language,
      before.message == now.message
    else {
      speech?.announced = now
      speech?.explored = nil
      let readings = engine.labelReadings
      speech?.readings = readings
      let parts = message.map { [$0.title, $0.text].filter { !$0.isEmpty } }
      for (index, part) in (parts ?? [engine.pageSentence]).enumerated() {
        let interrupts = parts != nil || !follows && turn.cause == .finger
        say(
          part, isPrivate: engine.announcesPrivate, interrupts: interrupts && index == 0, &engine,
          turn)
      }
      if let focus {
        say(
          engine.sentence(of: focus), in: engine.language(of: focus),
          isPrivate: engine.isPrivate(focus), interrupts: false, &engine, turn)
        read(focus, engine)
      }
      return
    }
    guard before != now else { return }
    speech?.announced = now
    guard let focus else { return }
    let text = engine.sentence(of: focus)
    // The keys of a secret are not spoken. A tone marks each step.
    if text.isEmpty {
      engine.outbox.add(.tone)
    } else {
      say(
        text, in: engine.language(of: focus), isPrivate: engine.isPrivate(focus),
        interrupts: !follows, &engine, turn)
      read(focus, engine)
    }
  }

  // MARK: Texts that scroll

  private mutating func read(_ focus: Focus, _ engine: Engine) {
    if let location = focus.control { read(engine.controls[location]) }
  }

  /// Follows the text of a control, which was just said.
  private mutating func read(_ entry: PlacedControl) {
    if entry.control.scrollsBySpeech { speech?.reading = entry.id }
  }

  private func readingEnd(in engine: Engine) -> Instant? {
    speech?.reading.flatMap { _ in speech?.quietFrom }
  }

  /// Scrolls to the end of a text that was said.
  private mutating func finishReading(_ engine: inout Engine, _ turn: inout Turn) {
    guard let id = speech?.reading, let end = speech?.quietFrom, end <= engine.now else { return }
    speech?.reading = nil
    guard let location = engine.locations[id], engine.isShown(page: location.page) else { return }
    engine.update(location, &turn) { control, now, _ in control.finishSpeech(at: now) }
  }

  private mutating func readLabels(_ engine: inout Engine, _ turn: Turn) {
    let present = engine.labelReadings
    guard let before = speech?.readings, before != present else { return }
    speech?.readings = present
    for entry in engine.pages[engine.activePage].controls {
      guard let text = present[entry.id], text != before[entry.id] else { continue }
      say(
        text, in: entry.font.language, isPrivate: engine.isPrivate(control: entry.id),
        interrupts: false, &engine, turn)
    }
  }

  // MARK: Fingers

  mutating func admit(_ touch: Touch, _ engine: inout Engine, _ turn: inout Turn) -> Admission {
    explore(at: touch.position, isDown: true, &engine, turn) ? .explore : .pass
  }

  mutating func track(_ touch: Touch, _ engine: inout Engine, _ turn: inout Turn) {
    guard touch.phase == .move, engine.touches[touch.finger]?.explores == true else { return }
    _ = explore(at: touch.position, isDown: false, &engine, turn)
  }

  func receiver(of finger: Finger, in engine: Engine) -> TouchReceiver? {
    guard finger.explores, let target = speech?.explored,
      let entry = engine.placedControl(target.control)
    else { return nil }
    return TouchReceiver(control: target.control, isSecret: engine.hasSecretInput(entry))
  }

  /// Speaks the control under a finger. Returns false if a finger touches the last spoken control
  /// again, which selects it.
  private mutating func explore(
    at point: Point, isDown: Bool, _ engine: inout Engine, _ turn: Turn
  ) -> Bool {
    guard isOn else { return false }
    let target = engine.explorationTarget(at: point).map {
      Speech.Explored(control: $0.control, item: $0.item)
    }
    if isDown, let target, target == speech?.explored { return false }
    guard target != speech?.explored else { return true }
    speech?.explored = target
    guard let target, let location = engine.locations[target.control] else { return true }
    let utterance = target.item.map { engine.itemSentence($0, of: location) }
    say(
      utterance ?? engine.controlSentence(location),
      in: engine.language(of: location, target.item),
      isPrivate: engine.isPrivate(control: target.control), interrupts: true, &engine, turn)
    if utterance == nil { read(engine.controls[location]) }
    return true
  }

  /// The seconds that two fingers must rest to start or stop speech.
  private static let restTime = 2.0
  /// The maximum motion of a resting finger, in design pixels.
  private static let restSlop = 16.0

  private func restEnd(in engine: Engine) -> Instant? {
    let fingers = engine.touches.fingers.filter { $0.key >= 0 }
    guard engine.description.speech?.starts.contains(.fingers) == true, !engine.isBlank,
      fingers.count == 2,
      fingers.values.allSatisfy({
        !engine.isAlwaysAvailable($0.holder) && !$0.hasRested
          && ($0.position - $0.start).length <= Self.restSlop
      })
    else { return nil }
    return fingers.values.map(\.time).max().map { $0 + Self.restTime }
  }

  func nextChange(in engine: Engine) -> Instant? {
    [restEnd(in: engine), readingEnd(in: engine)].compactMap(\.self).min()
  }

  /// Starts or stops speech if two fingers have rested, which then hold nothing.
  mutating func advance(_ engine: inout Engine, _ turn: inout Turn) {
    finishReading(&engine, &turn)
    guard let end = restEnd(in: engine), end <= engine.now else { return }
    turn.cause = .finger
    for finger in engine.fingers {
      engine.release(finger, &turn)
      engine.touches.recordRest(of: finger)
    }
    if isOn { endSession(&engine) } else { begin(engine) }
  }
}

extension Engine {
  fileprivate func sentence(about event: Event, at location: ControlLocation) -> String? {
    let entry = controls[location]
    let own = language(of: location, in: event)
    switch event.name {
    case "selected":
      let item = chosenItem(event, of: entry)
      let label = item.map { name(ofItem: $0, of: location) } ?? name(of: location)
      return sentence(.selected, ["label": .text(label)], in: own)
    case "changed":
      let words = entry.control.wording(of: nil, at: now)
      return sentence(
        .changed,
        ["label": .text(name(of: location)), "state": .text(state(words, of: entry, in: own))],
        in: own)
    case "started": return sentence(.started, in: own)
    case "closed" where event["why"] != .text("selected"): return sentence(.closed, in: own)
    case "typed":
      let key = event["key"]?.display ?? ""
      return key == "delete"
        ? sentence(.deleted, in: own)
        : sentence(.typed, ["key": .text(keyName(key, in: own))], in: own)
    case "entered":
      let (text, count) = (event["text"]?.display ?? "", event["count"]?.display ?? "")
      return sentence(.entered, ["text": .text(text), "count": .text(count)], in: own)
    default: return nil
    }
  }

  /// Returns a control's or item's own language, or an empty string.
  fileprivate func language(of location: ControlLocation, _ item: String? = nil) -> String {
    let entry = controls[location]
    guard let item, !entry.itemLanguages.isEmpty else { return entry.font.language }
    let last = item.split(separator: "/").last.map(String.init) ?? item
    return entry.itemLanguages[item] ?? entry.itemLanguages[last] ?? entry.font.language
  }

  fileprivate func language(of location: ControlLocation, in event: Event) -> String {
    let entry = controls[location]
    guard !entry.itemLanguages.isEmpty else { return entry.font.language }
    return language(of: location, chosenItem(event, of: entry) ?? part(in: event))
  }

  fileprivate func isPrivate(_ focus: Focus) -> Bool {
    focus.control.map { isPrivate(control: controls[$0].id) } ?? announcesPrivate
  }

  /// Whether the name of the page or the open message is private.
  fileprivate var announcesPrivate: Bool {
    isPrivate(control: overlays.message == nil ? "" : Message.name)
      || plan.privacy.pages.contains(pages[activePage].name)
  }

  fileprivate func language(of focus: Focus) -> String {
    guard let location = focus.control else { return "" }
    return language(
      of: location, focus.part.flatMap { controls[location].control.item(ofPart: $0, at: now) })
  }

  /// The index of a label or row, such as `3` or `wheel/3`.
  private func part(in event: Event) -> String {
    let index = event["index"]?.display ?? ""
    return event["wheel"].map { "\($0.display)/\(index)" } ?? index
  }

  /// Returns the path to a leaf, or the number of a row without an id.
  private func chosenItem(_ event: Event, of entry: PlacedControl) -> String? {
    if case .list(let path)? = event["path"] { return path.map(\.display).joined(separator: "/") }
    return event.item ?? (entry.kind == "list" ? event["index"]?.display : nil)
  }

  /// The spoken strings of visible labels with `spoken` that keys don't reach.
  fileprivate var labelReadings: [String: String] {
    var readings: [String: String] = [:]
    for (index, entry) in pages[activePage].controls.enumerated()
    where entry.isVisible && entry.spoken != nil && !entry.takesKeys {
      readings[entry.id] = name(of: ControlLocation(page: activePage, control: index))
    }
    return readings
  }

  fileprivate var pageSentence: String { sentence(.page, ["label": .text(pageName)]) }

  private var pageName: String {
    let page = pages[activePage]
    return page.spoken.map { text($0) } ?? Self.words(page.name)
  }

  private static func words(_ id: String) -> String {
    String(id.map { $0 == "_" || $0 == "-" ? " " : $0 })
  }

  private func name(of location: ControlLocation) -> String {
    let entry = controls[location]
    if let spoken = entry.spoken { return text(spoken) }
    let label = entry.control.wording(of: nil, at: now).label
    return label.isEmpty ? Self.words(entry.id) : label
  }

  private func name(ofItem item: String, of location: ControlLocation) -> String {
    let entry = controls[location]
    let last = item.split(separator: "/").last.map(String.init) ?? item
    if let spoken = entry.itemSpoken[item] ?? entry.itemSpoken[last] { return text(spoken) }
    let words = entry.control.wording(of: item, at: now)
    let label = words.label
    let own = language(of: location, item)
    guard entry.kind != "keypad" else { return keyName(label, in: own) }
    if let phrase = words.labelTerm.flatMap({ Phrase.named("spoken_\($0)") }) {
      return sentence(phrase, in: own)
    }
    return label.isEmpty ? Self.words(last) : label
  }

  private func keyName(_ key: String, in own: String) -> String {
    let name = key == " " ? "space" : key
    return Phrase.named("spoken_key_\(name)").map { sentence($0, in: own) } ?? key
  }

  /// Returns a control's current value, as spoken by its label if the label has `spoken`.
  fileprivate func value(of location: ControlLocation, in event: Event) -> String {
    let entry = controls[location]
    if let spoken = entry.itemSpoken[part(in: event)] { return text(spoken) }
    let words = value(
      in: entry.control.wording(of: event["wheel"]?.display ?? event.item, at: now),
      language(of: location, in: event))
    return words.isEmpty ? (event["label"] ?? event["turns"])?.display ?? "" : words
  }

  /// On, off or unavailable.
  private func state(
    _ words: Wording, of entry: PlacedControl, item: String? = nil, in own: String
  ) -> String {
    var isEnabled = entry.isEnabled
    if let item, let found = entry.control.items(at: now).first(where: { $0.id == item }) {
      isEnabled = isEnabled && found.isEnabled
    }
    guard isEnabled else { return sentence(.unavailable, in: own) }
    return switch words.isOn {
    case true?: sentence(.on, in: own)
    case false?: sentence(.off, in: own)
    case nil: ""
    }
  }

  private func value(in words: Wording, _ own: String) -> String {
    if let range = words.range {
      return sentence(.range, ["low": .text(range.low), "high": .text(range.high)], in: own)
    }
    let term = words.terms.reversed().reduce("") { inner, name in
      Phrase.named("spoken_\(name)").map { sentence($0, ["label": .text(inner)], in: own) } ?? inner
    }
    return term.isEmpty || words.value.isEmpty ? term + words.value : "\(term), \(words.value)"
  }

  private func fields(of words: Wording, in own: String) -> [String: Value] {
    var fields: [String: Value] = ["value": .text(value(in: words, own))]
    if let position = words.position {
      let positionFields: [String: Value] = [
        "number": .number(Double(position.number)), "count": .number(Double(position.count)),
      ]
      fields.merge(positionFields) { $1 }
      fields["position"] = .text(sentence(.position, positionFields, in: own))
    }
    return fields
  }

  fileprivate func sentence(of focus: Focus) -> String {
    guard let location = focus.control else {
      return sentence(.button, ["label": .text(pageName)])
    }
    let control = controls[location].control
    guard let part = focus.part else { return controlSentence(location) }
    guard let item = control.item(ofPart: part, at: now) else {
      // The control is its only part.
      let own = language(of: location)
      var all = fields(of: control.wording(of: nil, at: now), in: own)
      guard case .text(let value)? = all["value"], !control.isSecret else { return "" }
      all["label"] = .text(value.isEmpty ? name(of: location) : "")
      all["state"] = .text(sentence(.hintTurn, in: own))
      return sentence(.item, all, in: own)
    }
    return itemSentence(item, of: location)
  }

  fileprivate func controlSentence(_ location: ControlLocation) -> String {
    let entry = controls[location]
    let words = entry.control.wording(of: nil, at: now)
    let own = language(of: location)
    var all = fields(of: words, in: own)
    all["label"] = .text(name(of: location))
    all["state"] = .text(state(words, of: entry, in: own))
    let role = type(of: entry.control).spokenRole
    let isButton = role == .seen && entry.pressArea(in: localTheme) != nil
    if touches.focus?.control == location, entry.isEnabled {
      let isPressed = isButton || role == .pressed
      all["hint"] = .text(sentence(isPressed ? .hintPress : .hintEnter, in: own))
    }
    let phrase = Phrase.named("spoken_\(isButton ? "button" : entry.kind)") ?? .item
    return sentence(phrase, all, in: own)
  }

  fileprivate func itemSentence(_ item: String, of location: ControlLocation) -> String {
    let entry = controls[location]
    let words = entry.control.wording(of: item, at: now)
    let own = language(of: location, item)
    var all = fields(of: words, in: own)
    all["label"] = .text(name(ofItem: item, of: location))
    all["state"] = .text(state(words, of: entry, item: item, in: own))
    return sentence(.item, all, in: own)
  }

  /// Returns the control and item to speak for a finger at `point`. O(n) in the page's controls.
  fileprivate func explorationTarget(at point: Point) -> (control: String, item: String?)? {
    var target: (control: String, item: String?)?
    var nearest = Double.infinity
    let theme = localTheme
    forEachReachableControl { location in
      let entry = pages[location]
      guard type(of: entry.control).spokenRole != .silent else { return }
      let within = entry.approximateFrame.contains(point) ? 0.0 : nil
      guard let distance = entry.distance(to: point, at: now, in: theme) ?? within,
        distance <= nearest
      else { return }
      nearest = distance
      target = (entry.id, entry.control.item(under: point, at: now))
    }
    return target
  }
}

private struct Speech: Hashable, Sendable {
  var isOn = false
  /// Whether a user stopped speech. Then only `repeat` starts it again.
  var isStopped = false
  var hasJack = false
  var rate: Double
  /// The volume, among `levels`.
  var level = standardLevel
  var announced: Announced?
  /// Whether the question about presence was spoken last. After its answer, the page is announced again.
  var hasAsked = false
  /// The last interrupting string, and the strings after it.
  var last: [Said] = []
  /// The part last spoken for a finger.
  var explored: Explored?
  /// The last strings of labels that are spoken when they change.
  var readings: [String: String] = [:]
  /// The id of a text that scrolls, while it is said.
  var reading: String?
  /// The estimated end of everything said.
  var quietFrom: Instant?

  static let levels = 1...10
  static let standardLevel = 6
  static let rateStep = 1.25

  mutating func scaleRate(by factor: Double) {
    let rates = SpeechSettings.rates
    rate = min(max(rate * factor, rates.lowerBound), rates.upperBound)
  }

  mutating func raiseLevel(by step: Int) {
    level = min(max(level + step, Self.levels.lowerBound), Self.levels.upperBound)
  }

  /// The characters per second at the normal rate.
  private static let charactersPerSecond = 15.0

  mutating func recordDuration(of text: String, from now: Instant, interrupts: Bool) {
    if interrupts { stopReading(at: now) }
    let start = max(quietFrom ?? now, now)
    quietFrom = start + Double(text.count) / (Self.charactersPerSecond * rate)
  }

  mutating func stopReading(at now: Instant) { (reading, quietFrom) = (nil, now) }

  struct Announced: Hashable, Sendable {
    var page: String
    var language: String
    /// The revision of the open message, or nil.
    var message: UInt64?
    /// The id of the focused control, inner nil for the page itself, or nil without a focus.
    var control: String??
    var part: Int?
    /// The number of focus moves, because a page's only control is also announced again.
    var focusMoves: UInt64
  }

  struct Said: Hashable, Sendable {
    var text: String
    /// The control's own language, or an empty string.
    var language: String
    var isPrivate: Bool
  }

  struct Explored: Hashable, Sendable {
    var control: String
    var item: String?
  }
}
