// SPDX-License-Identifier: MIT

package import Exchange
internal import RoundelDeclarations
internal import RoundelExpressions
package import RoundelJSON
package import Kiosk
internal import KioskProtocol
internal import JSONRPC

package enum IncomingCommand: Hashable, Sendable {
  case command(Command)
  case restart
  case update
  case screenshot

  /// Nil if clients can't send it, or another program performs it.
  package var call: (method: String, parameters: [JSONValue.Member])? {
    switch self {
    case .command(let command): command.call()
    case .restart: (RestartRequest.method.name, [])
    case .screenshot: (ScreenshotRequest.method.name, ScreenshotRequest().jsonMembers)
    case .update: nil
    }
  }
}

extension Entity {
  /// A kiosk's limit for values, in bytes.
  package static let maximumPayloadBytes = 16 << 10

  /// Throws if any part of the message is invalid.
  package func commands(_ payload: [UInt8]) throws(MessageError) -> [IncomingCommand] {
    guard let setting else { throw MessageError(description: "\(name) can be read, not set") }
    guard payload.count <= Self.maximumPayloadBytes else {
      throw MessageError(
        description:
          "the message is too long: \(payload.count) bytes (at most \(Self.maximumPayloadBytes))")
    }
    guard let text = String(validating: payload, as: UTF8.self) else {
      throw MessageError(description: "the message is not UTF-8")
    }
    switch setting {
    case .page:
      guard options.contains(text) || Destination.words.contains(text) else {
        throw messageError(text, expected: listed(options))
      }
      return [.command(.go(page: text))]
    case .panel: return try panelCommands(text)
    case .message: return [.command(.notify(try message(text)))]
    case .press(let command):
      guard text == Self.press else { throw messageError(text, expected: Self.press) }
      return [command]
    case .property(let property, let kind):
      return [.command(.set(property, try value(text, kind)))]
    }
  }

  /// Home Assistant's message for a pressed button.
  static let press = "PRESS"

  private func value(_ text: String, _ kind: Kind) throws(MessageError) -> Value {
    switch kind {
    case .text:
      guard platform != .select || options.contains(text) else {
        throw messageError(text, expected: listed(options))
      }
      return .text(text)
    case .index:
      guard let index = options.firstIndex(of: text) else {
        throw messageError(text, expected: listed(options))
      }
      return .number(Double(index))
    case .flag:
      guard let isOn = text.switchState else { throw messageError(text, expected: "ON or OFF") }
      return .flag(isOn)
    case .list:
      guard let json = try? JSONValue(parsing: text.utf8), case .array = json,
        let list = Value(json)
      else { throw messageError(text, expected: "a JSON list") }
      return list
    case .number:
      // Excludes "inf" and "0x1p3".
      guard case .number(let number)? = try? JSONValue(parsing: text.utf8), number.isFinite else {
        throw messageError(text, expected: rangedNumber)
      }
      guard number >= minimum ?? -.infinity, number <= maximum ?? .infinity else {
        throw MessageError(
          description: "\(JSONValue.number(number).text) is out of range; expected \(rangedNumber)")
      }
      return .number(number)
    }
  }

  /// Parses a plain message, or an object with `text`, `title`, `level` and `seconds`.
  private func message(_ text: String) throws(MessageError) -> Message {
    guard let json = try? JSONValue(parsing: text.utf8, maximumValues: 100), case .object = json
    else {
      guard !text.isEmpty else { throw messageError(text, expected: "a message") }
      return Message(text)
    }
    let title = json["title"] ?? .string("")
    let level = json["level"] ?? .string(Message.Level.info.rawValue)
    let seconds = json["seconds"] ?? .number(0)
    guard let own = json["text"]?.string, let title = title.string,
      let level = level.string.flatMap(Message.Level.init), let seconds = seconds.number,
      (0...Message.maximumSeconds).contains(seconds)
    else {
      throw messageError(
        text,
        expected: #"{"text": "…", "title": "…", "level": "info" or "alarm", "seconds": 0 … 86400}"#)
    }
    return Message(own, title: title, level: level, seconds: seconds)
  }

  private var rangedNumber: String {
    func text(_ bound: Double) -> String { JSONValue.number(bound).text }
    return switch (minimum, maximum) {
    case (let low?, let high?): "a number from \(text(low)) to \(text(high))"
    case (let low?, nil): "a number of at least \(text(low))"
    case (nil, let high?): "a number of at most \(text(high))"
    case (nil, nil): "a number"
    }
  }

  /// Parses Home Assistant's `{"state": "ON", "brightness": 128}`. Both members are optional.
  private func panelCommands(_ text: String) throws(MessageError) -> [IncomingCommand] {
    let expected =
      isDimmable
      ? #"{"state": "ON" or "OFF", "brightness": 0 … 255}"# : #"{"state": "ON" or "OFF"}"#
    guard let json = try? JSONValue(parsing: text.utf8, maximumValues: 100), case .object = json
    else { throw messageError(text, expected: expected) }
    var commands: [IncomingCommand] = []
    if let brightness = json["brightness"] {
      guard isDimmable else {
        throw MessageError(
          description:
            "the brightness follows an expression of the kiosk; set the values in that expression")
      }
      guard let number = brightness.number, (0...Double(Self.maximumBrightness)).contains(number)
      else { throw messageError(text, expected: expected) }
      let brightness = Value.number(number / Double(Self.maximumBrightness))
      commands.append(.command(.set(.screenBrightness, brightness)))
    }
    switch json["state"]?.string {
    case "ON": commands.append(.command(.blank(false)))
    case "OFF": commands.append(.command(.blank(true)))
    default:
      guard json["state"] == nil, !commands.isEmpty else {
        throw messageError(text, expected: expected)
      }
    }
    return commands
  }

  private func messageError(_ text: String, expected: String) -> MessageError {
    MessageError(description: "\(text.quoted) is not \(expected)")
  }

  private func listed(_ options: [String]) -> String {
    "one of " + options.prefix(20).joined(separator: ", ") + (options.count > 20 ? ", …" : "")
  }
}

extension Reference {
  fileprivate static let screenBrightness = Reference.property(
    PropertyPath(control: "screen", property: "brightness"))
}
