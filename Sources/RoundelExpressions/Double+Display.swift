// SPDX-License-Identifier: MIT

internal import Glibc

extension Double {
  /// The shortest text with at most 15 significant digits, which are exact, and hide rounding
  /// errors (0.1 + 0.2 is 0.3). Numbers below 10⁻⁶, and of at least 10²¹, have an exponent, as in
  /// JavaScript. Zero has no sign.
  var display: String {
    guard isFinite else { return isNaN ? "nan" : self < 0 ? "-inf" : "inf" }
    if let whole = Int(exactly: self), whole.magnitude < 1_000_000_000_000_000 {
      return String(whole)
    }
    let sign = self < 0 ? "-" : ""
    let shortest = magnitude.description
    // At most 15 digits, a point and a denormal number's exponent, whose other digits are noise.
    let isShort =
      shortest.utf8.contains(UInt8(ascii: "e"))
      ? isSubnormal && shortest.utf8.count <= 21 : shortest.utf8.count <= 16
    if isShort { return sign + shortest }
    let parts = magnitude.printed("e", precision: 14).split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return description }
    let text =
      switch exponent {
      case -6..<15: Self.shortened(magnitude.printed("f", precision: 14 - exponent)[...])
      case 15..<21: parts[0].filter { $0 != "." } + String(repeating: "0", count: exponent - 14)
      default: "\(Self.shortened(parts[0]))e\(exponent)"
      }
    return sign + text
  }

  /// Omits the zeros at the end of a fraction.
  private static func shortened(_ text: Substring) -> String {
    guard text.utf8.contains(UInt8(ascii: ".")) else { return String(text) }
    let end = text.lastIndex { $0 != "0" } ?? text.startIndex
    return String(text[end] == "." ? text[..<end] : text[...end])
  }

  /// printf(3) for finite numbers, with a precision of at most `NumberFormat.maximumLength`. Ties
  /// round to the even digit.
  func printed(_ conversion: Unicode.Scalar, precision: Int) -> String {
    // The largest number has 309 digits before the point.
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
      guard let start = buffer.baseAddress else { return "" }
      // The argument matches the format, and vsnprintf terminates the text.
      return unsafe withVaList([self]) { arguments in
        _ = unsafe vsnprintf(start, buffer.count, "%.\(precision)\(conversion)", arguments)
        return unsafe String(cString: start)
      }
    }
  }
}
