// SPDX-License-Identifier: MIT

internal import Controls
public import Drawing
internal import Geometry
public import Kiosk
public import YAML

/// What a kiosk file says, or what is wrong with it.
public struct Reading: Sendable {
  /// Nil where a mistake is an error.
  public let description: Description?
  /// In the order in which they stand in the file.
  public let mistakes: [Mistake]
  /// The paths of the images that the kiosk shows, by which the description calls them.
  public let images: [String]
  /// The fonts in which the kiosk sets text.
  public let fonts: [FontName]

  private static let example = "\"kiosk: hello\" and \"pages: …\""

  /// Reads the file at `path`, whose content is `text`. Other files that it names are relative to
  /// `path`; `assets` loads them.
  ///
  /// Any bytes are fine: there is either a description, or a mistake that is an error.
  public init(_ text: [UInt8], path: String, assets: some AssetLoader, limit: TimeLimit = .none) {
    let reader = KioskReader(file: path, end: Mark(endOf: text), limit: limit, assets: assets)
    let root = Composer.compose(text, kind: "kiosk", example: Self.example, limit: limit) {
      reader.report($0, at: $1)
    }
    var kiosk = root.flatMap { Table<Description>.kiosk.form.read($0, reader) }
    reader.finish(&kiosk)

    mistakes = reader.mistakes
    description = reader.hasError ? nil : kiosk
    images = reader.images
    fonts = reader.fonts
  }
}

extension KioskReader {
  /// The second pass: what needs to know the whole kiosk.
  fileprivate func finish(_ kiosk: inout Description?) {
    checkTemplates()
    var actions: [String: (own: [String: [Action]], items: [String: [String: [Action]]])] = [:]
    for draft in drafts {
      var items: [String: [String: [Action]]] = [:]
      for item in draft.items where item.actions != nil {
        items[item.id] = self.actions(item.actions, on: item.events)
      }
      actions[draft.id] = (self.actions(draft.actions, on: draft.events), items)
    }
    guard var whole = kiosk else { return }
    for page in whole.pages.indices {
      for control in whole.pages[page].controls.indices {
        let id = whole.pages[page].controls[control].id
        whole.pages[page].controls[control].actions = actions[id]?.own ?? [:]
        whole.pages[page].controls[control].itemActions = actions[id]?.items ?? [:]
      }
    }
    kiosk = whole
    if let boldMark { _ = font(whole.screen.font, bold: true, at: boldMark) }
    warnOfSmallTargets(whole.screen.size)
  }

  /// A finger needs 9 mm. How large a design pixel is depends on the panel; a 7-inch one is the
  /// smallest that hangs on many walls.
  private func warnOfSmallTargets(_ design: Size) {
    let diagonal = (design.width * design.width + design.height * design.height).squareRoot()
    let pixels = diagonal / (7 * 25.4)
    for target in targets where target.width < 9 * pixels {
      let tenths = (target.width / pixels * 10).rounded() / 10
      report(
        "\(target.what) is \(tenths.brief) mm wide on a 7-inch panel, small for a finger",
        at: target.mark,
        expected: "at least 9 mm, here \((9 * pixels).rounded(.up).brief) pixels",
        severity: .warning)
    }
  }
}
