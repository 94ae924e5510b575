// SPDX-License-Identifier: MIT

package import RoundelGeometry
internal import RoundelJSON
package import Kiosk
package import JSONRPC

extension JSONType where Value == Target {
  package static let target = JSONType("a string, CONTROL or CONTROL/ITEM", .schema("string")) {
    $0.string.flatMap { Target($0) }
  } write: {
    .string("\($0)")
  }
}

extension JSONType where Value == Reference {
  package static let property = JSONType(
    "a string, CONTROL.PROPERTY or the name of a value", .schema("string")
  ) {
    $0.string.flatMap { Reference($0) }
  } write: {
    .string("\($0)")
  }
}

extension JSONType where Value == Point {
  package static let point = JSONType("[x, y] in design pixels", .numbers(2)) { json in
    // The limit is about a hundred screens. Sums of larger numbers might overflow.
    guard let numbers = numbers(2, json), numbers.allSatisfy({ abs($0) <= 1e6 }) else {
      return nil
    }
    return Point(numbers[0], numbers[1])
  } write: {
    .array([.number($0.x), .number($0.y)])
  }

  /// A point rounded to a hundredth of a pixel.
  package static let roundedPoint = JSONType(
    "[x, y] in design pixels", .numbers(2), read: point.read
  ) {
    func rounded(_ value: Double) -> JSONValue { .number((value * 100).rounded() / 100) }
    return .array([rounded($0.x), rounded($0.y)])
  }
}

extension JSONType where Value == [UInt8] {
  package static let base64 = JSONType("a string in base64", .schema("string")) {
    $0.string.flatMap { Base64.decode($0) }
  } write: {
    .string(String(decoding: Base64.encode($0), as: UTF8.self))
  }
}

extension JSONType where Value == Double {
  /// A number rounded to a microsecond, because further digits are meaningless.
  package static let seconds = JSONType("a number", .schema("number"), read: \.number) {
    .number(($0 * 1e6).rounded() / 1e6)
  }
}

extension JSONType where Value == Size {
  package static let size = JSONType("[width, height] in design pixels", .numbers(2)) {
    numbers(2, $0).map { Size($0[0], $0[1]) }
  } write: {
    .array([.number($0.width), .number($0.height)])
  }
}

extension JSONType where Value == Rect {
  package static let rect = JSONType("[x, y, width, height] in design pixels", .numbers(4)) {
    json in
    guard let numbers = numbers(4, json), numbers.allSatisfy({ abs($0) <= 1e6 }), numbers[2] > 0,
      numbers[3] > 0
    else { return nil }
    return Rect(origin: Point(numbers[0], numbers[1]), size: Size(numbers[2], numbers[3]))
  } write: {
    .array([.number($0.x0), .number($0.y0), .number($0.width), .number($0.height)])
  }
}

extension JSONType where Value == PixelSize {
  private static let maximumSide = 16384

  package static let pixelSize = JSONType(
    "[width, height] in pixels, 1 … \(maximumSide) each", .numbers(2)
  ) {
    guard let numbers = numbers(2, $0) else { return nil }
    let sides = numbers.compactMap { Int(exactly: $0) }
    guard sides.count == 2, sides.allSatisfy({ (1...maximumSide).contains($0) }) else { return nil }
    return PixelSize(sides[0], sides[1])
  } write: {
    .array([.number(Double($0.width)), .number(Double($0.height))])
  }
}

extension JSONType where Value == Rotation {
  package static let rotation = JSONType("0, 90, 180 or 270", .schema("integer")) {
    $0.integer.flatMap { Rotation(rawValue: $0) }
  } write: {
    .number(Double($0.rawValue))
  }
}

extension JSONType where Value == FallbackKind {
  package static let fallbackKind = JSONType("copy or page", .schema("string")) {
    $0.string.flatMap { FallbackKind(rawValue: $0) }
  } write: {
    .string($0.rawValue)
  }
}

extension JSONValue {
  fileprivate static func numbers(_ count: Double) -> JSONValue {
    .schema(
      "array", .init("items", .schema("number")), .init("minItems", .number(count)),
      .init("maxItems", .number(count)))
  }
}

/// Returns nil unless the list has `count` numbers.
private func numbers(_ count: Int, _ json: JSONValue) -> [Double]? {
  guard case .array(let list) = json, list.count == count else { return nil }
  let numbers = list.compactMap(\.number)
  return numbers.count == count ? numbers : nil
}
