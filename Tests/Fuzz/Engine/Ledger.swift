// SPDX-License-Identifier: MIT

import RoundelControls
import RoundelExpressions
import Kiosk
import RoundelMotion

/// A simple model of presses, open menus, spins and messages, derived from the events. The kiosk must
/// agree with it after each step.
struct Ledger {
  private struct Account {
    /// Presses in progress, by wheel. Wedges and buttons have one entry.
    var presses: [String: Int] = [:]
    /// Unconfirmed choices. They may stay unconfirmed if their page was left.
    var choices = 0
    var isOpen = false
    var isSpinning = false

    var hasPress: Bool { presses.values.contains { $0 > 0 } }
    var isClosed: Bool { !hasPress && !isOpen && !isSpinning }
  }

  private var accounts: [String: Account] = [:]
  private var kinds: [String: String] = [:]
  private var pages: [String: [String]] = [:]
  private var page: String
  /// Presses of the page's background that haven't ended.
  private var groundPresses = 0
  /// Messages that were reported and not dismissed.
  private var messages = 0
  /// Whether another page was over the current one since the previous step.
  private var hasOverlay = false
  private var time: Instant

  init(_ engine: Engine) {
    // Reactions may have changed the page since.
    page = engine.description.pages[0].name
    time = .zero
    learn(engine)
  }

  private mutating func learn(_ engine: Engine) {
    kinds = [:]
    pages = [:]
    for page in engine.pages {
      pages[page.name] = page.controls.map(\.id)
      for entry in page.controls { kinds[entry.id] = entry.kind }
    }
  }

  /// Records the events of a step. Returns the violation, or nil.
  mutating func take(_ events: [Event], _ engine: Engine) -> String? {
    // Count simultaneous events. Later in a step, delayed actions that trigger themselves may cause
    // many.
    var (latest, count) = (Instant.zero, 0)
    for event in events {
      (latest, count) = (event.time, event.time == latest ? count + 1 : 1)
      if count > 100_000 { return "\(count) events at one moment" }
    }
    hasOverlay = hasOverlay || engine.overlay != nil
    for event in events {
      if let violation = book(event) { return violation }
    }
    hasOverlay = engine.overlay != nil
    guard messages == engine.reportedMessages else {
      return
        "\(messages) messages were not dismissed, and \(engine.reportedMessages) wait or are open"
    }
    guard time <= engine.now else { return "an event of the future" }
    guard page == engine.pages[engine.shownPage].name else {
      return "the last page that was reported is \(page)"
    }
    return nil
  }

  /// Records the last events of a replaced kiosk, and the events since then in `engine`, its
  /// replacement.
  mutating func replace(_ events: [Event], by engine: Engine) -> String? {
    hasOverlay = hasOverlay || engine.overlay != nil
    let start = events.firstIndex { $0.name == "reloaded" || $0.name == "restarted" }
    let end = start.map { $0 + 1 } ?? events.count
    for event in events[..<end] {
      if event.name == "page" { return "a kiosk that ends reports a page" }
      if let violation = book(event) { return violation }
    }
    let isReloaded = start.map { events[$0].name } == "reloaded"
    let open = accounts.filter { !$0.value.isClosed }.keys
    if !isReloaded || !engine.pages.contains(where: { $0.name == page }) {
      page = engine.description.pages[0].name
    }
    learn(engine)
    accounts = accounts.filter { kinds[$0.key] != nil }
    for event in events[end...] {
      if let violation = book(event) { return violation }
    }
    hasOverlay = engine.overlay != nil
    guard messages == engine.reportedMessages else {
      return "\(messages) messages were not dismissed, and \(engine.reportedMessages) continue"
    }
    // After a reload, controls with equal declarations continue; see `check`.
    guard !isReloaded else { return nil }
    return open.first { accounts[$0]?.isClosed != true }.map {
      "the \(kinds[$0] ?? "?") \($0) did not end when the kiosk was restarted"
    }
  }

  private mutating func book(_ event: Event) -> String? {
    guard event.time >= time else { return "\(event) lies before what was reported last" }
    time = event.time
    guard let id = event.control else { return book(kiosk: event) }
    guard let kind = kinds[id] else { return "\(event) of no control" }
    var account = accounts[id] ?? Account()
    let wheel =
      event.fields.first { $0.name == "wheel" }?.value.display ?? event.item ?? ""
    switch (kind, event.name) {
    case ("pinwheel", "pressed"), ("button", "pressed"):
      account.presses[wheel, default: 0] += 1
    case ("pinwheel", "selected"), ("pinwheel", "cancelled"), ("button", "selected"),
      ("button", "cancelled"):
      account.presses[wheel, default: 0] -= 1
      if account.presses[wheel, default: 0] < 0 { return "\(event) without a press" }
      if event.name == "selected" { account.choices += 1 }
    case ("pinwheel", "confirmed"), ("button", "confirmed"):
      account.choices -= 1
      if account.choices < 0 { return "\(event) without a choice" }
    case ("toggle", "pressed"): account.presses[wheel, default: 0] += 1
    case ("toggle", "cancelled"):
      account.presses[wheel, default: 0] -= 1
      if account.presses[wheel, default: 0] < 0 { return "\(event) without a press" }
    // Commands also change it.
    case ("toggle", "changed"): account.presses[wheel] = 0
    case ("timer", "due"), ("keypad", "typed"), ("keypad", "entered"): break
    case ("list", "pressed"), ("label", "pressed"), ("image", "pressed"):
      account.presses["", default: 0] += 1
    case ("label", "selected"), ("image", "selected"), ("list", "cancelled"),
      ("label", "cancelled"), ("image", "cancelled"):
      account.presses["", default: 0] -= 1
      if account.presses["", default: 0] < 0 { return "\(event) without a press" }
    // A row only reports its press if it has actions for presses.
    case ("list", "selected"): account.presses[""] = 0
    case (_, "held"), (_, "left"), (_, "returned"):
      if !account.hasPress { return "\(event) without a press" }
    case ("dial", "pressed"), ("picker", "pressed"), ("resistor", "pressed"), ("ring", "pressed"),
      ("bar", "pressed"), ("color", "pressed"):
      account.presses[wheel] = 1
    case ("dial", "settled"), ("picker", "settled"), ("resistor", "settled"), ("ring", "settled"),
      ("bar", "settled"), ("color", "settled"):
      account.presses[wheel] = 0
    case ("dial", "passing"), ("picker", "passing"), ("resistor", "passing"), ("ring", "passing"),
      ("bar", "passing"), ("color", "passing"):
      break
    case ("menu", "opened"):
      if account.isOpen { return "\(event) of an open menu" }
      account.isOpen = true
    case ("menu", "closed"):
      if !account.isOpen { return "\(event) of a closed menu" }
      account.isOpen = false
    case ("menu", "passing"), ("menu", "selected"):
      if !account.isOpen { return "\(event) of a closed menu" }
    case ("slots", "started"):
      if account.isSpinning { return "\(event) of a machine that spins" }
      account.isSpinning = true
    case ("slots", "settled"): account.isSpinning = false
    default: return "\(event) of a \(kind)"
    }
    accounts[id] = account
    return nil
  }

  private mutating func book(kiosk event: Event) -> String? {
    switch event.name {
    case "page":
      for id in pages[page] ?? [] where accounts[id]?.isClosed == false {
        return "the \(kinds[id] ?? "?") \(id) did not end when its page was left"
      }
      // A press of the page over it continues.
      if groundPresses > 0, !hasOverlay {
        return "the press of the page \(page) did not end when it was left"
      }
      dropChoices()
      let next = event.fields.first?.value.display ?? ""
      if next == page { return "the page \(page) follows itself" }
      page = next
    case "failed":
      let message = event.fields.first?.value.display ?? ""
      let known = [
        "set ", "actions take more work", "a program failed", "there is no ",
        "more than 4096 delayed", "more than 32 messages",
        // Labels in a cycle. The kiosks of programs aren't checked.
        "bindings take more work",
        // The value with a time limit.
        "far: not set for 3 seconds",
        // Random reactions trigger each other, and divide by zero.
        "reactions have triggered each other", "when ", "share: ", "hello: ", "seen: ", "isLate: ",
        // Lists from services whose items have other members.
        "paid: ", "open: ",
      ]
      // Invalid commands for controls and pages, and invalid strings. The kiosks of programs aren't checked.
      let causes = [" does not ", " has no property ", ".text: ", " shown over others"]
      if !known.contains(where: message.hasPrefix), !causes.contains(where: message.contains) {
        return "a failure of its own: \(message)"
      }
    case "slept": dropChoices()
    case "pressed": groundPresses += 1
    case "selected", "cancelled":
      groundPresses -= 1
      if groundPresses < 0 { return "\(event) without a press" }
    case "held", "left", "returned": if groundPresses == 0 { return "\(event) without a press" }
    case "swiped": break
    case "notified": messages += 1
    case "dismissed":
      messages -= 1
      if messages < 0 { return "\(event) without a message" }
    case "woken", "language", "emit", "reloaded", "restarted", "warned", "scanned": break
    default: return "\(event) of the kiosk"
    }
    return nil
  }

  /// Forgets choices on the page being left, because they aren't confirmed.
  private mutating func dropChoices() {
    for id in pages[page] ?? [] { accounts[id]?.choices = 0 }
  }

  /// Whether a control has started something that hasn't ended.
  func isInProgress(_ control: String) -> Bool { accounts[control]?.isClosed == false }

  /// Returns a contradiction between a control and its events, or nil.
  func check(_ entry: PlacedControl, isShown: Bool, in engine: Engine) -> String? {
    let account = accounts[entry.id] ?? Account()
    let name = "the \(entry.kind) \(entry.id)"
    let holders = engine.fingers.filter { engine.control(heldBy: $0) == entry.id }.count
    if holders > 0, !isShown { return "a finger holds \(name), which is not shown" }
    if holders > 0, !entry.isEnabled { return "a finger holds \(name), which is disabled" }
    let isMoving = entry.control.isMoving(at: engine.now)
    switch entry.control {
    case let wheel as Pinwheel:
      let presses = account.presses.values.reduce(0, +)
      if presses > holders || account.presses.values.contains(where: { $0 > 1 }) {
        return "\(name) has \(presses) presses and \(holders) fingers"
      }
      if wheel.heldWedges.count > holders { return "\(name) is held by nobody" }
      if !isShown, !wheel.litWedges(at: engine.now).isEmpty { return "\(name) is lit unseen" }
    case let button as Button:
      let presses = account.presses.values.reduce(0, +)
      if presses > min(holders, 1) {
        return "\(name) has \(presses) presses and \(holders) fingers"
      }
      if button.isHeld, holders == 0 { return "\(name) is held by nobody" }
    case is Label, is Picture, is List:
      if account.hasPress, holders == 0 { return "\(name) is held by nobody" }
    case is Toggle:
      if account.hasPress, holders == 0 { return "\(name) is held by nobody" }
    case is Dial, is Picker, is Resistor, is Ring, is Bar, is ColorWheel:
      let isTicking = entry.control.value(of: "ticking", at: engine.now) == .flag(true)
      if account.hasPress, holders == 0, !isMoving, !isTicking {
        return "\(name) was pressed and has not settled"
      }
    case is Menu:
      let isOpen = entry.control.value(of: "open", at: engine.now) == .flag(true)
      if isOpen != account.isOpen { return "\(name) is not open as reported" }
    case is Slots:
      let isSpinning = entry.control.value(of: "spinning", at: engine.now) == .flag(true)
      if isSpinning != account.isSpinning { return "\(name) does not spin as reported" }
      if isSpinning, !isMoving { return "\(name) spins and stands still" }
    default: break
    }
    return nil
  }
}

extension Engine {
  /// The number of reported messages that are open or wait again.
  fileprivate var reportedMessages: Int {
    handoverState.overlays.count { overlay in
      guard case .record(let fields) = overlay else { return false }
      return fields.contains { $0.name == "reported" && $0.value == .flag(true) }
    }
  }
}
