// SPDX-License-Identifier: MIT

package import JSON

/// What a message asks of a kiosk.
package enum Order: Hashable, Sendable {
  case set(property: String, JSONValue)
  case go(page: String)
  case blank(Bool)
}

/// Why a message asks for nothing that a kiosk can do.
package struct OrderError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String
}

extension Entity {
  /// Bytes of a message; as much as a kiosk takes of a value.
  package static let maximumPayloadBytes = 16 << 10

  /// What a message to its topic asks for, in order. Nothing comes of a part where another is wrong.
  package func orders(_ payload: [UInt8]) throws(OrderError) -> [Order] {
    guard let setting else { throw OrderError(description: "\(name) can be read, not set") }
    guard payload.count <= Self.maximumPayloadBytes else {
      throw OrderError(
        description: "\(payload.count) bytes are too many (at most \(Self.maximumPayloadBytes))")
    }
    guard let text = String(validating: payload, as: UTF8.self) else {
      throw OrderError(description: "this is no UTF-8")
    }
    switch setting {
    case .page:
      guard options.contains(text) else { throw mistake(text, expected: listed(options)) }
      return [.go(page: text)]
    case .panel: return try panelOrders(text)
    case .property(let property, let kind):
      return [.set(property: property, try value(text, kind))]
    }
  }

  private func value(_ text: String, _ kind: Kind) throws(OrderError) -> JSONValue {
    switch kind {
    case .text:
      guard platform != .select || options.contains(text) else {
        throw mistake(text, expected: listed(options))
      }
      return .string(text)
    case .index:
      guard let index = options.firstIndex(of: text) else {
        throw mistake(text, expected: listed(options))
      }
      return .number(Double(index))
    case .flag:
      switch text.lowercased() {
      case "on", "true", "1": return .bool(true)
      case "off", "false", "0": return .bool(false)
      default: throw mistake(text, expected: "ON or OFF")
      }
    case .number:
      // As JSON has numbers: no "inf", no "0x1p3".
      guard case .number(let number)? = try? JSONValue(parsing: text.utf8), number.isFinite else {
        throw mistake(text, expected: "a number")
      }
      let (low, high) = (minimum ?? -.infinity, maximum ?? .infinity)
      guard (low...max(low, high)).contains(number) else {
        let bounds = [minimum.map { "\($0)" } ?? "", maximum.map { "\($0)" } ?? ""]
        throw mistake(text, expected: "a number, " + bounds.joined(separator: " … "))
      }
      return .number(number)
    }
  }

  /// `{"state": "ON", "brightness": 128}`, as Home Assistant writes it; either may be missing.
  private func panelOrders(_ text: String) throws(OrderError) -> [Order] {
    let expected = #"{"state": "ON" or "OFF", "brightness": 0 … 255}"#
    guard let json = try? JSONValue(parsing: text.utf8, maximumValues: 100), case .object = json
    else { throw mistake(text, expected: expected) }
    var orders: [Order] = []
    if let brightness = json["brightness"] {
      guard let number = brightness.number, (0...Double(Self.maximumBrightness)).contains(number)
      else { throw mistake(text, expected: expected) }
      orders.append(
        .set(property: "screen.brightness", .number(number / Double(Self.maximumBrightness))))
    }
    switch json["state"]?.string {
    case "ON": orders.append(.blank(false))
    case "OFF": orders.append(.blank(true))
    default:
      guard json["state"] == nil, !orders.isEmpty else { throw mistake(text, expected: expected) }
    }
    return orders
  }

  private func mistake(_ text: String, expected: String) -> OrderError {
    let shown = text.unicodeScalars.count > 60 ? String(text.prefix(60)) + "…" : text
    return OrderError(description: "\(JSONValue.string(shown).text) is not \(expected)")
  }

  private func listed(_ options: [String]) -> String {
    "one of " + options.prefix(20).joined(separator: ", ") + (options.count > 20 ? ", …" : "")
  }
}
