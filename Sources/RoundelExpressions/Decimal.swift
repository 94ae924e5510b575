// SPDX-License-Identifier: MIT

internal import Glibc

/// The decimal digits of a number without its sign: 0.d₁d₂d₃… × 10^`point`. Zero has no digits.
struct Decimal {
  private(set) var digits: [UInt8] = []
  private(set) var point = 0

  /// Parses text such as `12.5` or `1.25e+01`.
  init(_ text: String) {
    var exponent = 0
    var hasPoint = false
    var text = text.utf8[...]
    if let mark = text.firstIndex(of: UInt8(ascii: "e")) {
      exponent = Int(Substring(text[text.index(after: mark)...])) ?? 0
      text = text[..<mark]
    }
    for byte in text {
      if byte == UInt8(ascii: ".") {
        hasPoint = true
      } else {
        if !hasPoint { point += 1 }
        digits.append(byte - UInt8(ascii: "0"))
      }
    }
    let zeros = digits.prefix { $0 == 0 }.count
    digits.removeFirst(zeros)
    point += exponent - zeros
    while digits.last == 0 { digits.removeLast() }
    if digits.isEmpty { point = 0 }
  }

  /// The digit with the weight 10^`power`.
  private func digit(_ power: Int) -> UInt8 {
    let index = point - 1 - power
    return UInt8(ascii: "0") + (digits.indices.contains(index) ? digits[index] : 0)
  }

  /// All digits without an exponent, at least one before the decimal point.
  var plain: String {
    let whole = (0..<max(point, 1)).reversed().map(digit)
    let fraction = (0..<max(digits.count - point, 0)).map { digit(-1 - $0) }
    let mark = fraction.isEmpty ? [] : [UInt8(ascii: ".")]
    return String(decoding: whole + mark + fraction, as: UTF8.self)
  }

  /// The power of ten of the first digit.
  var exponent: Int { digits.isEmpty ? 0 : point - 1 }

  /// Has the decimal point after the first digit.
  var significand: Decimal {
    var copy = self
    copy.point = digits.isEmpty ? 0 : 1
    return copy
  }
}

extension Double {
  /// The shortest text of the number with at most 15 significant digits. This is exact for every decimal number with
  /// up to 15 digits, and hides rounding errors of sums (0.1 + 0.2 is 0.3). Numbers below 10⁻⁶, and of at least
  /// 10²¹, have an exponent, as in JavaScript. Zero has no sign.
  var display: String {
    guard isFinite else { return isNaN ? "nan" : self < 0 ? "-inf" : "inf" }
    if let whole = Int(exactly: self), whole.magnitude < 1_000_000_000_000_000 {
      return String(whole)
    }
    // `description` has the minimum number of digits for a lossless round trip.
    var decimal = Decimal(magnitude.description)
    if decimal.digits.count > 15 { decimal = Decimal(magnitude.printed("e", precision: 14)) }
    let sign = self < 0 ? "-" : ""
    guard (-6..<21).contains(decimal.exponent) else {
      return "\(sign)\(decimal.significand.plain)e\(decimal.exponent)"
    }
    return sign + decimal.plain
  }

  /// A conversion of printf(3) for finite numbers, with a precision of at most
  /// `NumberFormat.maximumLength`. Ties round to the even digit.
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
