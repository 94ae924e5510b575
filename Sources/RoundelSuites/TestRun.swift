// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelJSON
internal import Kiosk
internal import RoundelMotion
internal import RoundelRaster
internal import RoundelSession

struct TestRun {
  private let test: TestCase
  private let suite: TestSuite
  private let bench: any TestBench
  private var pictures: PictureCheck
  private var deadline = Instant.zero
  private var nextEvent = 0
  /// The last expected `spoken` event, and the expected parts of its text.
  private var heard: (place: Int, parts: Set<String>) = (-1, [])
  private var fingers = Fingers()
  private(set) var notes: [String] = []
  private(set) var artifacts: [Artifact] = []

  init(_ test: TestCase, of suite: TestSuite, at bench: any TestBench, goldens: PictureCheck) {
    self.test = test
    self.suite = suite
    self.bench = bench
    pictures = goldens
  }

  /// Returns the failure, if any. Throws if the kiosk no longer exists.
  mutating func run() throws(BenchError) -> TestFailure? {
    let begun = try reason { run throws(BenchError) in
      try run.bench.begin(seed: run.test.seed)
      return nil
    }
    if let begun { return failure(test.steps.first, begun) }
    deadline = bench.now + test.timeout
    for step in test.steps {
      guard bench.now <= deadline else {
        return failure(step, "\(step.prefix)the test took longer than its \(limit)")
      }
      let reason = try reason { run throws(BenchError) in try run.perform(step.action) }
      if let reason { return failure(step, step.prefix + reason) }
    }
    guard !pictures.written.isEmpty else { return nil }
    return failure(test.steps.last, "wrote \(pictures.written.joined(separator: ", "))")
  }

  private var limit: String { "\(test.timeout.words) seconds" }

  private func failure(_ step: Step?, _ message: String) -> TestFailure {
    TestFailure(
      file: suite.file, line: step?.line ?? test.line, column: step?.column ?? 1, message: message)
  }

  /// Returns the failure, or the bench's refusal, or nil on success.
  private mutating func reason(
    _ body: (inout TestRun) throws(BenchError) -> String?
  ) throws(BenchError) -> String? {
    do throws(BenchError) {
      return try body(&self)
    } catch .refused(let what) {
      return what
    }
  }

  /// Keeps the picture and the recording so far.
  mutating func keepEvidence() throws(BenchError) {
    if artifacts.allSatisfy({ !$0.name.hasSuffix(".shot.png") }) {
      do throws(BenchError) {
        artifacts.append(
          Artifact("screen.png", PNG.encode(Canvas(try bench.picture().bitmap))))
      } catch .refused(let what) {
        notes.append("cannot take a picture of the failure: \(what)")
      }
    }
    let end = SessionLine(
      .object([.init("t", .number(bench.now.seconds)), .init("end", .bool(true))]))
    func lines(_ lines: [SessionLine]) -> [UInt8] {
      Array(lines.map { $0.text + "\n" }.joined().utf8)
    }
    artifacts.append(
      Artifact("recording.jsonl", lines(bench.recording + [end].compactMap { $0 })))
    artifacts.append(Artifact("events.jsonl", lines(bench.events)))
  }

  // MARK: Steps

  private mutating func perform(_ action: StepAction) throws(BenchError) -> String? {
    switch action {
    case .touch(let strokes):
      return try play(
        try fingers.touches(strokes) { place throws(BenchError) in
          try bench.point(place)
        })
    case .press(let finger, let place):
      guard !fingers.isDown(finger) else { return "finger \(finger) is already down" }
      return try play(fingers.press(finger, at: try bench.point(place)))
    case .move(let finger, let path, let during):
      guard fingers.isDown(finger) else { return "finger \(finger) is not down; press first" }
      var moving = fingers
      let touches = try moving.move(finger, path, during: during) { place throws(BenchError) in
        try bench.point(place)
      }
      fingers = moving
      return try play(touches)
    case .release(let finger):
      guard finger.map({ fingers.isDown($0) }) ?? fingers.isAnyDown else {
        return "\(finger.map { "finger \($0)" } ?? "no finger") is down; press first"
      }
      return try play(fingers.release(finger))
    case .type(let text, let control):
      for key in try bench.keys(typing: text, on: control) {
        if let reason = try perform(.touch([.tap(.target(key))])) { return reason }
      }
      return nil
    case .command(let command):
      try bench.perform(command)
      return nil
    case .clock(let time):
      try bench.setClock(time)
      return nil
    case .pause(let seconds):
      let end = bench.now + seconds
      _ = try bench.wait(until: min(end, deadline)) { _ in false }
      return end > deadline ? "the test took longer than its \(limit)" : nil
    case .wait(let goals, let within):
      return try reach(goals, within: within)
    case .shot(let name, let region):
      guard let part = try bench.picture().part(region) else { return Self.outside }
      artifacts.append(Artifact("\(name).png", PNG.encode(Canvas(part))))
      return nil
    case .expect(let expectation):
      return try check(expectation)
    }
  }

  private static let outside = "the region is outside the picture"

  private func play(_ touches: [TimedTouch]) throws(BenchError) -> String? {
    guard let last = touches.last else { return nil }
    guard bench.now + last.after <= deadline else {
      return "the fingers' path takes longer than the rest of the test's \(limit)"
    }
    try bench.play(touches)
    return nil
  }

  // MARK: Expectations

  private func end(_ within: Double?) -> Instant {
    within.map { min(bench.now + $0, deadline) } ?? deadline
  }

  private func waited(_ within: Double?) -> String {
    guard let within, bench.now < deadline else { return ", within the test's \(limit)" }
    return within > 0 ? ", within \(within.words) seconds" : ""
  }

  private func reach(
    _ goals: [Goal<Condition>], within: Double?
  ) throws(BenchError) -> String? {
    let end = end(within)
    for goal in goals {
      guard try bench.wait(for: goal, until: end) else {
        let unmetGoal = goal.unmetGoal(try bench.state(of: goal))
        return unmetGoal.what + (unmetGoal.expected.map { ", expected \($0)" } ?? "")
          + waited(within) + (unmetGoal.readings.map { "; \($0)" } ?? "")
      }
    }
    return nil
  }

  private mutating func check(_ expectation: Expectation) throws(BenchError) -> String? {
    switch expectation {
    case .state(let goals, let within): return try reach(goals, within: within)
    case .event(let pattern, let within):
      let start = nextEvent
      func place(_ events: [SessionLine]) -> Int? {
        events.indices.dropFirst(start).first { pattern.matches(events[$0]) }
      }
      _ = try bench.wait(until: end(within)) { place($0) != nil }
      guard let place = place(bench.events) else {
        return "no event \(pattern)\(waited(within)); \(eventList)"
      }
      nextEvent = place + 1
      return nil
    case .noEvent(let pattern, let during):
      let start = nextEvent
      func found(_ events: [SessionLine]) -> SessionLine? {
        events.dropFirst(start).first {
          pattern.matches($0) && Self.isCounted($0, [pattern])
        }
      }
      _ = try bench.wait(until: end(during)) { found($0) != nil }
      return found(bench.events).map { "unexpected event: \($0.words)" }
    case .events(let patterns, let control, let within, isExact: false):
      return try checkOrder(of: patterns, control, within: within)
    case .events(let patterns, let control, let within, isExact: true):
      return try checkExactly(patterns, of: control, within: within)
    case .spoken(let part, let within):
      func place(_ events: [SessionLine]) -> Int? {
        events.indices.dropFirst(max(heard.place, 0)).first { index in
          (index != heard.place || !heard.parts.contains(part))
            && events[index].spokenText?.contains(part) == true
        }
      }
      _ = try bench.wait(until: end(within)) { place($0) != nil }
      guard let place = place(bench.events) else {
        return "\(JSONValue.string(part).text) was not spoken\(waited(within)); \(spokenList)"
      }
      if place != heard.place { heard = (place, []) }
      heard.parts.insert(part)
      return nil
    case .picture(let expectation):
      if expectation.isStill, let reason = try reach([.still], within: expectation.within) {
        return reason
      }
      let shot = try bench.picture()
      guard let part = shot.part(expectation.region) else { return Self.outside }
      let reason = pictures.check(expectation, part, canvas: shot.bitmap.size)
      artifacts += pictures.takeArtifacts()
      notes += pictures.takeNotes()
      return reason
    }
  }

  /// Accepts all events if `control` is nil.
  private static func isReported(_ line: SessionLine, by control: String?) -> Bool {
    guard let control else { return true }
    return line.members.contains { $0.name == "control" && $0.value.string == control }
  }

  /// Whether `exactly` and `no_event` count an event.
  private static func isCounted(_ line: SessionLine, _ patterns: [EventPattern]) -> Bool {
    guard let name = line.members.first(where: { $0.name == "event" })?.value.string,
      EventType.leaving.contains(name)
    else { return true }
    return patterns.contains { $0.name.map(EventType.leaving.contains) ?? false }
  }

  /// Other events may occur in between.
  private mutating func checkOrder(
    of patterns: [EventPattern], _ control: String?, within: Double
  ) throws(BenchError) -> String? {
    // The first match is always the best one.
    var (count, next) = (0, nextEvent)
    func match(_ events: [SessionLine]) -> Bool {
      while count < patterns.count, next < events.count {
        let event = events[next]
        if Self.isReported(event, by: control), patterns[count].matches(event) { count += 1 }
        next += 1
      }
      return count == patterns.count
    }
    guard try bench.wait(until: end(within), match) || match(bench.events) else {
      let missing = "\(patterns[count])"
      let before = count > 0 ? " after \(patterns[count - 1])" : ""
      return "no event \(missing)\(before)\(waited(within)); \(eventList)"
    }
    nextEvent = next
    return nil
  }

  private mutating func checkExactly(
    _ patterns: [EventPattern], of control: String?, within: Double
  ) throws(BenchError) -> String? {
    let start = nextEvent
    // Speech has separate expectations.
    func relevant(_ events: [SessionLine]) -> [SessionLine] {
      events.dropFirst(start).filter {
        Self.isReported($0, by: control) && $0.spokenText == nil && Self.isCounted($0, patterns)
      }
    }
    _ = try bench.wait(until: end(within)) { relevant($0).count >= patterns.count }
    let found = relevant(bench.events)
    guard found.count == patterns.count, zip(patterns, found).allSatisfy({ $0.matches($1) })
    else {
      let wanted = patterns.map(\.description).joined(separator: "; ")
      let what = patterns.isEmpty ? "no events" : "exactly the events \(wanted)"
      return "expected \(what)\(waited(within)); \(eventList)"
    }
    nextEvent = bench.events.count
    return nil
  }

  /// The speech since the last expected text.
  private var spokenList: String {
    let texts = bench.events.dropFirst(heard.place + 1).compactMap(\.spokenText)
    guard !texts.isEmpty else { return "nothing was spoken since" }
    return "since then: " + (texts.count > 12 ? "… " : "")
      + texts.suffix(12).map { JSONValue.string($0).text }.joined(separator: "; ")
  }

  /// The events since the last expected one.
  private var eventList: String {
    let events = bench.events.dropFirst(nextEvent)
    guard !events.isEmpty else { return "no event since" }
    var words: [(text: String, count: Int)] = []
    for event in events {
      if words.last?.text == event.words {
        words[words.count - 1].count += 1
      } else {
        words.append((event.words, 1))
      }
    }
    let shown = words.suffix(12).map { $0.count > 1 ? "\($0.text) ×\($0.count)" : $0.text }
    return "since then: " + (words.count > 12 ? "… " : "") + shown.joined(separator: "; ")
  }
}

extension SessionLine {
  fileprivate var spokenText: String? {
    guard members.contains(where: { $0.name == "event" && $0.value.string == "spoken" }) else {
      return nil
    }
    return members.first { $0.name == "text" }?.value.string
  }
}

extension Step {
  /// A prefix such as `in round 2 of 5: `.
  fileprivate var prefix: String {
    guard !rounds.isEmpty else { return "" }
    return "in " + rounds.map { "round \($0.number) of \($0.count)" }.joined(separator: ", ") + ": "
  }
}
