// SPDX-License-Identifier: MIT

import RoundelJSON
import MQTTBridge
import TestSupport
import Testing

@Suite struct BridgeModelTests {
  private static let histories = 100_000
  private static let parts = 20

  @Test(arguments: 0..<parts)
  func
    `nothing is lost, sent twice or stuck, whenever the kiosk and the broker die, hang and return`(
      _ part: Int
    )
  {
    let count = Self.histories / Self.parts
    for number in Cases.of(count) {
      let seed = part * count + number
      let history = BridgeHistory(seed: UInt64(seed))
      guard history.failure != nil else { continue }
      let short = history.shrunk()
      let steps = short.steps.map { "  \($0)" }.joined(separator: "\n")
      Issue.record("seed \(seed): \(short.failure ?? "")\n\(steps)")
      return
    }
  }
}

/// The steps of a bridge's history, and laws for each of them.
struct BridgeHistory {
  enum End: CaseIterable { case running, dead, hung }

  var steps: [BridgeStep]
  var end: End

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 5...60, using: &generator)
    steps = [.kioskRuns, .brokerRuns] + (0..<count).map { _ in .random(&generator) }
    end = End.allCases[Int.random(in: 0..<3, using: &generator)]
  }

  /// The shortest failing history found by removing steps.
  func shrunk() -> BridgeHistory {
    var best = self
    var size = max(steps.count / 2, 1)
    while true {
      var start = 0
      while start < best.steps.count {
        var shorter = best
        shorter.steps.removeSubrange(start..<min(start + size, best.steps.count))
        if shorter.failure != nil { best = shorter } else { start += size }
      }
      if size == 1 { return best }
      size /= 2
    }
  }

  /// The violated law, if any.
  var failure: String? {
    let model = BridgeModel()
    for step in steps {
      model.perform(step)
      if let problem = model.violation ?? model.brokenOrder { return problem }
    }
    model.perform(.brokerRuns)
    switch end {
    case .running: break
    case .dead, .hung:
      model.perform(end == .dead ? .kioskDies : .kioskHangs)
      if end == .hung { model.pass(20) }
      if let problem = model.settled(\.absenceProblem) { return "without a kiosk: \(problem)" }
    }
    model.perform(.kioskRuns)
    if let problem = model.settled(\.presenceProblem) { return problem }
    return model.probed()
  }
}

extension BridgeModel {
  private func texts(_ topic: String) -> [String] {
    broker.published.filter { $0.topic == topic }
      .map { String(decoding: $0.payload, as: UTF8.self) }
  }

  private func retained(_ topic: String) -> String? {
    broker.retained[topic].map { String(decoding: $0, as: UTF8.self) }
  }

  private func done(_ name: String) -> [(number: Int, ends: Int)] {
    kiosk.done.compactMap { entry in
      let words = entry.text.split(separator: " ")
      guard words.count == 2, words[0] == name, let number = Int(words[1]) else { return nil }
      return (number, entry.ends)
    }
  }

  // MARK: Laws at any time

  /// The first message that reached the kiosk or the broker out of order or twice.
  var brokenOrder: String? {
    for name in ["sent", "both", "count"] {
      let numbers = done(name)
      for (a, b) in zip(numbers, numbers.dropFirst()) where b.number <= a.number {
        // A message whose answer was lost is sent again, a command isn't.
        if a.number == b.number, a.ends < b.ends, name != "count" { continue }
        return "the kiosk got \(name) \(b.number) after \(a.number)"
      }
    }
    let numbers = texts("both/set").compactMap { Int($0) }
    for number in numbers where number >= 0 { return "\(number) went back to both/set" }
    for (a, b) in zip(numbers, numbers.dropFirst()) where b >= a {
      return "both/set got \(b) after \(a)"
    }
    let presses = texts("roundel/n/$node/reset/set").count
    let resets = kiosk.done.filter { $0.text == "reset" }.count
    return resets <= presses ? nil : "\(resets) resets by \(presses) presses"
  }

  // MARK: Laws of a settled system

  /// Delivers everything and advances the time until the problem is gone, and two seconds more.
  func settled(_ problem: KeyPath<BridgeModel, String?>) -> String? {
    for _ in 0..<300 {
      drain()
      if let violation { return violation }
      if self[keyPath: problem] == nil { break }
      passUntilTimer(30)
    }
    for _ in 0..<4 {
      pass(0.5)
      drain()
    }
    return violation ?? brokenOrder ?? self[keyPath: problem]
  }

  /// The last received message of a value must reach the kiosk, or its failure the log.
  private func lostMessage(_ topic: String, _ name: String, orLogged words: String) -> String? {
    guard let last = received[topic]?.last,
      !done(name).contains(where: { $0.number == last.number }),
      !log[last.lines...].contains(where: { $0.contains(words) })
    else { return nil }
    return "\(topic) \(last.number) was lost"
  }

  var absenceProblem: String? {
    if !broker.isServing("roundel_n") { return "it is not connected" }
    if retained("roundel/n/availability") != "offline" { return "it is available" }
    if let last = texts("jog").last, last != "stop" { return "jog is \(last)" }
    return nil
  }

  var presenceProblem: String? {
    if !broker.isServing("roundel_n") { return "it is not connected" }
    if retained("roundel/n/availability") != "online" { return "it is not available" }
    if retained("homeassistant/device/roundel_n/config") == nil { return "there is no discovery" }
    if retained("roundel/n/$node/problem")?.contains("OFF") != true { return "there is a problem" }
    for (name, value) in kiosk.values.sorted(by: { $0.key < $1.key }) {
      let text = JSONValue.number(value).text
      let state = retained("roundel/n/\(name)/state") ?? "nothing"
      if !state.contains("\"value\":\(text),") { return "\(name) is \(text), its state \(state)" }
      switch name {
      case "out": if retained("out") != text { return "out is \(text), not in its topic" }
      case "jog": if texts("jog").last != text { return "jog is \(text), not \(texts("jog"))" }
      case "kept":
        if let kept = retained("kept"), kept != text { return "kept is \(text), not \(kept)" }
      default: break
      }
    }
    return lostMessage("sent", "sent", orLogged: "sent:")
      ?? lostMessage("both/state", "both", orLogged: "both:")
      ?? lostMessage("roundel/n/count/set", "count", orLogged: "count")
  }

  /// Checks that everything works at the end.
  func probed() -> String? {
    let before = (
      resets: kiosk.done.filter { $0.text == "reset" }.count,
      panels: kiosk.done.count { $0.text.hasPrefix("screen.brightness") },
      sets: texts("both/set").count, counts: done("count").count, sent: done("sent").count
    )
    perform(.press("$node/reset"))
    perform(.press("panel"))
    perform(.device("roundel/n/count/set", isRetained: false))
    perform(.device("sent", isRetained: false))
    for name in ["out", "jog", "both"] { perform(.user(name)) }
    if let problem = settled(\.presenceProblem) { return "at last: \(problem)" }
    let resets = kiosk.done.filter { $0.text == "reset" }.count - before.resets
    if resets != 1 { return "\(resets) resets by the last press" }
    if kiosk.done.count(where: { $0.text.hasPrefix("screen.brightness") }) != before.panels + 1 {
      return "the panel is stuck"
    }
    if done("count").count != before.counts + 1 { return "commands are stuck" }
    if done("sent").count != before.sent + 1 { return "messages are stuck" }
    if texts("both/set").count != before.sets + 1 { return "both was not published once" }
    return nil
  }
}
