// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import Drawing
internal import Expressions
internal import JSON
internal import Kiosk

extension Form where Value == [String: ThemeDraft] {
  /// `{NAME: {accent, background, …}}`.
  static var themes: Form {
    let theme = Table<ThemeDraft>.theme
    return Form(
      "a map from names to themes", from: [.map],
      schema: { definitions in
        ["type": "object", "additionalProperties": theme.form.schema(&definitions)]
      },
      read: { node, reader in
        reader.kiosk.themeNames = node.pairs.map(\.key)
        if let pair = node.pairs.first(where: { $0.key == "contrast" }) {
          reader.report(
            "the theme \"contrast\" hides the built-in one", at: pair.keyMark,
            expected: "another name, where the built-in theme is chosen", severity: .warning)
        }
        var themes: [String: ThemeDraft] = [:]
        for pair in node.pairs {
          themes[pair.key] = reader.inside(key: pair.key) { theme.form.read(pair.value, reader) }
        }
        return themes.count == node.pairs.count ? themes : nil
      }
    ).orListOfMaps("themes")
  }
}

extension Form where Value == String {
  /// The name of a theme, or a template of one. It is looked up when all names are known.
  static var theme: Form {
    Form(
      "dark, light or the name of a theme", as: .text, schema: { _ in textSchema },
      read: { node, reader in
        guard let text = node.text else {
          reader.reportType(node, expected: "dark, light or the name of a theme")
          return nil
        }
        return text
      })
  }
}

/// A theme as a file describes it.
struct ThemeDraft: Sendable {
  var accent, background, surface, text, muted: Color?
  var font = Font()
  var fontSize: Double?

  /// A colour that is left out is chosen to suit the background; without a background, it is the colour of the
  /// built-in theme of that name, or of `dark`.
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
    "theme", "Colours and type; what is left out goes with the background."
  ) { keys in
    let accent = keys.optional("accent", .plainColor, "What stands out.")
    let background = keys.optional("background", .plainColor, "Behind the controls.")
    let surface = keys.optional("surface", .plainColor, "Faces, rows and buttons.")
    let text = keys.optional("text", .plainColor, "Texts.")
    let muted = keys.optional("muted", .plainColor, "Texts that matter less.")
    let font = FontKeys(&keys, "As the screen's font; the screen's.")
    let fontSize = keys.optional(
      "font_size", .fontSize,
      "Size of texts; 22 where the shorter side has 800 pixels, in proportion on larger designs.")
    return { fields in
      let own = font.font(fields)
      fields.reader.kiosk.use(theme: own, at: font.mark(fields))
      return ThemeDraft(
        accent: fields[accent], background: fields[background], surface: fields[surface],
        text: fields[text], muted: fields[muted], font: own, fontSize: fields[fontSize])
    }
  }
}

extension KioskReader {
  /// The names of all themes that the kiosk may have.
  var allThemeNames: [String] {
    Theme.builtIn.keys.sorted() + themeNames.filter { Theme.builtIn[$0] == nil }
  }

  /// Finds the theme that a kiosk begins with; returns the template by which it changes, if there is one.
  func chooseTheme(_ root: Node, of kiosk: inout Description?) -> (TextTemplate, Mark)? {
    guard let node = root["theme"] else { return nil }
    let names = allThemeNames
    func check(_ name: String) {
      guard !names.contains(name) else { return }
      report(
        "there is no theme \(name.quoted)", at: node.mark, expected: names.alternatives,
        near: names.nearest(to: name, by: self))
    }
    return inside(key: "theme") {
      guard let template = Template.read(node, self) else { return nil }
      if let name = template.literal {
        check(name)
        if let theme = kiosk?.themes[name] {
          kiosk?.theme = theme
          kiosk?.themeName = name
        }
        return nil
      }
      guard let resolved = resolve(template, at: node.mark) else { return nil }
      guard Self.suits(resolved.kind, .text) else {
        report("\"theme\" follows \(resolved.kind)", at: node.mark, expected: "a text")
        return nil
      }
      for case .text(let name) in template.singleExpression?.possibleValues ?? [] {
        check(name)
        kiosk?.themeCandidates.append(name)
      }
      kiosk?.themeChoice = resolved
      return (resolved, node.mark)
    }
  }
}
