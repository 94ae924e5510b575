// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelJSON
internal import Kiosk

struct KioskThemes: Sendable {
  /// In file order.
  var names: [String] = []
  /// The themes without errors.
  var drafts: [String: ThemeDraft] = [:]

  var fonts: [(font: Font, mark: Mark)] {
    drafts.values.filter { $0.font != Font() }.map { ($0.font, $0.fontMark) }
      .sorted { $0.mark < $1.mark }
  }
}

extension Form where Value == KioskThemes {
  /// `{NAME: {accent, background, …}}`.
  static var themes: Form {
    let theme = Table<ThemeDraft>.theme
    return Form(
      "a map from names to themes", from: [.map],
      schema: { definitions in
        ["type": "object", "additionalProperties": theme.form.schema(&definitions)]
      },
      read: { node, reader in
        if let pair = node.pairs.first(where: { $0.key == "contrast" }) {
          reader.report(
            "the theme \"contrast\" hides the built-in theme", at: pair.keyMark,
            expected: "another name, if the kiosk uses the built-in theme", severity: .warning)
        }
        var themes = KioskThemes(names: node.pairs.map(\.key))
        for pair in node.pairs {
          themes.drafts[pair.key] = reader.inside(key: pair.key) {
            theme.form.read(pair.value, reader)
          }
        }
        return themes
      }
    ).orListOfMaps("themes")
  }
}

/// The initial theme, or a template for it with its possible results.
struct ThemeChoice: Sendable {
  var name: String?
  var candidates: [String] = []
  var template: TextTemplate?
}

extension Form where Value == ThemeChoice {
  /// The name of a theme, or a template for it.
  static var theme: Form {
    Form(
      "dark, light or the name of a theme", as: .text, schema: { _ in Form<String>.textSchema },
      read: { node, reader in choice(node, reader.kiosk) })
  }

  private static func choice(_ node: Node, _ reader: KioskReader) -> ThemeChoice? {
    let names = reader.outline.themeNames
    func check(_ name: String) {
      guard !names.contains(name) else { return }
      reader.report(
        "there is no theme \(name.quoted)", at: node.mark, expected: names.alternatives,
        suggestion: names.nearest(to: name, by: reader))
    }
    guard let written = Template.read(node, reader) else { return nil }
    if let name = written.literal {
      check(name)
      return ThemeChoice(name: name)
    }
    guard let template = reader.template(node, of: .text, expected: "a string") else { return nil }
    var choice = ThemeChoice(template: template)
    for case .text(let name) in written.singleExpression?.possibleValues ?? [] {
      check(name)
      choice.candidates.append(name)
    }
    if reader.names.values[Description.themeValue] == nil {
      reader.graph.add(.value(Description.themeValue), node.mark, reads: template.names)
    }
    return choice
  }
}

struct ThemeDraft: Sendable {
  var accent, background, surface, text, muted: Color?
  var font = Font()
  var fontMark: Mark
  var fontSize: Double?

  /// An omitted colour fits the background. Without a background, it is from the built-in theme
  /// with the same name, or from `dark`.
  func theme(named name: String, fontSize standard: Double) -> Theme {
    var theme =
      background.map { Theme(background: $0.over(.black)) } ?? Theme.builtIn[name] ?? .dark
    theme.accent = accent ?? theme.accent
    theme.surface = surface?.over(theme.background) ?? theme.surface
    theme.text = text ?? theme.text
    theme.muted = muted ?? theme.muted
    theme.font = font
    theme.fontSize = fontSize ?? standard
    return theme
  }
}

extension Table where Value == ThemeDraft {
  fileprivate static let theme = Table(
    "theme", "Colours and fonts. Missing colours are derived from the background."
  ) { keys in
    keys.optional(
      "accent", .plainColor, "The colour of highlighted elements.", at: \ThemeDraft.accent)
    keys.optional(
      "background", .plainColor, "The colour behind the controls.", at: \ThemeDraft.background)
    keys.optional(
      "surface", .plainColor, "The colour of faces, rows and buttons.", at: \ThemeDraft.surface)
    keys.optional("text", .plainColor, "The colour of text.", at: \ThemeDraft.text)
    keys.optional("muted", .plainColor, "The colour of less important text.", at: \ThemeDraft.muted)
    let font = FontKeys(
      &keys, "The font, written like the screen's. The default is the screen's font.")
    keys.optional(
      "font_size", .fontSize,
      "The font size. The default is 22 if the shorter side has 800 pixels, and proportional on larger designs.",
      at: \ThemeDraft.fontSize)
    return { fields in ThemeDraft(font: font.font(fields), fontMark: font.mark(fields)) }
  }
}
