// SPDX-License-Identifier: MIT

import RoundelText
import SystemFonts
import Testing

/// Expected breaks are written as hyphens.
@Suite struct HyphenPatternTests {
  private func hyphenated(_ word: String, _ breaks: [Int]) -> String {
    var letters = word.map(String.init)
    for place in breaks.reversed() { letters.insert("-", at: place) }
    return letters.joined()
  }

  private func hyphenated(_ word: String, by patterns: String) -> String {
    let patterns = HyphenPatterns(Array("UTF-8\n\(patterns)".utf8))
    return hyphenated(word, patterns.breaks(in: Array(word.unicodeScalars)))
  }

  @Test func `a word breaks where the highest digit is odd`() {
    #expect(hyphenated("lateral", by: "a1t\n1ra") == "la-te-ral")
    #expect(hyphenated("lateral", by: "a1t\nla2t\n1ra\nte2ra\n3ral.") == "late-ral")
    #expect(hyphenated("LATERAL", by: "a1t\r\n% comment\n\n1ra") == "LA-TE-RAL")
  }

  @Test func `the longest beginning of a pattern hides shorter patterns`() {
    #expect(hyphenated("parzelle", by: "a1r\nr1z") == "pa-r-zelle")
    #expect(hyphenated("parzelle", by: "a1r\nr1z\npar3ty") == "par-zelle")
  }

  @Test func `dots are the ends of a word`() {
    #expect(hyphenated("anan", by: ".an1") == "an-an")
    #expect(hyphenated("ananan", by: "1an.") == "anan-an")
  }

  @Test func `letters of several bytes count once`() {
    #expect(hyphenated("größere", by: "ö1ß\n1re") == "grö-ße-re")
  }

  @Test func `a few letters stay on both sides, two by default`() {
    #expect(hyphenated("aaaaaa", by: "1a") == "aa-a-a-aa")
    #expect(hyphenated("aaaaaa", by: "LEFTHYPHENMIN 3\nRIGHTHYPHENMIN 1\n1a") == "aaa-a-a-a")
    #expect(hyphenated("aaaaaa", by: "LEFTHYPHENMIN 99\nRIGHTHYPHENMIN -5\n1a") == "aaaaaa")
    #expect(hyphenated("aaa", by: "1a") == "aaa")
  }

  @Test func `the parts of compounds are words of the second level`() {
    #expect(hyphenated("anananan", by: "anan1anan\nNEXTLEVEL\n.an1") == "an-an-an-an")
    #expect(hyphenated("anananan", by: "NEXTLEVEL\n.an1") == "an-ananan")
  }

  @Test func `a word doesn't break where its spelling would change`() {
    #expect(hyphenated("asszony", by: "s1s\nas1sz/sz=,2,1") == "asszony")
  }

  @Test func `damaged patterns break nothing, or other places`() {
    #expect(hyphenated("lateral", by: "") == "lateral")
    #expect(
      hyphenated("lateral", by: "1\n/\n123\n.\n..\n99999999\nNEXTLEVEL\nNEXTLEVEL\nLEFTHYPHENMIN")
        == "lateral")
    #expect(HyphenPatterns([]).breaks(in: ["a", "b", "c", "d", "e"]) == [])
    var random = SystemRandomNumberGenerator()
    for _ in 0..<100 {
      let bytes = (0..<200).map { _ in "a1.2\n/é".utf8.randomElement(using: &random) ?? 0 }
      for place in HyphenPatterns(bytes).breaks(in: Array("aaaéaa.a".unicodeScalars)) {
        #expect((2...6).contains(place))
      }
    }
  }

  @Test(
    arguments: [
      ("de", "Rechtsschutzversicherung", "Rechts-schutz-ver-si-che-rung"),
      ("de-AT", "Öffnungszeiten", "Öff-nungs-zei-ten"),
      ("cs", "nejkulaťoulinkatější", "nejkulaťou-lin-ka-tější"),
      ("xx", "Rechtsschutzversicherung", "Rechtsschutzversicherung"),
      ("../de", "Rechtsschutzversicherung", "Rechtsschutzversicherung"),
    ])
  func `installed patterns break words in any encoding`(
    language: String, word: String, expected: String
  ) {
    let loader = FontLoader()
    loader.loadFallback()
    let breaks = loader.library.hyphenation?(Array(word.unicodeScalars), language)
    #expect(hyphenated(word, breaks ?? []) == expected)
  }
}
