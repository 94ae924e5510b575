// SPDX-License-Identifier: MIT

internal import Controls
internal import Drawing
internal import Geometry
internal import Kiosk
internal import YAML

/// What is learned of a kiosk file while it is read: the names that can be referred to, and the files
/// that it needs.
///
/// Reading goes through the file twice. The first pass finds every page and control; the second one
/// reads the actions and templates, which may name any of them.
final class KioskReader: Reader {
  private let assets: any AssetProbe

  /// A control that the file describes, as far as it could be read.
  struct Draft {
    var id: String
    var events: [String]
    /// Nil where it has mistakes of its own.
    var control: (any Control)?
    var actions: Node?
    var items: [Item]
  }

  /// A part of a control that has an id, as a wedge has.
  struct Item {
    var id: String
    var events: [String]
    var actions: Node?
  }

  private(set) var pages: [String: Mark] = [:]
  private(set) var pageNames: [String] = []
  private(set) var drafts: [Draft] = []
  private var draftPlaces: [String: (index: Int, mark: Mark)] = [:]
  /// The items of the control that is being read.
  private var items: [Item] = []
  private var itemPlaces: [String: Mark] = [:]

  private(set) var references: [(template: Template, mark: Mark)] = []
  private(set) var targets: [(width: Double, what: String, mark: Mark)] = []
  private(set) var images: [String] = []
  private(set) var fonts: [FontName] = []
  private var problems: [String: String?] = [:]
  /// A control that sets text in the bold face of the screen's font.
  var boldMark: Mark?
  /// The design size, for controls that stay inside of it. The screen is read before the pages.
  var screenSize = Screen().size

  init(file: String, end: Mark, assets: any AssetProbe) {
    self.assets = assets
    super.init(file: file, end: end)
  }

  // MARK: Names

  func add(page name: String, at mark: Mark) {
    if let first = pages[name] {
      report("duplicate page \(name.quoted) (first in line \(first.line))", at: mark)
    } else {
      pages[name] = mark
      pageNames.append(name)
    }
  }

  /// Reads one control, so that its items are counted to it, and remembers it by its id.
  func add(
    control id: String, at mark: Mark, events: [String], actions: Node?,
    read: () -> (any Control)?
  ) {
    items = []
    itemPlaces = [:]
    let control = read()
    // What bears the name of another may have mistakes of its own, so it is kept all the same.
    if let first = draftPlaces[id] {
      report("duplicate id \(id.quoted) (first in line \(first.mark.line))", at: mark)
    } else {
      draftPlaces[id] = (drafts.count, mark)
    }
    drafts.append(
      Draft(id: id, events: events, control: control, actions: actions, items: items))
  }

  func add(item id: String, at mark: Mark, events: [String], actions: Node?) {
    if let first = itemPlaces[id] {
      report("duplicate id \(id.quoted) (first in line \(first.line))", at: mark)
    } else {
      itemPlaces[id] = mark
    }
    items.append(Item(id: id, events: events, actions: actions))
  }

  func draft(_ id: String) -> Draft? {
    draftPlaces[id].map { drafts[$0.index] }
  }

  func add(_ template: Template, at mark: Mark) {
    references.append((template, mark))
  }

  /// Something to be touched whose largest inner circle is `width` design pixels across.
  func add(target what: String, width: Double, at mark: Mark) {
    targets.append((width, what, mark))
  }

  // MARK: Files

  /// The path of an image, nil where it cannot be used.
  func image(_ name: String, at mark: Mark) -> String? {
    let path = resolve(name)
    if problems[path] == nil {
      problems[path] = .some(assets.imageProblem(at: path))
      images.append(path)
    }
    return checked(path, problems[path] ?? nil, "image \(name.quoted)", "a PNG file", mark)
  }

  /// The family, or the path of the font file, that the kiosk file calls `name`; nil where it cannot
  /// be used.
  func font(named name: String, bold: Bool, at mark: Mark) -> String? {
    return font(FontName(name).isFile ? resolve(name) : name, bold: bold, at: mark)
  }

  /// The same for a family or a path that is known already.
  func font(_ family: String, bold: Bool, at mark: Mark) -> String? {
    let font = FontName(family, bold: bold)
    if !fonts.contains(font) { fonts.append(font) }
    return checked(
      family, assets.fontProblem(family, bold: bold), "font \(family.quoted)",
      "a family that the system knows, or a font file relative to this file", mark)
  }

  private func checked(
    _ value: String, _ problem: String?, _ what: String, _ expected: String, _ mark: Mark
  ) -> String? {
    guard let problem else { return value }
    report("\(what): \(problem)", at: mark, expected: expected)
    return nil
  }
}

extension Reader {
  /// The kiosk's tables are read by its reader only.
  var kiosk: KioskReader {
    guard let reader = self as? KioskReader else {
      preconditionFailure("this table is a kiosk file's")
    }
    return reader
  }
}
