// SPDX-License-Identifier: MIT

/// The decimal digits of a number: 0.d₁d₂d₃… × 10^`point`. No digits are zero.
struct Decimal: Equatable {
  private(set) var digits: [UInt8]
  private(set) var point: Int

  /// The exact value of a finite number, without its sign. Every double has one: it is a whole
  /// number times a power of two, and 2⁻ⁿ = 5ⁿ · 10⁻ⁿ.
  init(exactly number: Double) {
    guard number != 0 else {
      (digits, point) = ([], 0)
      return
    }
    // 2⁵² is the weight of the first bit of the pattern.
    let isNormal = number.exponentBitPattern > 0
    var significand = number.significandBitPattern | (isNormal ? 1 << 52 : 0)
    var exponent = Int(isNormal ? number.exponentBitPattern : 1) - 1075
    exponent += significand.trailingZeroBitCount
    significand >>= significand.trailingZeroBitCount

    // Base 10⁹, the lowest first.
    var limbs = [UInt32(significand % 1_000_000_000), UInt32(significand / 1_000_000_000)]
    func multiply(by factor: UInt32) {
      var carry: UInt64 = 0
      for index in limbs.indices {
        carry += UInt64(limbs[index]) * UInt64(factor)
        limbs[index] = UInt32(carry % 1_000_000_000)
        carry /= 1_000_000_000
      }
      while carry > 0 {
        limbs.append(UInt32(carry % 1_000_000_000))
        carry /= 1_000_000_000
      }
    }
    // The largest powers of 2 and 5 that a step takes fit into 32 bits: 2²⁹ and 5¹³.
    let (base, step): (UInt32, Int) = exponent > 0 ? (2, 29) : (5, 13)
    var remaining = abs(exponent)
    while remaining > 0 {
      let power = min(remaining, step)
      multiply(by: (0..<power).reduce(1) { product, _ in product * base })
      remaining -= power
    }

    var reversed: [UInt8] = []
    for var limb in limbs {
      for _ in 0..<9 {
        reversed.append(UInt8(limb % 10))
        limb /= 10
      }
    }
    while reversed.last == 0 { reversed.removeLast() }
    digits = reversed.reversed()
    point = digits.count + min(exponent, 0)
    removeTrailingZeros()
  }

  /// The fewest digits that read back as the same finite number, without its sign.
  init(shortest number: Double) {
    digits = []
    point = 0
    var exponent = 0
    var hasPoint = false
    var text = abs(number).description.utf8[...]
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
    removeTrailingZeros()
  }

  private mutating func removeTrailingZeros() {
    while digits.last == 0 { digits.removeLast() }
    if digits.isEmpty { point = 0 }
  }

  /// Keeps `count` digits. A tie goes to the even digit.
  mutating func round(toDigits count: Int) {
    guard count < digits.count else { return }
    guard count >= 0 else {
      (digits, point) = ([], 0)
      return
    }
    let isTie = digits[count] == 5 && count + 1 == digits.count
    let isOdd = count > 0 && digits[count - 1] % 2 == 1
    let roundsUp = digits[count] > 5 || digits[count] == 5 && (!isTie || isOdd)
    digits.removeSubrange(count...)
    if roundsUp {
      while digits.last == 9 { digits.removeLast() }
      if let last = digits.indices.last {
        digits[last] += 1
      } else {
        digits = [1]
        point += 1
      }
    }
    removeTrailingZeros()
  }

  /// The digit whose weight is 10^`power`.
  private func digit(_ power: Int) -> UInt8 {
    let index = point - 1 - power
    return UInt8(ascii: "0") + (digits.indices.contains(index) ? digits[index] : 0)
  }

  /// The digits before the decimal point; at least one.
  var whole: String {
    String(decoding: (0..<max(point, 1)).reversed().map(digit), as: UTF8.self)
  }

  /// The first `count` digits after the decimal point.
  func fraction(_ count: Int) -> String {
    String(decoding: (0..<max(count, 0)).map { digit(-1 - $0) }, as: UTF8.self)
  }

  /// The number of digits after the decimal point without trailing zeros.
  var fractionCount: Int { max(digits.count - point, 0) }

  /// All digits without an exponent.
  var plain: String { fractionCount == 0 ? whole : "\(whole).\(fraction(fractionCount))" }

  /// The power of ten of the first digit.
  var exponent: Int { digits.isEmpty ? 0 : point - 1 }

  /// The same digits with the decimal point after the first.
  var significand: Decimal {
    var copy = self
    copy.point = digits.isEmpty ? 0 : 1
    return copy
  }
}

extension Double {
  /// The shortest text of the number with at most 15 significant digits: exact for every decimal
  /// number of so many digits, and without the noise that sums leave behind (0.1 + 0.2 is 0.3).
  /// Numbers from 10²¹ on and below 10⁻⁶ have an exponent, as in JavaScript. Zero has no sign.
  var display: String {
    guard isFinite else { return isNaN ? "nan" : self < 0 ? "-inf" : "inf" }
    if let whole = Int(exactly: self), whole.magnitude < 1_000_000_000_000_000 {
      return String(whole)
    }
    var decimal = Decimal(shortest: self)
    if decimal.digits.count > 15 {
      decimal = Decimal(exactly: self)
      decimal.round(toDigits: 15)
    }
    let sign = self < 0 ? "-" : ""
    guard (-6..<21).contains(decimal.exponent) else {
      return "\(sign)\(decimal.significand.plain)e\(decimal.exponent)"
    }
    return sign + decimal.plain
  }
}
