// SPDX-License-Identifier: MIT

import SystemFonts
import Testing

@Suite struct SystemFontsTests {
  @Test(arguments: ["DejaVu Sans", "dejavu sans", "Inter"])
  func `a known family has a regular and a bold file`(_ family: String) throws {
    let fonts = try SystemFonts()
    let regular = try fonts.file(for: family)
    let bold = try fonts.file(for: family, weight: 700)
    #expect(!regular.isBold && bold.isBold)
    #expect(regular.path != bold.path)
    #expect(try FontFile.read(regular.path).count > 100_000)
  }

  @Test func `each family has its own font`() throws {
    let fonts = try SystemFonts()
    #expect(fonts.families.contains("Inter") && fonts.families.contains("DejaVu Sans Mono"))
    #expect(try fonts.file(for: "DejaVu Sans Mono").path.hasSuffix("DejaVuSansMono.ttf"))
    #expect(try fonts.file(for: "DejaVu Sans").path.hasSuffix("DejaVuSans.ttf"))
    for family in fonts.families { #expect(throws: Never.self) { try fonts.file(for: family) } }
  }

  @Test func `generic families refer to existing fonts`() throws {
    let fonts = try SystemFonts()
    for family in ["sans-serif", "serif", "monospace", "system-ui", "Sans-Serif"] {
      #expect(throws: Never.self) { try fonts.file(for: family) }
    }
  }

  @Test(arguments: [
    ("Iner", "Inter"), ("DejaVuSans", "DejaVu Sans"), ("Déjàvu Sans", "DejaVu Sans"),
    ("sansserif", "sans-serif"),
  ])
  func `an unknown family is an error with suggestions`(_ wrong: String, _ right: String) throws {
    let fonts = try SystemFonts()
    #expect {
      try fonts.file(for: wrong)
    } throws: { error in
      guard case .unknownFamily(wrong, let nearest)? = error as? SystemFontError else {
        return false
      }
      return nearest.first == right
    }
  }

  @Test(arguments: [("", 1), ("Wingdings 7", 1), ("a:b=c", 1), ("\u{1}\n", 1), ("x", 100_000)])
  func `an unknown family without similar ones is an error`(_ part: String, _ count: Int) throws {
    let family = String(repeating: part, count: count)
    #expect(throws: SystemFontError.unknownFamily(family, nearest: [])) {
      try SystemFonts().file(for: family)
    }
  }

  @Test func `a path that isn't a file is an error, without blocking`() {
    #expect(throws: FontFileError.notAFile(path: "/")) { try FontFile.read("/") }
    #expect(throws: FontFileError.notAFile(path: "/dev/zero")) { try FontFile.read("/dev/zero") }
    #expect(
      throws: FontFileError.unreadable(path: "/no.ttf", reason: "No such file or directory")
    ) { try FontFile.read("/no.ttf") }
  }
}
