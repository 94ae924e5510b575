// SPDX-License-Identifier: MIT

internal import Controls
package import Declarations
internal import YAML
package import Drawing
internal import Expressions
package import Geometry
package import Kiosk

/// A kiosk file that has been read, with its mistakes.
package struct ParsedKiosk: Sendable {
  /// Nil where a mistake is an error.
  package let description: Description?
  /// The mistakes in the order of the file.
  package var mistakes: [Mistake]
  /// The paths of the images that the kiosk shows, by which the description calls them.
  package let images: [String]
  /// The paths of the sounds that it plays, as far as the file names them.
  package let sounds: [String]
  /// The fonts in which the kiosk sets text.
  package let fonts: [FaceName]
  /// The programs that it starts, as it calls them.
  package let programs: [String]
  /// The paths of the files that it includes, or would if they were there.
  package let includedFiles: [String]
  /// The file, and those that it includes, as marks count them.
  let filePaths: [String]
  /// Pixels of the design a millimetre; nil where the file does not say how large the panel is.
  package let pixelsPerMillimeter: Double?
  /// Where the pages have their names.
  let pageMarks: [String: Mark]

  private static let example = "\"kiosk: hello\" and \"pages: …\""

  /// Reads the file at `path`, whose content is `text`. Other files that it names are relative to
  /// `path`; `assets` loads them.
  ///
  /// Any bytes are fine: there is either a description, or a mistake that is an error.
  ///
  /// - Parameter canvas: the upright canvas on which it is shown, by which a file with several sizes is laid out;
  ///   nil for its first size.
  package init(
    _ text: [UInt8], path: String, assets: some AssetLoader, limit: TimeLimit = .none,
    canvas: PixelSize? = nil
  ) {
    let reader = KioskReader(
      file: path, end: Mark(endOf: text), limit: limit, assets: assets, canvas: canvas)
    let assembly = Assembly(
      reader, kind: "kiosk", example: Self.example, expressionKeys: ["when"],
      constantsKey: "screen", learnConstants: reader.learnConstants,
      compose: { text, file, kind, example, limit, report in
        Composer.compose(
          text, file: file, kind: kind, example: example, limit: limit, report: report
        ).flatMap { file == 0 && reader.takesForSuite($0) ? nil : $0 }
      }
    ) { path, folder throws(Assembly.LoadError) in
      do throws(AssetError) {
        return try assets.loadText(at: path, inside: folder)
      } catch {
        throw Assembly.LoadError(error.description)
      }
    }
    let root =
      reader.takesForRecording(text)
      ? nil
      : assembly.tree(of: text, under: Self.overlay(of: path, assets, reader))
    var kiosk = root.flatMap { Table<Description>.kiosk.form.read($0, reader) }
    // Where a part is missing, so may be what others refer to.
    if assembly.isComplete { reader.finish(&kiosk, of: root) }
    reader.loadFonts()

    mistakes = reader.mistakes
    description = reader.hasError ? nil : kiosk
    images = reader.images
    sounds = reader.sounds
    fonts = reader.fonts
    programs = reader.programs
    includedFiles = reader.includedFiles
    filePaths = reader.filePaths
    pixelsPerMillimeter = reader.panelDiagonal.map { _ in reader.pixelsPerMillimeter }
    pageMarks = reader.pages
  }
}

extension ParsedKiosk {
  /// The keys of a kiosk that a machine may lay its own over.
  package static let overlayKeys = ["values", "texts", "screen"]

  private static func overlay(
    of path: String, _ assets: some AssetLoader, _ reader: KioskReader
  ) -> Overlay? {
    do throws(AssetError) {
      return try assets.loadOverlay(of: path).map {
        Overlay(path: $0.path, text: $0.text, keys: overlayKeys)
      }
    } catch {
      reader.report("cannot apply this machine's overlay: \(error)", at: .start)
      return nil
    }
  }
}

extension KioskReader {
  /// Reports a recording and returns true, or returns false for any other file.
  fileprivate func takesForRecording(_ text: [UInt8]) -> Bool {
    let start = text.lazy.filter { !" \t\r\n".utf8.contains($0) }.prefix(4)
    guard start.elementsEqual("{\"t\"".utf8) else { return false }
    report(
      "the file is a recording", at: .start,
      expected: "a kiosk file; roundel replay plays recordings")
    return true
  }

  /// Reports a suite and returns true, or returns false for any other file.
  fileprivate func takesForSuite(_ root: Node) -> Bool {
    guard root["pages"] == nil, let pair = root.pairs.first(where: { $0.key == "suite" }) else {
      return false
    }
    report(
      "the file is a suite", at: pair.keyMark, expected: "a kiosk file; roundel test runs suites")
    return true
  }

  /// The second pass, for parts that need to know the whole kiosk.
  fileprivate func finish(_ kiosk: inout Description?, of root: Node?) {
    guard let root else { return }
    names = Names(
      values: values.reduce(into: [:]) { $0[$1.name] = $1.kind }, texts: Set(textMarks.keys))
    for draft in drafts {
      names.controls[draft.id] = .some(
        example(of: draft).map { PropertyKinds($0, source: source(of: draft)) })
    }
    resolveComputedValues()
    let texts = texts(in: languages)
    checkBindings(texts, theme: chooseTheme(root, of: &kiosk))
    chooseBrightness(root, of: &kiosk)
    let kioskActions = self.actions(root["on"], on: Description.events)
    let pageActions = (root["pages"]?.items ?? []).map {
      actions($0["on"], on: Page.events)
    }
    let pageSwipes = (root["pages"]?.items ?? []).map { swipes($0["swipe"]) }
    let kioskReactions = reactions(root["reactions"])
    let pageReactions = (root["pages"]?.items ?? []).map { reactions($0["reactions"]) }
    let pagesBusy = (root["pages"]?.items ?? []).map { busy($0["busy"]) }
    var byControl: [String: (own: [String: [Action]], items: [String: [String: [Action]]])] = [:]
    for draft in drafts {
      var items: [String: [String: [Action]]] = [:]
      for item in draft.items where item.actions != nil {
        items[item.id] = self.actions(
          item.actions, on: draft.events.filter { item.events.contains($0.name) })
      }
      byControl[draft.id] = (self.actions(draft.actions, on: draft.events), items)
    }
    let pageSpoken = (root["pages"]?.items ?? []).map { spoken($0["spoken"]) }
    var spokenByControl: [String: (own: TextTemplate?, items: [String: TextTemplate])] = [:]
    for draft in drafts {
      var items: [String: TextTemplate] = [:]
      for item in draft.items { items[item.id] = spoken(item.spoken) }
      spokenByControl[draft.id] = (spoken(draft.spoken), items)
    }
    guard var whole = kiosk else { return }
    whole.values = values
    whole.texts = texts
    whole.actions = kioskActions
    whole.reactions = kioskReactions
    for page in whole.pages.indices {
      whole.pages[page].actions = pageActions[page]
      whole.pages[page].swipe = pageSwipes[page]
      whole.pages[page].reactions = pageReactions[page]
      whole.pages[page].busy = pagesBusy[page]
      whole.pages[page].spoken = pageSpoken[page]
      for control in whole.pages[page].controls.indices {
        let id = whole.pages[page].controls[control].id
        if let draft = draft(id) {
          whole.pages[page].controls[control].source = source(of: draft)
          for binding in draft.bindings {
            whole.pages[page].controls[control].bindings[binding.property] = binding.template
          }
        }
        whole.pages[page].controls[control].actions = byControl[id]?.own ?? [:]
        whole.pages[page].controls[control].itemActions = byControl[id]?.items ?? [:]
        whole.pages[page].controls[control].spoken = spokenByControl[id]?.own
        whole.pages[page].controls[control].itemSpoken = spokenByControl[id]?.items ?? [:]
      }
    }
    for page in whole.pages.indices where whole.pages[page].isLow {
      lower(&whole.pages[page], to: whole.screen.size.height)
    }
    kiosk = whole
    warnOfSmallTargets()
  }

  /// Moves all controls of a page down by what is free beneath the lowest one.
  private func lower(_ page: inout Page, to bottom: Double) {
    let extents = page.controls.compactMap { $0.control.extent }
    guard let lowest = extents.map(\.y1).max() else { return }
    // As much room as there is at the nearest side.
    let sides = extents.flatMap { [$0.x0, screenSize.width - $0.x1, $0.y0] }
    let way = bottom - max(sides.min() ?? 0, 0) - lowest
    guard way > 0 else { return }
    for index in page.controls.indices {
      guard let source = (page.controls[index].source as? FileControl)?.moved(down: way),
        let made = source.made(isReflected: false)
      else { continue }
      page.controls[index].source = source
      page.controls[index].control = made
    }
  }

  /// The template of a `spoken`; nil where there is none, or after a mistake in it.
  private func spoken(_ node: Node?) -> TextTemplate? {
    node.flatMap { node in inside(key: "spoken") { textTemplate(node) } }
  }

  private func warnOfSmallTargets() {
    for target in targets {
      let side = min(target.room.width, target.room.height)
      guard side < fingerSize else { continue }
      // Rounded down: 8.96 mm are not the 9 that are expected.
      let tenths = (side / pixelsPerMillimeter * 10).rounded(.down) / 10
      report(
        """
        \(target.what) is \(tenths.brief) mm \(side < target.room.width ? "high" : "wide") on a \
        \(panelInches.brief)-inch panel, small for a finger
        """,
        at: target.mark,
        expected: "at least 9 mm, here \(fingerSize.rounded(.up).brief) pixels",
        severity: .warning)
    }
  }
}
