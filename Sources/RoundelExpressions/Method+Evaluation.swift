// SPDX-License-Identifier: MIT

extension Method {
  func apply(
    _ receiver: Value, _ arguments: ArraySlice<Value>, _ budget: inout WorkBudget
  ) throws(EvaluationError) -> Value {
    if let objection = objection(to: receiver.kind, arguments.map(\.kind)) {
      throw .undefined(objection)
    }
    var texts: [String] = []
    var numbers: [Int] = []
    for argument in arguments {
      switch argument {
      case .text(let text):
        try budget.spend(text.utf8.count)
        texts.append(text)
      case .number(let number):
        guard let whole = Int(exactly: number) else {
          throw .undefined("\"\(rawValue)\" takes a whole number, not \(number.display)")
        }
        numbers.append(whole)
      default: break
      }
    }
    switch receiver {
    case .text(let text):
      try budget.spend(text.utf8.count)
      return try apply(text, texts, numbers, &budget)
    case .list(let values):
      if self == .join { return .text(try joined(values, texts.first ?? "", &budget)) }
      let range = try range(numbers[0], numbers[1], of: values.count)
      try budget.spend(range.count)
      return .list(Array(values[range]))
    default: throw .undefined("\"\(rawValue)\" has no value")
    }
  }

  private func apply(
    _ text: String, _ texts: [String], _ numbers: [Int], _ budget: inout WorkBudget
  ) throws(EvaluationError) -> Value {
    switch self {
    case .charAt, .substring:
      let scalars = Array(text.unicodeScalars)
      let first = numbers[0]
      // The place after the last character is valid, too.
      let end = self == .charAt ? min(first, scalars.count - 1) + 1 : scalars.count
      let range = try range(first, numbers.dropFirst().first ?? end, of: scalars.count)
      return .text(String(String.UnicodeScalarView(scalars[range])))
    case .indexOf, .lastIndexOf:
      let count = text.unicodeScalars.count
      let from = numbers.first ?? (self == .indexOf ? 0 : count)
      _ = try range(from, count, of: count)
      let bytes = Array(text.utf8)
      let pattern = Array(texts[0].utf8)
      guard !pattern.isEmpty else { return .integer(from) }
      let limit = bytes.offset(ofScalar: from)
      var found: Int?
      bytes.forEachMatch(of: pattern, overlapping: true) { place in
        if self == .lastIndexOf {
          if place <= limit { found = place }
          return place < limit
        }
        if place >= limit { found = place }
        return found == nil
      }
      return .integer(found.map { bytes[..<$0].scalarCount } ?? -1)
    case .replace: return .text(try replaced(text, texts[0], texts[1], numbers.first, &budget))
    case .split:
      let most = numbers.first.flatMap { $0 < 0 ? nil : $0 } ?? .max
      guard most > 0 else { return .list([]) }
      let bytes = Array(text.utf8)
      let pattern = Array(texts[0].utf8)
      var parts: [Value] = []
      var start = 0
      for place in bytes.places(of: pattern, most: most - 1, within: true) {
        parts.append(.text(String(decoding: bytes[start..<place], as: UTF8.self)))
        start = place + pattern.count
      }
      try budget.spend(parts.count)
      // As in Go, an empty string without a separator has no parts.
      if !bytes.isEmpty || !pattern.isEmpty {
        parts.append(.text(String(decoding: bytes[start...], as: UTF8.self)))
      }
      return .list(parts)
    case .join, .slice: throw .undefined("\"\(rawValue)\" has no value")
    }
  }

  private func range(
    _ first: Int, _ end: Int, of count: Int
  ) throws(EvaluationError) -> Range<Int> {
    guard 0 <= first, first <= end, end <= count else {
      throw .undefined("\"\(rawValue)\" from \(first) to \(end) is not within 0 to \(count)")
    }
    return first..<end
  }

  private func joined(
    _ values: [Value], _ separator: String, _ budget: inout WorkBudget
  ) throws(EvaluationError) -> String {
    try budget.spend(values.count)
    var texts: [String] = []
    var bytes = 0
    for (place, value) in values.enumerated() {
      guard case .text(let text) = value else {
        throw .undefined("\"join\" takes a list of strings, not \(value.kind) in item \(place)")
      }
      bytes += text.utf8.count + separator.utf8.count
      try spendText(0, upTo: bytes, &budget)
      texts.append(text)
    }
    try budget.spend(bytes)
    return texts.joined(separator: separator)
  }

  private func replaced(
    _ text: String, _ pattern: String, _ replacement: String, _ most: Int?,
    _ budget: inout WorkBudget
  ) throws(EvaluationError) -> String {
    let bytes = Array(text.utf8)
    let most = most.flatMap { $0 < 0 ? nil : $0 } ?? .max
    let places = bytes.places(of: Array(pattern.utf8), most: most, within: false)
    let (size, overflow) = places.count.multipliedReportingOverflow(by: replacement.utf8.count)
    try spendText(size, upTo: overflow ? .max : size, &budget)
    var result: [UInt8] = []
    var start = 0
    for place in places {
      result += bytes[start..<place]
      result += replacement.utf8
      start = place + pattern.utf8.count
    }
    return String(decoding: result + bytes[start...], as: UTF8.self)
  }

  /// Throws before a string becomes too large.
  private func spendText(
    _ units: Int, upTo bytes: Int, _ budget: inout WorkBudget
  ) throws(EvaluationError) {
    guard bytes <= Expression.maximumValueBytes else {
      throw .undefined(
        "the result of \"\(rawValue)\" is larger than \(Expression.maximumValueBytes >> 20) MiB")
    }
    try budget.spend(units)
  }
}

extension String {
  /// Changes the case of the ASCII letters in a range.
  func mappingASCII(_ letters: ClosedRange<UInt8>) -> String {
    String(decoding: utf8.map { letters.contains($0) ? $0 ^ 0x20 : $0 }, as: UTF8.self)
  }

  var trimmed: String {
    let start = unicodeScalars.drop { $0.properties.isWhitespace }
    let end = start.lastIndex { !$0.properties.isWhitespace }
    return end.map { String(start[...$0]) } ?? ""
  }
}

extension UInt8 {
  fileprivate var startsScalar: Bool { self & 0xc0 != 0x80 }
}

extension Collection<UInt8> {
  fileprivate var scalarCount: Int { count { $0.startsScalar } }
}

extension [UInt8] {
  /// Returns the byte where a character of UTF-8 starts.
  fileprivate func offset(ofScalar number: Int) -> Int {
    var left = number
    return firstIndex { byte in
      if byte.startsScalar { left -= 1 }
      return left < 0
    } ?? count
  }

  func firstMatch(of pattern: [UInt8]) -> Int? {
    guard !pattern.isEmpty else { return 0 }
    var found: Int?
    forEachMatch(of: pattern, overlapping: true) { place in
      found = place
      return false
    }
    return found
  }

  /// The first places that don't overlap. An empty pattern matches before and after each character,
  /// or only between.
  fileprivate func places(of pattern: [UInt8], most: Int, within: Bool) -> [Int] {
    guard most > 0 else { return [] }
    guard !pattern.isEmpty else {
      let starts = indices.filter { self[$0].startsScalar } + [count]
      return [Int]((within ? starts.dropFirst().dropLast() : starts[...]).prefix(most))
    }
    var places: [Int] = []
    forEachMatch(of: pattern, overlapping: false) { place in
      places.append(place)
      return places.count < most
    }
    return places
  }

  /// O(n + m) until `body` returns false. The standard library takes a hundred times as long, 2 µs
  /// per byte. Source: Knuth, Morris, Pratt, "Fast pattern matching in strings", 1977.
  fileprivate func forEachMatch(
    of pattern: [UInt8], overlapping: Bool, _ body: (Int) -> Bool
  ) {
    guard !pattern.isEmpty, pattern.count <= count else { return }
    // The length of the longest proper prefix of the pattern that ends at each of its bytes.
    var prefixes = [0]
    var length = 0
    for byte in pattern.dropFirst() {
      while length > 0, pattern[length] != byte { length = prefixes[length - 1] }
      if pattern[length] == byte { length += 1 }
      prefixes.append(length)
    }
    length = 0
    for (index, byte) in enumerated() {
      while length > 0, length == pattern.count || pattern[length] != byte {
        length = prefixes[length - 1]
      }
      if pattern[length] == byte { length += 1 }
      guard length == pattern.count else { continue }
      guard body(index + 1 - length) else { return }
      if !overlapping { length = 0 }
    }
  }
}
