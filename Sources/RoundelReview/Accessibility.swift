// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
package import Kiosk
package import KioskFile
internal import RoundelMotion

/// Checks a kiosk's file against EN 301 549 (V3.2.1, chapters 5 to 8 and the parts of 11 that they
/// refer to) and the ADA's §707.
package enum Accessibility {
  /// Returns the requirements on the hardware and its installation.
  package static func builderList(_ description: Description, hasDiagonal: Bool) -> [String] {
    var list = [
      "EN 301 549 8.3.2, 8.3.3, 8.3.4; ADA 707.2, 707.3: operable parts within 1220 mm of the floor, with space for a wheelchair",
      "EN 301 549 5.5.2, 8.4.1; ADA 707.6: keys that can be distinguished by touch; a raised dot on the 5, raised symbols on function keys",
      "EN 301 549 5.1.3.2, 5.1.3.9; ADA 707.4, 707.5: a 3.5 mm headset jack, or a handset, for private output",
      "EN 301 549 5.1.3.11, 5.1.3.12, 8.2.1; ADA 707.5.1: a volume range of 18 dB with a step at 12 dB, and a loudspeaker of at least 65 dB",
      "EN 301 549 8.2.2: a handset couples magnetically to hearing aids",
      "EN 301 549 5.3: an alternative to biometrics, if they are used",
      "EN 301 549 5.1.3.16; ADA 707.5.2: speech for the content of printed receipts",
      "EN 301 549 5.7, 5.8: keyboards whose keys repeat after at least 2 s or not at all, and ignore a second press within 0.5 s",
      "EN 301 549 8.3.5; ADA 707.7.1: a display that is visible from 1015 mm above the floor",
      "EN 301 549 8.5; ADA 707.8: braille or other tactile instructions for starting speech",
    ]
    if !hasDiagonal {
      list.append(
        "ADA 707.7.2: capitals of at least 4.8 mm; add screen: {panel: …} with the panel's size to the file"
      )
    }
    let plays = description.allActions.contains { $0.kind.name == "play" }
    if plays { list.append("EN 301 549 5.1.5: visible feedback for each sound") }
    return list
  }
}

extension ParsedKiosk {
  /// Adds unmet requirements as errors, each at the location of the fix.
  package mutating func reviewAccessibility() {
    guard let description else { return }
    var review = AccessibilityReview(description, pixelsPerMillimeter: pixelsPerMillimeter)
    review.reviewAll()
    add(review.warnings, as: .error)
  }
}

private struct AccessibilityReview {
  let description: Description
  /// The pixel density, or nil if the file doesn't specify the panel's size.
  let pixelsPerMillimeter: Double?
  private(set) var warnings: [ParsedKiosk.Warning] = []

  /// The height of a capital letter, in ems.
  private static let capitalHeight = 0.72
  /// The minimum height of a capital I in millimetres (ADA 707.7.2: 3/16 inch).
  private static let leastCapital = 4.8
  /// The minimum contrast of text, from WCAG 1.4.3. ADA 707.7.2 only requires light on dark or dark on light.
  private static let leastContrast = 4.5

  init(_ description: Description, pixelsPerMillimeter: Double?) {
    self.description = description
    self.pixelsPerMillimeter = pixelsPerMillimeter
  }

  private var firstPage: ParsedKiosk.Warning.Subject { .page(description.pages[0].name) }

  private mutating func miss(
    _ clauses: String, _ what: String, expected: String, at place: ParsedKiosk.Warning.Subject
  ) {
    warnings.append(
      ParsedKiosk.Warning("\(clauses): \(what)", expected: expected, at: place))
  }

  mutating func reviewAll() {
    reviewSpeech()
    reviewTime()
    reviewTheme()
    for page in description.pages {
      if description.speech != nil, page.spoken == nil {
        miss(
          "EN 301 549 5.1.3.1, ADA 707.5",
          "speech refers to the page \(page.name.quoted) by its id",
          expected: "\"spoken\" with its title", at: .page(page.name))
      }
      for entry in page.controls {
        reviewWords(of: entry)
        reviewKeys(of: entry)
      }
    }
    reviewSwipes()
    reviewSizes()
  }

  // MARK: Speech

  private mutating func reviewSpeech() {
    guard description.speech != nil else {
      return miss(
        "EN 301 549 5.1.2.2, 5.1.3.1, ADA 707.5", "the kiosk does not speak",
        expected: "\"speech: {start: [key, jack]}\"", at: firstPage)
    }
  }

  /// Checks that visible information is also spoken.
  private mutating func reviewWords(of entry: PlacedControl) {
    guard description.speech != nil, type(of: entry.control).spokenRole != .silent else {
      return
    }
    let named = ["button", "toggle", "label", "menu"]
    let words = entry.control.wording(of: nil, at: .zero).label
    let isNamed =
      entry.spoken != nil || entry.bindings["text"] != nil || entry.bindings["label"] != nil
      || named.contains(entry.kind) && !words.isEmpty
    // An empty label has no information.
    if !isNamed, entry.kind != "label" {
      let isPicture = entry.kind == "image"
      miss(
        isPicture ? "EN 301 549 5.1.3.6, ADA 707.5" : "EN 301 549 5.1.3.1, ADA 707.5",
        "speech refers to \(entry.id.quoted) by its id",
        expected: isPicture
          ? "\"spoken\", or an empty one for a decoration" : "\"spoken\" with its purpose",
        at: .control(entry))
    }
    if entry.actions["ended"] != nil, entry.spoken?.literal == "" {
      miss(
        "EN 301 549 5.1.3.1, ADA 707.5", "speech never reaches the end of \(entry.id.quoted)",
        expected: "no empty \"spoken\"", at: .control(entry))
    }
    guard ["pinwheel", "menu", "list"].contains(entry.kind) else { return }
    for item in entry.control.items(at: .zero) {
      let last = item.id.split(separator: "/").last.map(String.init) ?? item.id
      guard entry.control.wording(of: item.id, at: .zero).label.isEmpty,
        entry.itemSpoken[item.id] ?? entry.itemSpoken[last] == nil,
        entry.bindings["\(last).label"] == nil
      else { continue }
      miss(
        "EN 301 549 5.1.3.6, ADA 707.5",
        "speech refers to \("\(entry.id)/\(item.id)".quoted) by its id",
        expected: "\"label\" or \"spoken\"",
        at: .item(last, of: entry))
    }
  }

  // MARK: Keys

  /// Checks that keys can do everything that touches can.
  private mutating func reviewKeys(of entry: PlacedControl) {
    if entry.control.commands.contains("shake"), !entry.control.takesKeys {
      miss(
        "EN 301 549 5.1.2.1 (11.2.5.4), 5.1.6.1, ADA 707.3",
        "\(entry.id.quoted) starts only by shaking",
        expected: "\"trigger: [touch, shake]\"", at: .control(entry))
    }
  }

  private mutating func reviewSwipes() {
    var reached: Set<String> = [description.pages[0].name]
    for action in description.allActions {
      if case .value(.text(let name))? = action.page { reached.insert(name) }
    }
    for page in description.pages {
      let targets = page.swipe.values.filter { !Destination.words.contains($0) }
      for target in Set(targets).sorted() where !reached.contains(target) {
        miss(
          "EN 301 549 5.1.2.1 (11.2.5.1), 5.1.6.1, ADA 707.3",
          "only a swipe leads to \(target.quoted)",
          expected: "a control with \"go: \(target)\", too", at: .page(page.name))
      }
    }
  }

  // MARK: Time and appearance

  private mutating func reviewTime() {
    let screen = description.screen
    for page in description.pages {
      guard let after = page.homeAfter ?? screen.homeAfter, after.isFinite, after < 72_000,
        page.warn ?? screen.warn == nil
      else { continue }
      let isOwn = page.homeAfter != nil
      if !isOwn, page.name != description.pages[0].name { continue }
      miss(
        "EN 301 549 5.1.2.1 (11.2.2.1)",
        "after \(after.brief) seconds, the user's work is lost without a warning",
        expected: "\"warn: 20\" next to \"home_after\"", at: .page(page.name))
    }
  }

  private mutating func reviewTheme() {
    let theme = description.theme
    let pairs = [
      ("text", theme.text, "the background", theme.background),
      ("text", theme.text, "surfaces", theme.surface),
    ]
    for (what, ink, where_, background) in pairs
    where ink.contrast(with: background) < Self.leastContrast {
      miss(
        "EN 301 549 5.1.2.1 (11.1.4.3), ADA 707.7.2", "\(what) has little contrast to \(where_)",
        expected: "at least 4.5 to 1", at: firstPage)
    }
  }

  /// Checks the size of capital letters.
  private mutating func reviewSizes() {
    guard let pixelsPerMillimeter else { return }
    var engine = Engine(description, seed: 0)
    // If guests can enlarge the text, the enlarged size counts.
    let grows = description.allActions.contains { action in
      action.target == .value(Description.textScaleValue)
    }
    if grows { try? engine.apply(.set(.value(Description.textScaleValue), .number(2))) }
    let least = Self.leastCapital * pixelsPerMillimeter / Self.capitalHeight
    for (index, page) in description.pages.enumerated() {
      let texts = engine.displayList(of: index).items.flatMap(\.tiles).compactMap { tile in
        if case .text(let run) = tile.shape { run } else { nil as TextRun? }
      }
      let tooSmall = texts.filter { $0.size < least && $0.text.contains(where: \.isLetter) }
      guard let small = tooSmall.min(by: { $0.size < $1.size }) else { continue }
      let others = Set(tooSmall.map(\.text)).count - 1
      miss(
        "EN 301 549 5.1.4, ADA 707.7.2",
        "the capitals of \(small.text.prefix(40).description.quoted) are \((small.size * Self.capitalHeight / pixelsPerMillimeter * 10).rounded(.down) / 10) mm high"
          + (others > 0 ? "; \(others) more strings are too small" : ""),
        expected:
          "at least 4.8 mm, \"font_size: \(least.rounded(.up).brief)\" here, or a control that sets text_scale",
        at: .page(page.name))
    }
  }
}
