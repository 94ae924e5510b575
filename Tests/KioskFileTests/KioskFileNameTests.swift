// SPDX-License-Identifier: MIT

import KioskFile
import Testing

@Suite struct KioskFileNameTests {
  @Test(arguments: [
    ("lunch.yaml", "lunch", false, "lunch.yaml"),
    ("lunch.roundel.yaml", "lunch", true, "lunch.yaml"),
    ("/etc/a.b/lunch.roundel.json", "lunch", true, "lunch.json"),
    ("lunch.roundel.png", "lunch", false, "lunch.png"),
    ("roundel.yaml", "roundel", false, "roundel.yaml"),
    (".roundel.yaml", ".roundel", false, ".roundel.yaml"),
    ("lunch", "lunch", false, "lunch"), ("", "", false, ""), ("a/", "", false, ""),
  ])
  func `a name has a stem, and may be marked`(
    path: String, stem: String, isMarked: Bool, plain: String
  ) {
    let name = KioskFileName(path)
    #expect(name.stem == stem)
    #expect(name.isMarked == isMarked)
    #expect(name.plain == plain)
  }
}
