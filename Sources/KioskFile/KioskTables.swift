// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelExpressions
internal import RoundelGeometry
internal import RoundelJSON
internal import Kiosk

extension Table where Value == Description {
  static let kiosk = Table("kiosk", "A kiosk: its screen and its pages.") { keys in
    let name = keys.required("kiosk", .word("a name"), "The kiosk's name.")
    _ = keys.optional(
      "roundel", .version, "The minimum version of Roundel that supports the file.")
    _ = keys.optional(
      "screen", Table<DeclaredScreen>.screen.form, default: [:], "Settings for all pages.")
    _ = keys.optional(
      "theme", Form<ThemeChoice>.theme.linked(choose), default: "dark",
      "The theme: dark, light, contrast, one of `themes`, or a template of its name.")
    _ = keys.optional("themes", .themes, "The kiosk's own themes, by name.")
    let transition = keys.optional(
      "transition", .transition, default: "none",
      "The transition between pages: none, slide or fade.")
    _ = keys.optional("values", .values, "The kiosk's own values, by name.")
    _ = keys.optional(
      "styles", .styles, "Keys shared by controls and items, by the name given in `style`.")
    _ = keys.optional(
      "languages", .languages, "The languages of `texts`. The first is the initial language.")
    _ = keys.optional(
      "texts",
      Form<[String: [String: TextTemplate]]>.texts.linked(at: \Description.texts)
        .orListOfMaps("texts"),
      "Strings by name, each in all languages.")
    let logic = keys.optional(
      "logic", .program,
      "A program that runs along with the kiosk, and its arguments. It reads events as JSON, one object per line, and writes requests."
    )
    keys.optional(
      "speech", Table<SpeechSettings>.speech.form,
      "Spoken output for users who can't see the screen. By default, the kiosk doesn't speak.",
      at: \Description.speech)
    let pages = keys.required(
      "pages", Form<Page>.page.list("pages"), "The pages. The first is the start page.")
    _ = keys.optional(
      "keys", Form<[Keysym: [Action]]>.keys.linked(at: \Description.keys),
      "Actions of keys on all pages, by the xkb name of the key, such as F1 or \"1\". The `keys` of a page and the characters of a keypad come first. `event.key` is the name."
    )
    _ = keys.optional(
      "reactions", Form<[Reaction]>.reactions.linked(at: \Description.reactions),
      "Actions that run when a condition becomes true.")
    _ = keys.optional(
      "on",
      Form<[String: [Action]]>.actions(of: Description.events).linked(at: \Description.actions),
      "Actions by event.")
    return { fields in
      let outline = fields.reader.declaring.outline
      if fields[pages].first?.isOver == true {
        return fields.error(
          "the first page is shown over others", at: pages,
          expected: "a first page without \"over\"")
      }
      var kiosk = Description(
        name: fields[name], screen: outline.screen.screen, pages: fields[pages],
        languages: outline.languages)
      let size = kiosk.screen.size
      let fontSize = Theme.fontSize(onSide: min(size.width, size.height))
      for name in kiosk.themes.keys { kiosk.themes[name]?.fontSize = fontSize }
      for (name, draft) in outline.themes.drafts {
        kiosk.themes[name] = draft.theme(named: name, fontSize: fontSize)
      }
      kiosk.transition = fields[transition]
      kiosk.logic = fields[logic] ?? []
      if kiosk.screen.hasLessMotion {
        kiosk.transition = .none
        for page in kiosk.pages.indices { kiosk.pages[page].transition = nil }
      }
      return kiosk
    }
  }

  @Sendable private static func choose(_ kiosk: inout Description, _ choice: ThemeChoice) {
    if let name = choice.name, let theme = kiosk.themes[name] {
      (kiosk.theme, kiosk.themeName) = (theme, name)
    }
    (kiosk.themeChoice, kiosk.themeCandidates) = (choice.template, choice.candidates)
  }
}

extension Form where Value == Version {
  /// The version that a file needs, at most the current version.
  fileprivate static var version: Form {
    let expected = "a version such as \(Version.current)"
    return Form(
      expected, as: .text,
      schema: { _ in
        [
          "type": ["string", "number"], "pattern": "^[0-9]{1,6}(\\.[0-9]{1,6}){0,2}$", "minimum": 0,
        ]
      },
      read: { node, reader in
        guard let version = node.text.flatMap(Version.init) else {
          reader.reportType(node, expected: expected)
          return nil
        }
        guard version <= .current else {
          reader.report(
            "this file needs Roundel \(version), but this is \(Version.current)", at: node.mark,
            expected: "\(Version.current) at most; install a newer Roundel to show the file")
          return nil
        }
        return version
      }
    ).as(.fixed)
  }
}

extension Form where Value == [String] {
  static var program: Form {
    Form<String>.text.list("a program and its arguments").compactMap { program, node, reader in
      reader.pass.use(.program, program[0], at: node.items[0].mark)
      return program
    }
  }
}

extension Table where Value == DeclaredScreen {
  static let screen = Table("screen", "Settings for all pages.") { keys in
    keys.optional(
      "size", .panelSizes, default: [1280, 800],
      "The size of the design, which is scaled to fit the panel. From a list, the kiosk uses the size that covers most of the panel. With auto, the design has the panel's shape, with 800 pixels on the shorter side, and a grid with more columns than rows is turned on an upright panel.",
      at: \DeclaredScreen.sizes)
    keys.optional(
      "shape", Form<Bool>.choice(["rectangle": false, "round": true]), default: "rectangle",
      "The visible part of the design: all of it, or the largest circle in it. Of several sizes, only square ones are round.",
      at: \DeclaredScreen.screen.isRound)
    keys.optional(
      "background", .color, default: "background", "The colour behind and around the pages.",
      at: \DeclaredScreen.screen.background)
    keys.optional(
      "rotate",
      .choice([
        "0": Rotation?.some(.none), "90": .quarter, "180": .half, "270": .threeQuarters,
        "auto": nil,
      ]),
      default: 0,
      "The clockwise rotation of picture and touches, in degrees. With auto, the rotation is the mounting reported by the panel.",
      at: \DeclaredScreen.screen.rotation)
    keys.optional(
      "depth",
      .choice([
        "auto": ColorDepth?.none, "8": ColorDepth(bits: 8), "12": ColorDepth(bits: 12),
        "15": ColorDepth(bits: 15), "16": ColorDepth(bits: 16), "18": ColorDepth(bits: 18),
        "24": ColorDepth(bits: 24), "30": ColorDepth(bits: 30),
      ]),
      default: "auto",
      "The panel's colour depth in bits, for dithering the picture. With auto, it is the depth of the pixel format.",
      at: \DeclaredScreen.screen.depth)
    let font = FontKeys(
      &keys,
      "A font family known to the system, or a font file relative to this file, or a list of them. The default is sans-serif."
    )
    keys.optional(
      "panel", .diagonal,
      "The panel's diagonal, such as 10in, for warnings about small targets. The default is 7in.",
      at: \DeclaredScreen.panelDiagonal)
    keys.optional(
      "brightness", .brightness,
      "The brightness of the panel's backlight, 0 … 1, or a template of it. By default, the brightness isn't changed.",
      at: \DeclaredScreen.screen.brightness)
    let homeAfter = keys.optional(
      "home_after", .idleTime,
      "Seconds of inactivity before the kiosk returns to the first page. By default, it never does.",
      at: \DeclaredScreen.screen.homeAfter)
    let blankAfter = keys.optional(
      "blank_after", .idleTime,
      "Seconds after the last touch, key press or wake-up until the panel sleeps. By default, it never sleeps."
    )
    let warn = keys.optional(
      "warn", .warning,
      "Seconds before `home_after` and `blank_after` when the kiosk asks whether a user is still there. By default, it doesn't ask.",
      at: \DeclaredScreen.screen.warn)
    keys.optional(
      "motion", Form<Bool>.choice(["normal": false, "less": true]), default: "normal",
      "The amount of motion. With less, pages change immediately, and released controls don't coast.",
      at: \DeclaredScreen.screen.hasLessMotion)
    keys.optional(
      "debounce", .number(0...5, "seconds"), default: 0,
      "Seconds after the end of a touch during which another touch is ignored.",
      at: \DeclaredScreen.screen.debounce)
    keys.optional(
      "dwell", .number(0...5, "seconds"), default: 0,
      "Seconds a finger must rest before its touch is accepted.", at: \DeclaredScreen.screen.dwell)
    keys.optional(
      "mirror", .choice(["never": false, "auto": true]), default: "never",
      "Whether the layout is mirrored in right-to-left languages: never or auto.",
      at: \DeclaredScreen.screen.isMirrored)
    keys.optional(
      "scanner", Table<Scanner>.scanner.form.list(atLeast: 0, "scanners"), default: [],
      "Devices that type codes, such as readers of barcodes and cards. Each line is an event `scanned`, and never a key. By default, they are keyboards.",
      at: \DeclaredScreen.screen.scanners)
    return { fields in
      let own = font.font(fields).inheriting(from: Screen().font)
      fields.reader.pass.use(own, at: font.mark(fields))
      if let seconds = fields[warn] {
        let least = [fields[homeAfter], fields[blankAfter]].compactMap(\.self).min() ?? .infinity
        guard seconds < least else {
          return fields.error(
            "\"warn\" is longer than the time before \"home_after\" or \"blank_after\"", at: warn,
            expected: "less than \(least.brief)")
        }
      }
      let blankAfter = fields[blankAfter].flatMap { $0.isFinite ? $0 : nil }
      return DeclaredScreen(screen: Screen(font: own, blankAfter: blankAfter))
    }
  }
}

extension Table where Value == Page {
  static let page = Table("page", "A page and its controls.") { keys in
    let name = keys.required("page", .word("a name"), "The page's name, unique in the file.")
    keys.optional(
      "background", .background, "The background. The default is the screen's.",
      at: \Page.background)
    keys.optional(
      "transition", .transition, "The transition to this page. The default is the kiosk's.",
      at: \Page.transition)
    keys.optional(
      "home_after", .idleTime,
      "Seconds of inactivity before the kiosk returns to the first page. The default is the screen's.",
      at: \Page.homeAfter)
    keys.optional(
      "warn", .warning,
      "Seconds before the kiosk goes home or sleeps when it asks whether a user is still there. The default is the screen's.",
      at: \Page.warn)
    let over = keys.optional(
      "over", .flag, default: false,
      "Whether `show` shows the page over the current page, which stays visible. `go: back` or a touch outside of its controls closes it. A page called message shows messages of `notify`, and reads `message.text`, `message.title` and `message.level`.",
      at: \Page.isOver)
    let modal = keys.optional(
      "modal", .flag, default: false,
      "Whether a touch outside, or the key Back, doesn't close the page over others.",
      at: \Page.isModal)
    keys.optional(
      "reach", Form<Bool>.choice(["all": false, "low": true]), default: "all",
      "The position of the controls: as written, or moved down to the lower edge, within reach of seated users.",
      at: \Page.isLow)
    _ = keys.optional(
      "grid", Table<PageGrid>.grid.form, default: [:],
      "The grid for the `cell` of controls.")
    keys.optional(
      "hold", .hold, default: .number(Press.standardHold),
      "Seconds until a press outside controls is `held`, if there are actions for `held`.",
      at: \Page.hold)
    let swipe = keys.optional(
      "swipe", Table<[Direction: String]>.swipe.form.linked(at: \Page.swipe),
      "The pages that swipes lead to, by the direction of the swipe. By default, there are none.")
    _ = keys.optional(
      "spoken", Form<TextTemplate>.filled.linked(at: \Page.spoken),
      "The spoken name. The default is the text, or the id if there isn't any text.")
    let controls = keys.required(
      "controls", Form.control.list(atLeast: 0, "controls"), "The controls, from back to front.")
    _ = keys.optional(
      "keys", Form<[Keysym: [Action]]>.keys.linked(at: \Page.keys),
      "Actions of keys while the page is shown, by the xkb name of the key, such as F1 or \"1\". They come before keypads, the kiosk's `keys` and the focus. `event.key` is the name."
    )
    let focus = keys.optional(
      "focus", .controlID,
      "The id of the page's control that has the focus when keys show the page. The default is the first usable control.",
      at: \Page.focus)
    let encoder = keys.optional(
      "encoder", .controlID,
      "The id of the page's control that an encoder turns without focus. By default, an encoder moves the focus.",
      at: \Page.encoder)
    _ = keys.optional(
      "reactions", Form<[Reaction]>.reactions.linked(at: \Page.reactions),
      "Actions that run when a condition becomes true while the page is shown.")
    _ = keys.optional(
      "busy", Form<TextTemplate?>.busy.linked(at: \Page.busy),
      "Whether users must not be interrupted while the page is shown: true, false, or a template of it, which only `roundel status --in-use` evaluates."
    )
    _ = keys.optional(
      "on", Form<[String: [Action]]>.actions(of: Page.events).linked(at: \Page.actions),
      "Actions by event.")
    return { fields in
      if fields[modal], !fields[over] {
        return fields.error(
          "\"modal\" without \"over\"", at: modal, expected: "\"over: true\"")
      }
      if fields[over], fields[swipe] != nil {
        return fields.error(
          "\"swipe\" on a page over others", at: swipe, expected: "a control with \"go: back\"")
      }
      let placed = fields[controls]
      if let id = fields[focus], !placed.contains(where: { $0.id == id }) {
        return fields.error(
          "the page has no control \(id.quoted)", at: focus,
          expected: placed.isEmpty ? "no \"focus\"" : placed.map(\.id).alternatives)
      }
      if let id = fields[encoder], !placed.contains(where: { $0.id == id && $0.control.isTurnable })
      {
        let turnable = placed.filter { $0.control.isTurnable }.map(\.id)
        return fields.error(
          placed.contains { $0.id == id }
            ? "an encoder can't turn \(id.quoted)" : "the page has no control \(id.quoted)",
          at: encoder,
          expected: turnable.isEmpty ? "a dial, ring, bar or picker" : turnable.alternatives)
      }
      return Page(name: fields[name], controls: fields[controls])
    }
  }
}

extension Form where Value == Page {
  fileprivate static var page: Form {
    let form = Table<Page>.page.form
    return Form(
      form.expected, from: form.kinds, as: form.valueKind, objects: form.objects,
      schema: form.schema, read: { node, reader in reader.declaring.page(node) })
  }
}

extension Form where Value == PageTransition {
  /// `slide`, or `{slide, seconds: 0.3}`.
  fileprivate static var transition: Form {
    kind.map { PageTransition($0) }.or(Table<PageTransition>.transition.form)
  }

  fileprivate static var kind: Form<PageTransition.Kind> {
    .choice(["none": .none, "slide": .slide, "fade": .fade])
  }
}

extension Form where Value == Bool {
  /// A key without a value, as in `{slide, seconds: 0.3}`.
  fileprivate static var mention: Form {
    Form(
      "no value", from: [.nothing], schema: { _ in ["type": "null"] }, read: { _, _ in true })
  }
}

extension Table where Value == PageTransition {
  fileprivate static let transition = Table(
    "transition", "The transition between pages, such as {slide, seconds: 0.3}."
  ) { keys in
    let kind = keys.optional("kind", Form<PageTransition>.kind, "The kind of transition.")
    let slide = keys.optional("slide", .mention, "The new page pushes the old one aside.")
    let fade = keys.optional("fade", .mention, "The new page fades in over the old one.")
    let none = keys.optional("none", .mention, "The new page appears immediately.")
    let seconds = keys.optional(
      "seconds", .number(0.05...5, "seconds"), default: .number(PageTransition.standardSeconds),
      "The duration in seconds.")
    return { fields in
      var kinds = [fields[kind]].compactMap(\.self)
      if fields[slide] != nil { kinds.append(.slide) }
      if fields[fade] != nil { kinds.append(.fade) }
      if fields[none] != nil { kinds.append(.none) }
      guard kinds.count == 1 else {
        return fields.error(
          "a transition \(kinds.isEmpty ? "without a kind" : "of several kinds")", at: kind,
          expected: "one of none, slide and fade, such as {slide, seconds: 0.3}")
      }
      return PageTransition(kinds[0], seconds: fields[seconds])
    }
  }
}

extension Table where Value == String {
  /// `{image: wall.png}`.
  static let backdrop = Table("backdrop", "An image as a background.") { keys in
    let image = keys.required("image", .image, "A PNG or JPEG file, relative to this file.")
    return { fields in fields[image] }
  }
}

extension Form where Value == Page.Background {
  /// A colour, or `{image: wall.png}`.
  static var background: Form {
    Form<ThemeColor>.color.map(Page.Background.color)
      .or(Table<String>.backdrop.form.map(Page.Background.image))
  }
}

extension Form where Value == Size {
  /// The size of a panel, in either orientation.
  fileprivate static var panelSize: Form {
    let (long, short) = (PixelSize.maximumPanel.width, PixelSize.maximumPanel.height)
    let any = Form<Double>.number(16...Double(long), "pixels").pair("a size [width, height]")
      .map { Size($0.first, $0.second) }.as(.fixed)
    return any.compactMap { size, node, reader in
      guard min(size.width, size.height) <= Double(short) else {
        reader.report(
          "\(reader.subject) is too large: \(size.width.brief) by \(size.height.brief)",
          at: node.mark, expected: "at most \(long) by \(short) pixels, or \(short) by \(long)")
        return nil
      }
      return size
    }
  }
}

extension Form where Value == [Size] {
  /// One panel size, several with different shapes, or `auto`.
  static var panelSizes: Form {
    let one = Form<Size>.panelSize
    let several = one.list("sizes")
    return Form(
      "\(one.expected), \(several.expected), or auto", from: [.scalar, .list],
      schema: { ["anyOf": [one.schema(&$0), several.schema(&$0), ["const": "auto"]]] },
      read: { node, reader in
        if node.text == "auto" { return DeclaredScreen.automatic }
        guard node.items.contains(where: { $0.kind == .list }) else {
          return one.read(node, reader).map { [$0] }
        }
        guard let sizes = several.read(node, reader) else { return nil }
        for (index, size) in sizes.enumerated() {
          let isKnown = sizes[..<index].contains {
            $0.width * size.height == $0.height * size.width
          }
          guard !isKnown else {
            reader.report(
              "another size has the same shape, so this size would never be used",
              at: node.items[index].mark, expected: "sizes of different shapes")
            return nil
          }
        }
        return sizes
      })
  }
}

extension Form where Value == Double {
  fileprivate static var warning: Form { number(1...3_600, "seconds") }

  /// The seconds, or `never`, which is infinite.
  fileprivate static var idleTime: Form {
    let seconds = number(0.1...10_000_000, "seconds")
    return Form(
      "\(seconds.expected), or never",
      schema: { ["anyOf": [seconds.schema(&$0), ["const": "never"]]] },
      read: { node, reader in node.text == "never" ? .infinity : seconds.read(node, reader) })
  }
}

extension Form where Value == Double {
  /// The diagonal of a panel in inches, such as `10in`.
  fileprivate static var diagonal: Form {
    let expected = "inches from 1in to 1000in, such as 10.1in"
    return Form(
      expected,
      schema: { _ in ["type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?in$"] },
      read: { node, reader in
        guard let text = node.text, text.hasSuffix("in"), let first = text.utf8.first,
          (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first),
          let inches = Double(text.dropLast(2)), (1...1000).contains(inches)
        else {
          reader.report(
            "\(reader.subject) is not a diagonal: \(node.summary)", at: node.mark,
            expected: expected)
          return nil
        }
        return inches
      })
  }
}
