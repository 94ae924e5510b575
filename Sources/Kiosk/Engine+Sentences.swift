// SPDX-License-Identifier: MIT

internal import RoundelExpressions

extension Engine {
  /// The file's voice for its first language and that language's relatives, otherwise the language's own voice.
  var spokenLanguage: String { voice(in: "") }

  /// Returns the voice of a control's own language, or of the kiosk's if that is empty.
  func voice(in own: String) -> String {
    let language = own.isEmpty ? language : own
    guard let voice = description.speech?.voice else { return language.isEmpty ? "en" : language }
    func base(_ tag: String) -> String {
      String(tag.prefix { $0 != "-" && $0 != "_" && $0 != "+" })
    }
    let isOwn = language.isEmpty || own.isEmpty && language == description.languages.first
    return isOwn || base(voice) == base(language) ? voice : language
  }

  private var sentenceLanguage: String { language.isEmpty ? spokenLanguage : language }

  /// Returns the kiosk's sentence, or the built-in one, filled with `fields`.
  /// A language without sentences uses the kiosk's.
  func sentence(
    _ phrase: Phrase, _ fields: [String: Value] = [:], in own: String = ""
  ) -> String {
    var all = Phrase.fields.map { field in
      Field(field.name, fields[field.name] ?? (field.kind == .number ? .number(0) : .text("")))
    }
    all.sort { $0.name < $1.name }
    let template =
      (own.isEmpty ? nil : words(of: phrase, in: own))
      ?? description.texts[phrase.name]?[language] ?? phrase.template(in: sentenceLanguage)
    return Phrase.normalized(text(template, Event("spoken", at: now, fields: all)))
  }

  private func words(of phrase: Phrase, in own: String) -> TextTemplate? {
    description.texts[phrase.name]?[own]
      ?? (Phrase.speaks(own) ? phrase.template(in: own) : nil)
  }

  func text(_ template: TextTemplate, _ event: Event? = nil) -> String {
    var budget = WorkBudget(Self.conditionUnits)
    var failure: EvaluationError?
    return template.text(in: scope(event), budget: &budget, failure: &failure)
  }

  var stillThere: String { sentence(.stillThere) }
}
