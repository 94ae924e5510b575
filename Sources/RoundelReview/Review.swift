// SPDX-License-Identifier: MIT

internal import RoundelControls
package import RoundelDeclarations
package import RoundelDrawing
internal import RoundelExpressions
package import RoundelGeometry
package import Kiosk
package import KioskFile
package import RoundelText

/// The search for problems in the appearance of a valid kiosk.
///
/// Checks the initial state of each page in each language and theme, and again with the other value of each flag that
/// changes the page.
package struct Review {
  let description: Description
  let fonts: FontLibrary
  let images: [String: ImageMask]
  let panel: PixelSize?
  let limit: TimeLimit
  /// Controls that an action shows or hides.
  let comingAndGoing: Set<String>

  private var warningGroups: [WarningGroup] = []
  private var numbers: [WarningGroup.Key: Int] = [:]
  /// The changed flag for messages, such as ` where night is true`, or an empty string.
  private var exception = ""
  private let start: Engine
  /// The current language, or nil if there is only one.
  private var language: String?
  private var engine: Engine
  /// The remaining steps, in reverse order.
  private var parts: [Part] = []

  private enum Part {
    case names
    case language(String?)
    case page(Int, theme: String?)
    /// All pages that change with a flag's other value.
    case flag(String, Bool)
  }

  private struct WarningGroup {
    struct Key: Hashable {
      var control: String
      var fault: Fault
    }

    var warning: ParsedKiosk.Warning
    var subjects: Set<String>
  }

  enum Fault: Hashable {
    case isOutside, isCovered, isUnreached, lacksLetters, isCut, isUnseen, hasLittleContrast,
      isLeftOut, isHiding, isSmall, isShrunk, isCrowded, isStretched, isSliced, isSteep
  }

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - fonts: The kiosk's fonts. `images` are the kiosk's images.
  ///   - panel: The size of the panel in pixels, or nil if unknown.
  ///   - limit: The time limit, because warnings are optional.
  ///   - start: The kiosk's initial state, if some properties have been set.
  package init(
    _ description: Description, fonts: FontLibrary, images: [String: ImageMask] = [:],
    panel: PixelSize? = nil, limit: TimeLimit = .none, from start: Engine? = nil
  ) {
    self.description = description
    self.fonts = fonts
    self.images = images
    self.panel = panel
    self.limit = limit
    self.start = start ?? Engine(description, seed: 0)
    engine = self.start
    comingAndGoing = Set(
      description.allActions.compactMap { action in
        guard case .property(let path)? = action.target,
          path.property == "visible"
        else { return nil }
        return path.control
      })
    parts = allParts.reversed()
  }

  /// The warnings, one per kind and control.
  package var warnings: [ParsedKiosk.Warning] {
    warningGroups.map { group in
      var warning = group.warning
      let more = group.subjects.count - 1
      if more > 0 { warning.what += ", and \(more) more in it" }
      return warning
    }
  }

  /// Records a problem with a label or item. The warning describes the first one.
  mutating func record(
    _ fault: Fault, of subject: String, in control: String,
    _ warning: @autoclosure () -> ParsedKiosk.Warning
  ) {
    let key = WarningGroup.Key(control: control, fault: fault)
    if let number = numbers[key] {
      warningGroups[number].subjects.insert(subject)
    } else {
      numbers[key] = warningGroups.count
      var warning = warning()
      warning.what += exception
      warningGroups.append(WarningGroup(warning: warning, subjects: [subject]))
    }
  }

  package mutating func proceed() -> Bool {
    guard let part = parts.popLast(), !limit.isExceeded else { return false }
    switch part {
    case .names:
      reviewPaths()
      reviewPageNames()
    case .language(let language):
      self.language = language
      engine = start
      if let language { try? engine.apply(.set(.language, .text(language))) }
    case .page(let page, let theme): review(page, of: engine, in: theme)
    case .flag(let name, let flag): review(whereFlag: name, is: flag)
    }
    return true
  }

  private var allParts: [Part] {
    [.names]
      + languages.flatMap { language in
        [.language(language)]
          + themes(excluding: start.theme).flatMap { theme in
            description.pages.indices.map { .page($0, theme: theme) }
          }
          + flags.flatMap { name in [true, false].map { .flag(name, $0) } }
      }
  }

  private var flags: [String] {
    description.values.compactMap { value in
      if value.template == nil, case .flag = value.initial { value.name } else { nil }
    }
  }

  /// Checks the pages that the flag's other value changes.
  private mutating func review(whereFlag name: String, is flag: Bool) {
    var other = engine
    // An undefined flag has neither value.
    guard engine.value(of: .value(name)) != .flag(flag),
      (try? other.apply(.set(.value(name), .flag(flag)))) != nil
    else { return }
    exception = " when \(name) is \(flag)"
    defer { exception = "" }
    for page in description.pages.indices where other.shows(page, otherThan: engine) {
      if limit.isExceeded { return }
      review(page, of: other, in: nil)
    }
  }

  /// Returns the themes to check. Nil means the initial one.
  private func themes(excluding start: Theme) -> [String?] {
    guard description.themeChoice != nil else { return [nil] }
    let candidates = description.themeCandidates
    let others = description.themes.filter {
      $0.value != start && (candidates.isEmpty || candidates.contains($0.key))
    }
    return [nil] + others.keys.sorted()
  }

  /// The languages to check, or nil for a single language.
  private var languages: [String?] {
    description.languages.count > 1 && !description.texts.isEmpty ? description.languages : [nil]
  }

  private mutating func review(_ page: Int, of engine: Engine, in theme: String?) {
    var engine = engine
    if page != engine.shownPage {
      let name = description.pages[page].name
      try? engine.apply(description.pages[page].isOver ? .show(page: name) : .go(page: name))
    }
    if let theme { engine.show(inTheme: theme) }
    let contextSuffix = [language, theme].compactMap { $0.map { " in \($0.quoted)" } }.joined()
    let entries = engine.pages[page].controls
    reviewReach(of: entries)
    let screen = Rect(size: description.screen.size)
    var list = DisplayList()
    engine.scaleText(of: &list)
    let background = engine.drawBackground(of: page, into: &list)
    for entry in entries where entry.isVisible {
      if limit.isExceeded { return }
      let context = entry.context(in: background)
      let begin = list.spans.count
      if let open = opened(entry.control, at: engine.now) {
        var opened = list
        var then = context
        then.now = open.now
        open.control.draw(into: &opened, in: then)
        review(
          View(list: opened, begin: begin, contextSuffix: contextSuffix), of: entry, fits: nil)
      }
      entry.control.draw(into: &list, in: context)
      let view = View(list: list, begin: begin, contextSuffix: contextSuffix)
      let isOnScreen = entry.control.extent.map { !$0.intersection(screen).isEmpty } ?? true
      review(view, of: entry, fits: isOnScreen ? screen : nil)
      if let dial = entry.control as? Dial { reviewSpace(on: dial, entry) }
      if let pinwheel = entry.control as? Pinwheel {
        reviewAnswers(of: pinwheel, entry, in: context)
        reviewPictures(of: pinwheel, entry)
        reviewLabels(of: pinwheel, entry)
      }
    }
  }
}

extension Engine {
  fileprivate func shows(_ page: Int, otherThan other: Engine) -> Bool {
    let (list, others) = (displayList(of: page), other.displayList(of: page))
    return list.background != others.background || list.items != others.items
      || zip(pages[page].controls, other.pages[page].controls).contains {
        $0.changedKeys != $1.changedKeys
      }
  }
}
