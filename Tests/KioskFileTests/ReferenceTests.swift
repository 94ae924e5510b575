// SPDX-License-Identifier: MIT

import RoundelExpressions
import RoundelControls
import Kiosk
import Testing
import RoundelDeclarations

@testable import KioskFile

@Suite struct ReferenceTests {
  @Test(arguments: ControlType.all.map(\.name))
  func `the reference lists every key, event and property of a control`(_ name: String) throws {
    let type = try #require(ControlType.named(name))
    let section = try #require(KioskReference.sections.first { $0.name == name })
    let lines = section.text.split(separator: "\n")
    for key in type.table.keys.all {
      let line = try #require(lines.first { $0.hasPrefix("- `\(key.name)`") })
      #expect(line.hasSuffix(key.summary) && line.contains("{…}") == key.allowsTemplate)
      #expect(line.contains("required") == key.isRequired)
    }
    for event in type.events {
      let line = try #require(lines.first { $0.hasPrefix("- `\(event.name)`: \(event.summary)") })
      #expect(event.fields.allSatisfy { line.contains("`\($0.name)`") })
    }
    #expect(section.text.contains("```yaml\n- \(name): "), "KioskReference.examples has none")
    #expect(section.hasPicture == type.isSeen)
    for command in type.placeholder(items: [])?.commands ?? [] {
      #expect(section.text.contains("Commands in addition to `set` and `reset`: "))
      #expect(section.text.contains("`\(command)`"))
    }
    let keys = Set(type.table.keys.names)
    for property in type.placeholder(items: [])?.properties ?? [] where !keys.contains(property) {
      #expect(section.text.contains(property.replacing("item.", with: "PART.", maxReplacements: 1)))
    }
  }

  @Test func `the reference lists every event of the kiosk`() throws {
    let kiosk = try #require(KioskReference.sections.first { $0.name == "kiosk" }?.text)
    for event in EventType.ofKiosk {
      #expect(kiosk.contains("- `\(event.name)`: \(event.summary)\n"))
    }
  }

  @Test func `the reference lists every action and every function of expressions`() throws {
    let actions = try #require(KioskReference.sections.first { $0.name == "actions" }?.text)
    for kind in CommandKind.actions { #expect(actions.contains("- `\(kind.name)`: ")) }
    let expressions = try #require(KioskReference.sections.first { $0.name == "expressions" }?.text)
    for function in FunctionSummary.all {
      #expect(expressions.contains("- `\(function.signature)`: \(function.summary)"))
    }
  }

  @Test func `the reference lists every phrase of speech with its English words`() throws {
    let speech = try #require(KioskReference.sections.first { $0.name == "speech" }?.text)
    for phrase in Phrase.all {
      #expect(
        speech.contains("- `\(phrase.name)`: \(phrase.summary) `\(phrase.words(in: "en"))`\n"))
    }
    for field in Phrase.fields { #expect(speech.contains("- `\(field.name)`: \(field.summary)\n")) }
  }
}
