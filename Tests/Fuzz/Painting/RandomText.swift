// SPDX-License-Identifier: MIT

import TestSupport

/// Text in several scripts, including difficult cases.
enum RandomText {
  private static let texts = [
    "", " ", "A", "7", "Soup of the day", "l1\nl2\nl3", "{o.visible} now", "{t} {n}",
    "{now:%A %d %B %H:%M:%S}", "gjpqy ĄĘÅŞÇ", "Ελλάδα", "Вкусно", "Việt", "שלום 123 abc",
    "مرحبا بالعالم", "قهوة بالنعناع 12", "ﷺ", "สวัสดีครับ กาแฟ", "ำำำ", "नमस्ते क्षत्रिय", "தமிழ்",
    "日本語テキスト", "茶", "한국어", "မြန်မာ", "ខ្មែរ", "👨‍👩‍👧‍👦🏳️‍🌈🇩🇪👍🏿", "☕ Tea", "❤️", "🇩", "é́́́", "½ ẞ ﬁ",
    "\u{202e}\u{2066}abc\u{2069}", "\u{feff}\u{200d}\u{200b}", "\u{e0001}", "\u{fffd}\u{ffff}",
    "so\u{ad}ft\u{ad}hy\u{ad}phens", "\t\u{2028}x\u{85}y", "Donaudampfschifffahrtsgesellschaft",
  ]

  static func any(_ random: inout SeededGenerator) -> String {
    func one() -> String { texts.randomElement(using: &random) ?? "" }
    return switch Int.random(in: 0..<8, using: &random) {
    case 0: one() + " " + one() + one()
    case 1: String(repeating: one(), count: Int.random(in: 2...80, using: &random))
    default: one()
    }
  }

  /// A random string, quoted for a kiosk file.
  static func quoted(_ random: inout SeededGenerator) -> String {
    let letters = any(&random).unicodeScalars.map { letter in
      let digits = String(letter.value, radix: 16)
      let isPlain = (0x20..<0x7f).contains(letter.value) && letter != "\"" && letter != "\\"
      return isPlain
        ? String(letter) : "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
    }
    return "\"\(letters.joined())\""
  }
}
