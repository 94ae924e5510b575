// SPDX-License-Identifier: MIT

internal import RoundelExpressions

extension Engine {
  /// The file's voice for its first language and that language's relatives, otherwise the language's own voice.
  var spokenLanguage: String {
    guard let voice = description.speech?.voice else { return language.isEmpty ? "en" : language }
    func base(_ tag: String) -> String {
      String(tag.prefix { $0 != "-" && $0 != "_" && $0 != "+" })
    }
    let isOwn = language.isEmpty || language == description.languages.first
    return isOwn || base(voice) == base(language) ? voice : language
  }

  private var sentenceLanguage: String { language.isEmpty ? spokenLanguage : language }

  /// Returns the kiosk's sentence, or the built-in one, filled with `fields`.
  func sentence(_ phrase: Phrase, _ fields: [String: Value] = [:]) -> String {
    var all = Phrase.fields.map { field in
      Field(field.name, fields[field.name] ?? (field.kind == .number ? .number(0) : .text("")))
    }
    all.sort { $0.name < $1.name }
    let template =
      description.texts[phrase.name]?[language] ?? phrase.template(in: sentenceLanguage)
    return Phrase.normalized(text(template, Event("spoken", at: now, fields: all)))
  }

  func text(_ template: TextTemplate, _ event: Event? = nil) -> String {
    var budget = WorkBudget(Self.conditionUnits)
    var failure: EvaluationError?
    return template.text(in: scope(event), budget: &budget, failure: &failure)
  }

  var stillThere: String { sentence(.stillThere) }
}
