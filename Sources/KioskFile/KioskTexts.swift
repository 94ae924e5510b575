// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelJSON
internal import Kiosk

extension Form where Value == [String] {
  /// Names of languages, without duplicates.
  static var languages: Form {
    Form<String>.word("the name of a language").list("languages").compactMap {
      names, node, reader in
      for (index, name) in names.enumerated() where names[..<index].contains(name) {
        reader.report("duplicate language \(name.quoted)", at: node.items[index].mark)
      }
      return names
    }
  }
}

extension Form where Value == [String: [String: TextTemplate]] {
  /// `{NAME: {LANGUAGE: TEXT}}`: strings by name and language, each in all languages of the kiosk.
  static var texts: Form {
    Form(
      "a map from names to strings by language", from: [.map],
      schema: { _ in
        [
          "type": "object",
          "additionalProperties": [
            "type": "object", "additionalProperties": Form<String>.textSchema,
          ],
        ]
      },
      read: { node, reader in
        var texts: Value = [:]
        for pair in node.pairs {
          let name = pair.key
          if let text = text(pair, reader.kiosk) { texts[name] = text }
        }
        return texts
      })
  }

  /// Returns nil if nothing is valid.
  private static func text(_ pair: Node.Pair, _ reader: KioskReader) -> [String: TextTemplate]? {
    guard pair.value.kind == .map else {
      reader.inside(key: pair.key) {
        reader.reportType(pair.value, expected: "a map from languages to strings")
      }
      return nil
    }
    let languages = reader.outline.languages
    let own = pair.value.pairs
    for text in own where !languages.contains(text.key) {
      reader.report(
        "there is no language \(text.key.quoted)", at: text.keyMark,
        expected: languages.isEmpty ? "it in \"languages\"" : languages.alternatives,
        suggestion: languages.nearest(to: text.key, by: reader))
    }
    let isSentence = Phrase.named(pair.key) != nil
    var byLanguage: [String: TextTemplate] = [:]
    // The built-in sentence replaces a missing one.
    for language in languages where pair.value[language] == nil && !isSentence {
      if let symbol = NumberFormat.symbol(ofText: pair.key) {
        byLanguage[language] = TextTemplate(literal: symbol)
        continue
      }
      reader.report(
        "texts.\(pair.key) has no string in \(language.quoted)", at: pair.keyMark,
        expected: "a string in each of \(languages.alternatives)")
    }
    reader.inside(sentence: isSentence ? Phrase.kinds : nil) {
      for text in own {
        byLanguage[text.key] =
          reader.inside(key: text.key) { Form<TextTemplate>.filled.read(text.value, reader) }
          ?? byLanguage[text.key]
      }
    }
    guard !byLanguage.isEmpty else { return nil }
    reader.graph.add(.text(pair.key), pair.keyMark, reads: byLanguage.values.flatMap(\.names))
    return byLanguage
  }
}

extension Form where Value == TextTemplate {
  /// A string that is filled in when it is needed.
  static var filled: Form {
    Form<String>.text.compactMap { _, node, reader in reader.kiosk.textTemplate(node) }.as(.fixed)
  }
}
