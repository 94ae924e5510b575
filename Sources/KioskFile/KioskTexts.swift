// SPDX-License-Identifier: MIT

internal import Declarations
internal import Expressions
internal import JSON
internal import Kiosk

extension Form where Value == [String] {
  /// The names of languages, each once.
  static var languages: Form {
    let list = Form<String>.word("the name of a language").list("languages")
    return Form(
      list.expected, from: list.kinds, schema: list.schema,
      read: { node, reader in
        guard let names = list.read(node, reader) else { return nil }
        for (index, name) in names.enumerated() where names[..<index].contains(name) {
          reader.report("duplicate language \(name.quoted)", at: node.items[index].mark)
        }
        reader.kiosk.languages = names
        return names
      })
  }
}

extension Form where Value == Node {
  /// `{NAME: {LANGUAGE: TEXT}}`. It is not looked into until all names are known.
  static var texts: Form {
    Form(
      "a map from names to texts by language", from: [.map],
      schema: { _ in
        [
          "type": "object",
          "additionalProperties": [
            "type": "object", "additionalProperties": Form<String>.textSchema,
          ],
        ]
      },
      read: { node, reader in
        reader.kiosk.add(texts: node.pairs)
        return node
      }
    ).orListOfMaps("texts")
  }
}

extension KioskReader {
  /// The texts of a kiosk, by name and language: each in all of its languages.
  func texts(in languages: [String]) -> [String: [String: TextTemplate]] {
    var texts: [String: [String: TextTemplate]] = [:]
    for pair in textPairs {
      guard pair.value.kind == .map else {
        inside(key: pair.key) {
          reportType(pair.value, expected: "a map from languages to texts")
        }
        continue
      }
      let own = pair.value.pairs
      for text in own where !languages.contains(text.key) {
        report(
          "there is no language \(text.key.quoted)", at: text.keyMark,
          expected: languages.isEmpty ? "\"languages\" with it" : languages.alternatives,
          near: languages.nearest(to: text.key, by: self))
      }
      let isSentence = Phrase.named(pair.key) != nil
      names.sentence = isSentence ? Phrase.kinds : nil
      defer { names.sentence = nil }
      // The built-in sentence takes the place of one that is missing.
      for language in languages where pair.value[language] == nil && !isSentence {
        if let sign = NumberFormat.sign(ofText: pair.key) {
          texts[pair.key, default: [:]][language] = TextTemplate(literal: sign)
          continue
        }
        report(
          "texts.\(pair.key) has no text in \(language.quoted)", at: pair.keyMark,
          expected: "one in each of \(languages.alternatives)")
      }
      for text in own {
        let template = inside(key: text.key) { Form<TextTemplate>.filled.read(text.value, self) }
        guard let template else { continue }
        texts[pair.key, default: [:]][text.key] = template
      }
    }
    return texts
  }
}

extension Form where Value == TextTemplate {
  /// A text that is filled in when it is needed.
  fileprivate static var filled: Form {
    let text = Form<String>.text
    return Form(
      text.expected, schema: text.schema,
      read: { node, reader in reader.kiosk.textTemplate(node) })
  }
}
