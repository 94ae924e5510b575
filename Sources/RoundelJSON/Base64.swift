// SPDX-License-Identifier: MIT

/// Base64 encoding. Source: RFC 4648, section 4.
package enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var bits = UInt32(bytes[start]) << 16
      if count > 1 { bits |= UInt32(bytes[start + 1]) << 8 }
      if count > 2 { bits |= UInt32(bytes[start + 2]) }
      text.append(digits[Int(bits >> 18)])
      text.append(digits[Int(bits >> 12 & 63)])
      text.append(count > 1 ? digits[Int(bits >> 6 & 63)] : UInt8(ascii: "="))
      text.append(count > 2 ? digits[Int(bits & 63)] : UInt8(ascii: "="))
    }
    return text
  }

  /// Returns nil for text that `encode` doesn't write.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    let text = Array(text.utf8)
    guard text.count % 4 == 0 else { return nil }
    let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    for (place, digit) in text.dropLast(padding).enumerated() {
      let value = values[Int(digit)]
      guard value != 255 else { return nil }
      bits = bits << 6 | UInt32(value)
      // Each digit after the first of four completes a byte.
      if place % 4 > 0 { bytes.append(UInt8(truncatingIfNeeded: bits >> [0, 4, 2, 0][place % 4])) }
    }
    return bytes
  }
}
