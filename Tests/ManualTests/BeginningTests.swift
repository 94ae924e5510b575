// SPDX-License-Identifier: MIT

import RoundelBeginnings
import Testing

@Suite struct BeginningTests {
  @Test func `there are six beginnings with different names`() {
    #expect(Set(Beginning.all.map(\.name)).count == 6)
  }

  @Test(arguments: [
    ("thermostat", "thermostat"), ("coffee", "coffee-machine"),
    ("Coffee machine", "coffee-machine"),
    ("museum", "museum-guide"), ("nowplaying", "now-playing"), ("grid", "empty-grid"),
    ("pendant", "pendant"),
  ])
  func `an unambiguous part of a name finds a beginning`(word: String, name: String) {
    #expect(Beginning.named(word)?.name == name)
  }

  @Test(arguments: ["", "e", "an", "lunch", "thermostats", "🍲", "---"])
  func `another word finds none`(word: String) {
    #expect(Beginning.named(word) == nil)
  }

  @Test(arguments: Beginning.all.map(\.name))
  func `a file name becomes the name of the kiosk and of its suite`(name: String) throws {
    let beginning = try #require(Beginning.named(name))
    let files = beginning.files(for: "my \"lunch\".roundel.yaml")
    let kiosk = String(decoding: files.kiosk, as: UTF8.self).split(separator: "\n")
    let suite = String(decoding: files.suite, as: UTF8.self).split(separator: "\n")
    #expect(kiosk.contains(#"kiosk: "my \"lunch\"""#))
    #expect(suite.contains(#"suite: "my \"lunch\"""#))
    #expect(suite.contains(#"kiosk: "my \"lunch\".roundel.yaml""#))
    #expect(files.suiteName == "my \"lunch\"-suite.yaml")
    #expect(kiosk.first?.hasPrefix("#") == true)
  }
}
