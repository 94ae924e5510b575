// SPDX-License-Identifier: MIT

import CRoundelFontconfig
import RoundelDrawing
import Testing

@Suite struct LanguageTagTests {
  @Test(arguments: [
    ("ar", true), ("AR-eg", true), ("fa_IR.UTF-8", true), ("uz-Arab-AF", true), ("he", true),
    ("", false), ("a", false), ("ara", false), ("de-AT", false), ("sd-Deva", false),
    ("en_US.UTF-8", false), ("-ar", false), ("العربية", false), ("zh-Hant-TW", false),
  ])
  func `the script or language determines the writing direction`(_ name: String, _ expected: Bool) {
    #expect(LanguageTag(name).isRightToLeft == expected)
  }

  /// fontconfig knows the characters of some 280 languages.
  @Test func `languages are written in the direction of their characters`() throws {
    let set = unsafe try #require(unsafe FcGetLangs())
    let list = unsafe try #require(unsafe FcStrListCreate(set))
    var names: [String] = []
    while let name = unsafe FcStrListNext(list) { names.append(unsafe String(cString: name)) }
    unsafe FcStrListDone(list)
    unsafe FcStrSetDestroy(set)
    let firstLetters: [Unicode.Scalar] = ["\u{5D0}", "\u{627}", "\u{710}", "\u{780}", "\u{7CA}"]
    var rightToLeft = 0
    // A language with several scripts has a name with a territory for each.
    for name in names where !name.contains("-") {
      let letters = unsafe try #require(unsafe FcLangGetCharSet(name))
      let needsThem = firstLetters.contains { unsafe FcCharSetHasChar(letters, $0.value) != 0 }
      #expect(LanguageTag(name).isRightToLeft == needsThem, "\(name)")
      if needsThem { rightToLeft += 1 }
    }
    #expect(rightToLeft >= 8)
  }
}
