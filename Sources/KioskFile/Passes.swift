// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelGeometry
internal import Kiosk

/// The complete tree of a kiosk file, and its screen, whose size conditions in the tree may read.
struct AssembledFile {
  var root: Node
  /// Whether no part, and so no name, is missing.
  var isComplete: Bool
  var screen: DeclaredScreen
  /// The keys that were already read.
  var keys: KeyValues
}

struct OutlinedFile {
  var file: AssembledFile
  var outline: Outline
}

struct DeclaredFile {
  /// The kiosk without its links, or nil after an error.
  var kiosk: Description?
  var isComplete: Bool
  var outline: Outline
  var root: Node
  var pages: DeclaredPages
  /// The parts that refer to names, such as actions and templates.
  var links: [Link]
}

extension KioskPass {
  /// Conditions may read the screen's size for the canvas.
  func assembled(
    _ tree: Assembly.Tree, by assembly: Assembly, for canvas: PixelSize?
  ) -> AssembledFile {
    var tree = tree
    let early = assembly.value(of: "screen", outOf: &tree).map { readScreen($0, for: canvas) }
    let constants = (early?.fitted ?? DeclaredScreen()).constants
    let root = assembly.assembled(tree, by: KioskPass(after: self, constants: constants))
    // An included file contains the screen if the whole file is included.
    let screen = early ?? readScreen(root["screen"] ?? Node(.map([]), at: root.mark), for: canvas)
    return AssembledFile(
      root: root, isComplete: assembly.isComplete, screen: screen.fitted,
      keys: ["screen": .some(screen.whole)])
  }

  /// Reads a screen, its size first. `whole` is nil after an error.
  private func readScreen(
    _ node: Node, for canvas: PixelSize?
  ) -> (fitted: DeclaredScreen, whole: DeclaredScreen?) {
    inside(key: "screen") {
      let table = Table<DeclaredScreen>.screen
      let sizes = table.values(of: ["size"], in: node, self)
      var fitted = DeclaredScreen(sizes: (sizes["size"] ?? nil) as? [Size] ?? [])
      fitted.fit(to: canvas)
      let reader = DeclarationReader(Outline(screen: fitted), after: self)
      guard var whole = table.form(after: sizes).read(node, reader) else { return (fitted, nil) }
      whole.fit(to: canvas)
      return (whole, whole)
    }
  }

  /// Reads the parts that all pages refer to.
  func outlined(_ file: AssembledFile) -> OutlinedFile {
    var file = file
    let reader = DeclarationReader(Outline(screen: file.screen), after: self)
    let keys = Table<Description>.kiosk.values(of: Outline.keys, in: file.root, reader)
    file.keys.merge(keys) { $1 }
    let outline = Outline(screen: file.screen, keys)
    for font in outline.themes.fonts {
      use(font.font.inheriting(from: file.screen.screen.font), at: font.mark)
    }
    return OutlinedFile(file: file, outline: outline)
  }

  func declared(_ outlined: OutlinedFile) -> DeclaredFile {
    let reader = DeclarationReader(outlined.outline, after: self)
    let form = Table<Description>.kiosk.form(after: outlined.file.keys)
    let kiosk = form.read(outlined.file.root, reader)
    if let kiosk { checkSentences(of: kiosk, outlined.file.root) }
    return DeclaredFile(
      kiosk: kiosk, isComplete: outlined.file.isComplete, outline: outlined.outline,
      root: outlined.file.root, pages: deferred.pages, links: deferred.links)
  }

  /// Reads all references to names. Returns nil if names are missing.
  func linked(_ file: DeclaredFile) -> Description? {
    guard file.isComplete else { return nil }
    let reader = KioskReader(file.outline, file.pages, after: self)
    reader.learnNames()
    var kiosk = file.kiosk
    for link in file.links { reader.inside(path: link.path) { link.read(reader, &kiosk) } }
    reader.checkCircles()
    guard var kiosk else { return nil }
    kiosk.values = reader.values
    let context = FileContext(
      paths: filePaths, images: Set(deferred.assets.lazy.filter { $0.kind == .image }.map(\.name)),
      styles: file.outline.styles.values)
    for page in kiosk.pages.indices {
      for control in kiosk.pages[page].controls.indices {
        kiosk.pages[page].controls[control].source =
          file.pages[kiosk.pages[page].controls[control].id]?.source?.with(context)
      }
      if kiosk.pages[page].isLow { kiosk.pages[page].lower(on: kiosk.screen.size) }
    }
    warnOfPrivateContent(in: kiosk, file)
    return kiosk
  }

  /// Reports languages that speech has no sentences for, each with all missing ones.
  private func checkSentences(of kiosk: Description, _ root: Node) {
    guard kiosk.speech != nil, let languages = root["languages"] else { return }
    for language in kiosk.languages where !Phrase.speaks(language) {
      let missing = Phrase.all.map(\.name).filter { root["texts"]?[$0]?[language] == nil }
      guard !missing.isEmpty else { continue }
      let mark = languages.items.first { $0.text == language }?.mark ?? languages.mark
      report(
        "speech has no sentences in \(language.quoted)", at: mark,
        expected: "\"texts\" with \(missing.joined(separator: ", "))")
    }
  }

  private func warnOfPrivateContent(in kiosk: Description, _ file: DeclaredFile) {
    // `privacy` makes a plan, which is slow for long chains of bindings.
    guard kiosk.hasPrivateParts else { return }
    let privacy = kiosk.privacy
    for value in kiosk.values where value.target != nil && privacy.values.contains(value.name) {
      let node = file.root["values"]?[value.name]
      report(
        "\"to\" sends the private value \(value.name.quoted)",
        at: node?["to"]?.mark ?? node?.mark ?? .start, expected: "it only if that is intended",
        severity: .warning)
    }
    func warn(_ actions: [Action], isOfPrivate isPrivate: Bool = false, _ mark: Mark = .start) {
      for action in actions
      where ["emit", "publish", "notify", "call"].contains(action.kind.name)
        && privacy.carriesPrivate(action, isOfPrivate: isPrivate)
      {
        report(
          "\("\(action)".quoted) contains private content", at: mark,
          expected: "it only if that is intended", severity: .warning)
      }
    }
    let hasScanner = kiosk.screen.scanners.contains(where: \.isPrivate)
    for (event, actions) in kiosk.actions {
      warn(actions, isOfPrivate: hasScanner && event == "scanned")
    }
    warn(kiosk.keys.values.flatMap(\.self) + kiosk.reactions.flatMap(\.actions))
    for page in kiosk.pages {
      warn(
        [page.actions.values.flatMap(\.self), page.keys.values.flatMap(\.self)].flatMap(\.self)
          + page.reactions.flatMap(\.actions))
      for entry in page.controls {
        let node = file.pages[entry.id]?.node
        let mark = node?.pairs.first?.value.mark ?? .start
        if privacy.controls.contains(entry.id), !entry.isPrivate {
          report(
            "\(entry.id.quoted) shows or sets a private value, and is private, too", at: mark,
            expected: "\"private: true\"", severity: .warning)
        }
        let all = [entry.actions] + entry.itemActions.values
        warn(
          all.flatMap { $0.values.flatMap(\.self) },
          isOfPrivate: privacy.controls.contains(entry.id), mark)
      }
    }
  }

  /// Checks all referenced files and programs, and warns about small touch targets.
  func checked(
    _ kiosk: Description?, on screen: DeclaredScreen, _ assets: some AssetLoader
  ) -> AssetChecks {
    for target in kiosk == nil ? [] : deferred.targets {
      let side = min(target.size.width, target.size.height)
      guard side < screen.fingerSize else { continue }
      // Rounded down, because 8.96 mm is less than the required 9.
      let tenths = (side / screen.pixelsPerMillimeter * 10).rounded(.down) / 10
      report(
        """
        \(target.what) is \(tenths.brief) mm \(side < target.size.width ? "high" : "wide") on a \
        \(screen.panelInches.brief)-inch panel, which is small for a finger
        """,
        at: target.mark,
        expected: "at least 9 mm, here \(screen.fingerSize.rounded(.up).brief) pixels",
        severity: .warning)
    }
    return AssetChecks(self, assets)
  }
}

extension Page {
  /// Moves all controls down by the free height below the lowest.
  fileprivate mutating func lower(on screen: Size) {
    let extents = controls.compactMap { $0.control.extent }
    guard let lowest = extents.map(\.y1).max() else { return }
    // Leaves the same margin as at the nearest side.
    let sides = extents.flatMap { [$0.x0, screen.width - $0.x1, $0.y0] }
    let distance = screen.height - max(sides.min() ?? 0, 0) - lowest
    guard distance > 0 else { return }
    for index in controls.indices {
      guard let control = controls[index].control as? any KeyedControl else { continue }
      controls[index].control = control.moved(to: control.center + Vector(0, distance))
    }
  }
}

extension Description {
  fileprivate var hasPrivateParts: Bool {
    values.contains(where: \.isPrivate) || screen.scanners.contains(where: \.isPrivate)
      || pages.contains { $0.controls.contains(where: \.isPrivate) }
  }
}
