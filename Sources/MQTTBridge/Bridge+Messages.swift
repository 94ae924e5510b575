// SPDX-License-Identifier: MIT

internal import Exchange
internal import HomeAssistant
internal import RoundelJSON
internal import JSONRPC
internal import KioskProtocol

extension Bridge {
  mutating func receive(_ message: BrokerMessage) {
    guard let device,
      self.device?.receive(message, isKioskPresent: panel.isKioskPresent) == false
    else { return }
    exchange.receive(message)
    giveValues()
    if let name = device.topics.settingName(of: message.topic) { receive(message, to: name) }
  }

  private mutating func receive(_ message: BrokerMessage, to name: String) {
    func refuse(_ reason: String) { report("\(message.topic): \(reason)") }
    if name == Topics.latest {
      if !panel.recordLatest(message.payload) { refuse("not a version") }
      return publishVersions()
    }
    guard let entity = entities?[name] else {
      return refuse("the kiosk has no \(JSONValue.string(name).text)")
    }
    guard !message.isRetained else {
      return refuse("retained messages are ignored; publish without the retain flag")
    }
    guard panel.isKioskPresent || name.hasPrefix(Topics.ofNode) else {
      return refuse("not connected to the kiosk")
    }
    do throws(MessageError) {
      commands[name, default: CommandSession()].receive(try entity.commands(message.payload))
      perform(name)
    } catch {
      refuse("\(error)")
    }
  }

  /// Sends the message of an action `publish`, which isn't kept.
  mutating func publish(_ event: [JSONValue.Member]) {
    func value(_ name: String) -> JSONValue? { event.first { $0.name == name }?.value }
    guard let topic = value("mqtt")?.string, let payload = value("payload")?.string else { return }
    guard let device, device.broker.session.connection != nil else {
      guard kiosk.session?.isConnectionKnown == true else { return }
      return exchange.report(
        "cannot publish \(topic): not connected to the broker", to: kiosk.session)
    }
    var message = BrokerMessage(topic, payload, isRetained: value("retain")?.bool ?? false)
    message.quality = value("qos")?.integer ?? 0
    device.broker.publish(message)
  }

  private mutating func report(_ failure: String) {
    if let line = failures.line(failure, at: actions.now) { actions.log(line) }
  }

  /// Stops at a command that waits for the kiosk's answer.
  private mutating func perform(_ name: String) {
    while let command = commands[name]?.takeNext() {
      if command == .update {
        if let problem = settings.requestUpdate() { report("\(name): \(problem)") }
      } else if let session = kiosk.session, let call = command.call {
        let request = session.send(call.method, call.parameters, for: .entity(name))
        commands[name]?.recordRequest(request, for: command)
      } else {
        let isAway = kiosk.session == nil
        report(
          "\(name): \(isAway ? "not connected to the kiosk" : "available in kiosk files only")")
      }
    }
    if commands[name]?.isIdle == true { commands[name] = nil }
  }

  mutating func recordAnswer(to request: Int, of name: String, _ outcome: RequestOutcome) {
    guard let command = commands[name]?.recordAnswer(to: request) else { return }
    if let problem = outcome.problem {
      report("\(name): \(problem)")
    } else if command == .screenshot, case .done(let json) = outcome {
      publishPicture(json, for: name)
    }
    perform(name)
  }

  private mutating func publishPicture(_ json: JSONValue, for name: String) {
    guard let device, device.broker.session.connection != nil else { return }
    guard let picture = ScreenshotAnswer(json) else {
      return report("\(name): cannot read the screenshot")
    }
    let description = panel.description(of: picture, at: actions.now)
    device.broker.publish(
      BrokerMessage(device.topics.picture, picture.png, isRetained: false))
    device.broker.publish(device.topics.proof, description.text, isRetained: false)
  }

  /// Drops pending commands, because late effects would surprise users.
  mutating func dropCommands(because reason: String) {
    for name in commands.keys.sorted() where commands[name]?.dropWaiting() == true {
      report("\(name): \(reason)")
    }
  }
}
