// SPDX-License-Identifier: MIT

internal import Exchange
internal import HomeAssistant
internal import KioskProtocol
internal import RoundelJSON

extension Bridge {
  mutating func handle(_ report: KioskReport) {
    switch report {
    case .described(let status, let tree): describe(status, tree)
    case .status(let status): record(status)
    case .silent:
      recordAbsence("no answer")
      panel.set(problem: "the kiosk does not answer")
      publishProblem()
      dropCommands(because: "the kiosk does not answer")
    case .lostNotifications: device?.endAllTurns()
    case .reconnected(let reason):
      actions.log("connected to the kiosk again: \(reason)")
      device?.endAllTurns()
    case .away(let reason): recordAbsence(reason)
    case .event(let members): receive(event: members)
    case .value(let expression, let value, let cause, let isSettled):
      // A hung kiosk repeats its late reports.
      if panel.isKioskPresent { exchange.record(expression, is: value, isSettled: isSettled) }
      record(expression, is: value, by: cause)
    case .answered(.value(let expression), let request, let outcome):
      exchange.recordAnswer(to: request, of: expression, outcome, from: kiosk.session)
    case .answered(.entity(let name), let request, let outcome):
      recordAnswer(to: request, of: name, outcome)
    }
    giveValues()
  }

  mutating func giveValues() {
    if panel.isKioskPresent, let session = kiosk.session { exchange.advance(session) }
  }

  // MARK: The kiosk's description

  private mutating func describe(_ status: StatusAnswer, _ tree: TreeAnswer) {
    device?.endAllTurns()
    guard status.fallbackKind != .page else {
      record(status)
      if panel.isKioskPresent {
        actions.log("the kiosk has a fault: \(status.fault ?? "")")
      }
      return setKiosk(isShown: false)
    }
    if settings.node == nil { setTopics(settings.topics(of: status.kiosk)) }
    guard let topics = device?.topics else { return }
    let entities = KioskEntities(tree)
    announce(
      entities, of: settings.node?.title ?? status.kiosk, showing: status.kiosk,
      version: status.version)
    record(status)
    panel.setLight(isAwake: !status.isBlank, at: actions.now)
    publishLight()
    let hasNewValues = exchange.describe(by: tree)
    wills.renew(for: exchange.values.values, as: topics.device)
    kiosk.isCheckedOften = exchange.hasMachines
    let wasPresent = panel.isKioskPresent
    if !wasPresent {
      actions.log("connected to the kiosk \(status.kiosk) with \(entities.all.count) entities")
    }
    setKiosk(isShown: true)
    if !wasPresent || hasNewValues { kiosk.session?.endWatches() }
    watch(entities)
  }

  private mutating func record(_ status: StatusAnswer) {
    panel.record(status, at: actions.now)
    publishStatus()
  }

  private func watch(_ entities: KioskEntities) {
    let expressions = entities.all.compactMap { entity in
      switch entity.source {
      case .expression(let text): text
      case .panel: Self.brightness
      case .events, .problem, .versions, .picture, .nothing: nil
      }
    }
    var seen: Set<String> = []
    let unique = expressions.filter { seen.insert($0).inserted }
    let values = exchange.values
    kiosk.session?.watch(
      unique.filter(values.isTwoWay), and: unique.filter { !values.isTwoWay($0) },
      phased: values.phased)
  }

  private static let brightness = "screen.brightness"

  // MARK: Presence

  private mutating func setKiosk(isShown: Bool) {
    let wasPresent = panel.isKioskPresent
    panel.setKiosk(isShown: isShown, at: actions.now)
    recordPresence(wasPresent)
  }

  private mutating func recordAbsence(_ reason: String) {
    let wasPresent = panel.isKioskPresent
    if panel.recordAbsence(reason, at: actions.now) {
      actions.log("not connected to the kiosk: \(reason)")
    }
    recordPresence(wasPresent)
  }

  private mutating func recordPresence(_ wasPresent: Bool) {
    guard panel.isKioskPresent != wasPresent else { return }
    if wasPresent {
      exchange.recordAbsence()
      wills.endAll()
    }
    device?.publishAvailability(!wasPresent)
  }

  // MARK: Values and events

  private mutating func record(_ expression: String, is value: JSONValue, by cause: String) {
    guard let topics = device?.topics, let entities else { return }
    if expression == "page" { panel.show(page: value.string, at: actions.now) }
    for entity in entities.all {
      switch entity.source {
      case .expression(expression):
        if entity.isRejected(value) { kiosk.session?.describeSoon() }
        let topic = topics.state(entity.name)
        if entity.isTurned, cause == "command" || cause == "action" {
          device?.recordTurn(of: topic)
        }
        device?.set(topic, to: entity.state(of: value, by: cause), passedBy: entity.rotaryControls)
      case .panel where expression == Self.brightness:
        panel.setLight(brightness: value.number ?? 1, by: cause)
        publishLight()
      default: break
      }
    }
  }

  private mutating func receive(event: [JSONValue.Member]) {
    func text(_ name: String) -> String? { event.first { $0.name == name }?.value.string }
    switch event.kioskEvent {
    case "restarted":
      exchange.recordRestart()
      // New watches report unchanged values, too.
      kiosk.session?.endWatches()
    case "slept", "woken":
      panel.setLight(
        isAwake: event.kioskEvent == "woken", by: text("by") ?? "time", at: actions.now)
      publishLight()
    case "publish": publish(event)
    default: break
    }
    guard panel.isKioskPresent, let topics = device?.topics, let entities else { return }
    let control = text("control")
    if let control, let name = text("event") {
      let rotaryControl = text("wheel").map { "\(control).\($0)" } ?? control
      switch name {
      case "pressed" where entities.rotaryControls.contains(rotaryControl):
        device?.beginTurn(of: rotaryControl)
      case "settled", "cancelled": device?.endTurn(of: rotaryControl)
      default: break
      }
    }
    for entity in entities.all {
      guard case .events(control) = entity.source, let state = entity.state(ofEvent: event) else {
        continue
      }
      device?.publish(event: state.text, to: topics.state(entity.name))
    }
  }
}
