// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelDrawing
import RoundelExpressions
import RoundelGeometry
import Kiosk
import RoundelMotion
import TestSupport

/// A kiosk and its inputs, all derived from one number.
struct Session {
  static let length = 500

  private var random: SeededGenerator
  private var fingers: RandomFingers
  private var kiosks: RandomKiosk
  private var description: Description
  private var engine: Engine
  private var ledger: Ledger
  private let isVerbose: Bool
  /// Whether a turn has dropped actions, which may include the actions of an end.
  private var hasDropped = false
  private(set) var totals = Totals(sessions: 1)

  init(number: UInt64, isVerbose: Bool = false) {
    random = SeededGenerator(seed: number)
    fingers = RandomFingers(seed: ~number)
    kiosks = RandomKiosk(seed: number &* 0x9e37_79b9)
    description = kiosks.description()
    engine = Engine(description, seed: number)
    ledger = Ledger(engine)
    self.isVerbose = isVerbose
  }

  /// Runs all steps. Returns the violation, or nil.
  mutating func run() -> String? {
    var (summary, list) = (engine.pictureSummary, engine.displayList)
    for step in 0..<Self.length {
      if let violation = take(step) { return "step \(step): \(violation)" }
      let (former, shown) = (summary, list)
      (summary, list) = (engine.pictureSummary, engine.displayList)
      if summary == former, list != shown {
        return "step \(step): the picture changes, its look not"
      }
    }
    return nil
  }

  private func log(_ step: @autoclosure () -> String) {
    if isVerbose { print("\(engine.now.seconds) \(step())") }
  }

  // MARK: Steps

  private mutating func take(_ step: Int) -> String? {
    let target = engine.now + fingers.pause
    if step % 32 == 7, let violation = compareWays(to: target) { return violation }
    if step % 32 == 15, let violation = ContractLaw.violationAtEnd(of: engine) { return violation }
    if step % 8 == 3 {
      totals.counts["(reloads of an equal file)", default: 0] += 1
      var law = IdentityLaw(fingers, kiosks)
      if let violation = law.violation(of: engine, description) { return violation }
    }
    if step % 8 == 5, let changed = changedDescription() {
      totals.counts["(reloads of another control)", default: 0] += 1
      var law = IdentityLaw(fingers, kiosks)
      if let violation = law.violation(of: engine, changed, hasSamePicture: false) {
        return "with another control, \(violation)"
      }
    }
    if step % 4 == 1,
      let violation = AlwaysLaw.violation(
        of: engine, &totals.counts["(touches of controls that are always available)", default: 0])
    {
      return violation
    }
    if step % 16 == 9, let violation = HandoverLaw.violation(of: engine) { return violation }
    if step % 32 == 23, let violation = ResetLaw.violation(of: engine, seed: UInt64(step)) {
      return violation
    }
    var expectedPage: String?
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<60:
      let touch = fingers.touch(on: engine)
      log("\(touch.phase) \(touch.finger) at \(touch.position)")
      engine.handle(touch, at: target)
    case 60..<75:
      log("advance by \(target - engine.now)")
      engine.advance(to: target)
    case 75..<88:
      let command = kiosks.command()
      log("\(command)")
      engine.advance(to: target)
      // An explicit `go` reaches its page. Events caused by leaving a page don't lead elsewhere.
      if (try? engine.apply(command)) != nil, command.kind.name == "go",
        case .text(let page)? = command.arguments.first, engine.has(page: page)
      {
        expectedPage = page
      }
    case 88..<91:
      log("shake")
      engine.shake(at: target)
    case 91..<93:
      log("wake")
      engine.setBlank(false)
    case 93..<95:
      log("take all fingers")
      engine.cancelTouches(at: target)
    case 95..<96:
      log("a program fails")
      engine.reportFailure("a program failed", at: target)
    case 96..<98:
      engine.advance(to: target)
      if let violation = ledger.take(engine.takeEvents(), engine) { return violation }
      if Bool.random(using: &random) { description = kiosks.description() }
      log("reload")
      engine.replace(with: description, seed: 1)
      return collect(isReplaced: true) ?? check()
    case 98:
      engine.advance(to: target)
      if let violation = ledger.take(engine.takeEvents(), engine) { return violation }
      log("restart")
      let seed = random.next()
      engine.restart(description, seed: seed)
      return collect(isReplaced: true) ?? check()
    default:
      log("look")
      let summary = engine.pictureSummary
      let list = engine.displayList
      if summary != engine.pictureSummary || list != engine.displayList {
        return "a look has changed the kiosk"
      }
    }
    if let violation = collect(isReplaced: false) ?? check() { return violation }
    // Reactions and the actions of shown pages may change the page.
    let reacts =
      !engine.description.reactions.isEmpty
      || engine.description.pages.contains { !$0.reactions.isEmpty || !$0.actions.isEmpty }
    if let expectedPage, !reacts, engine.pages[engine.shownPage].name != expectedPage {
      return "went to \(expectedPage), is on \(engine.pages[engine.shownPage].name)"
    }
    return nil
  }

  /// Returns the description with a changed appearance of a random control at rest, and one more control behind all
  /// others, which shifts their indices. Nil if the control isn't at rest.
  private mutating func changedDescription() -> Description? {
    let page = Int.random(in: description.pages.indices, using: &random)
    guard let control = description.pages[page].controls.indices.randomElement(using: &random)
    else { return nil }
    let id = description.pages[page].controls[control].id
    guard let entry = engine.placedControl(id), !entry.control.isMoving(at: engine.now),
      entry.control.nextChange(after: engine.now) == nil,
      engine.value(of: "open", of: id) != .flag(true),
      !engine.hasFocus || ![nil, id].contains(engine.focusedControl),
      !engine.fingers.contains(where: { engine.control(heldBy: $0) == id })
    else { return nil }
    var changed = description
    changed.pages[page].controls[control].font = "serif"
    changed.pages[page].controls.insert(
      PlacedControl(id: "new", kind: "label", control: Label(center: .zero, text: "")), at: 0)
    return changed
  }

  // MARK: Invariants

  private mutating func collect(isReplaced: Bool) -> String? {
    let events = engine.takeEvents()
    if ContractLaw.isExcused(by: events) { hasDropped = true }
    for event in events { totals.counts[event.name, default: 0] += 1 }
    if isVerbose {
      for event in events {
        print("    \(event.time.seconds) \(event.control ?? "-") \(event.name) \(event.item ?? "")")
      }
    }
    _ = engine.takePrograms()
    if isReplaced { return ledger.replace(events, by: engine) }
    return ledger.take(events, engine)
  }

  private func check() -> String? {
    guard engine.pages.indices.contains(engine.shownPage) else { return "no such page is shown" }
    if let next = engine.nextChange, next <= engine.now { return "nextChange lies behind" }
    for (page, controls) in engine.pages.map(\.controls).enumerated() {
      for entry in controls {
        if let next = entry.control.nextChange(after: engine.now), next <= engine.now {
          return "the next change of the \(entry.kind) \(entry.id) lies behind"
        }
        // A ring that spins without a value has no end.
        if entry.control.isMoving(at: engine.now), (entry.control as? Ring)?.isSpinning != true,
          entry.control.nextChange(after: engine.now) == nil
        {
          return "the \(entry.kind) \(entry.id) moves without an end"
        }
        let isShown = [engine.shownPage, engine.overlay].contains(page) && !engine.isBlank
        if let violation = ledger.check(entry, isShown: isShown, in: engine) { return violation }
      }
    }
    if !hasDropped,
      let violation = ContractLaw.violation(in: engine, { ledger.isInProgress($0) })
    {
      return violation
    }
    if engine.isBlank, !engine.displayList.items.isEmpty {
      return "a sleeping panel shows something"
    }
    return nil
  }

  /// Advancing in one step must have the same effect as advancing in many steps.
  private mutating func compareWays(to target: Instant) -> String? {
    var (one, many) = (engine, engine)
    one.advance(to: target)
    var stops = (0..<3).map { _ in
      Instant(
        microseconds: Int64.random(
          in: many.now.microseconds...target.microseconds, using: &random))
    }
    stops.sort()
    for stop in stops { many.advance(to: stop) }
    many.advance(to: target)
    let (events, others) = (one.takeEvents(), many.takeEvents())
    // Labels in a cycle exceed the budget in each turn that reads the clock.
    guard events == others || ContractLaw.isExcused(by: events + others) else {
      let place = zip(events, others).prefix { $0 == $1 }.count
      return "time in steps brings about other events, from number \(place) on: "
        + "\(events.dropFirst(place).first.map { "\($0)" } ?? "none") and "
        + "\(others.dropFirst(place).first.map { "\($0)" } ?? "none")"
    }
    guard one.displayList == many.displayList else { return "time in steps looks different" }
    for entry in one.pages.flatMap(\.controls) {
      for property in entry.control.properties {
        // Compare strings, because NaN doesn't equal itself.
        let value = one.value(of: property, of: entry.id)?.display
        guard value == many.value(of: property, of: entry.id)?.display else {
          return "time in steps leads to another \(entry.kind).\(property)"
        }
      }
    }
    return nil
  }
}
