// SPDX-License-Identifier: MIT

internal import Controls
internal import Drawing
internal import Expressions
internal import Geometry
internal import Kiosk
internal import Motion
internal import YAML

/// What is learned of a kiosk file while it is read: the names that can be referred to, and the files
/// that it needs.
///
/// Reading goes through the file twice. The first pass finds every page and control; the second one
/// reads the actions and templates, which may name any of them.
final class KioskReader: Reader {
  private let assets: any AssetLoader

  /// A control that the file describes, as far as it could be read.
  struct Draft {
    var id: String
    var events: [String]
    /// Nil where it has mistakes of its own.
    var control: (any Control)?
    var actions: Node?
    var items: [Item]
    /// Where its first template stands; the control where it has none.
    var templateMark: Mark
  }

  /// What is asked of a control for each reference to it, asked once.
  struct Interface {
    let properties: [String]
    let known: Set<String>
    /// What a property is set in, to see whether that can be done.
    var trial: any Control
    /// How much there is to be looked through for one property.
    let size: Int

    init(_ control: any Control) {
      properties = control.properties + ["enabled", "visible"]
      known = Set(properties)
      trial = control
      size = properties.count + control.items(at: .zero).count
    }
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
  private var interfaces: [String: Interface] = [:]
  private var fittingIDs: [String: [String]] = [:]
  private var values = 0
  private var trials = 0
  /// The items of the control that is being read.
  private var items: [Item] = []
  private var itemPlaces: [String: Mark] = [:]

  private(set) var references: [(template: Template, mark: Mark)] = []
  /// The expressions in these.
  private var expressionCount = 0
  private(set) var targets: [(width: Double, what: String, mark: Mark)] = []
  private(set) var images: [String] = []
  private(set) var fonts: [FontName] = []
  /// Why files and fonts cannot be used; nil where they can.
  private var imageProblems: [String: AssetError?] = [:]
  private var fontProblems: [FontName: AssetError?] = [:]
  /// A control that sets text in the bold face of the screen's font.
  var boldMark: Mark?
  /// The design size, for controls that stay inside of it. The screen is read before the pages.
  var screenSize = Screen().size

  init(file: String, end: Mark, limit: TimeLimit = .none, assets: any AssetLoader) {
    self.assets = assets
    super.init(file: file, end: end, limit: limit)
  }

  /// What few letters stand for, as `labels: 10000` does: as much as can be written out.
  private static let maximumValues = 250_000
  /// What all settings look through. It takes less than a second, and no file needs it.
  private static let maximumTrials = 20_000_000

  /// Counts values that a file does not write out.
  func add(values count: Int, at mark: Mark) {
    values += count
    guard values > Self.maximumValues else { return }
    stop("the file stands for more than \(Self.maximumValues) values", at: mark)
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
    let first = references.count
    let control = read()
    let templateMark = references.dropFirst(first).first?.mark ?? mark
    // What bears the name of another may have mistakes of its own, so it is kept all the same.
    if let first = draftPlaces[id] {
      report("duplicate id \(id.quoted) (first in line \(first.mark.line))", at: mark)
    } else {
      draftPlaces[id] = (drafts.count, mark)
    }
    drafts.append(
      Draft(
        id: id, events: events, control: control, actions: actions, items: items,
        templateMark: templateMark))
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

  /// The ids of the controls that a reference may be meant for: those that know a command, or all.
  func ids(knowing command: String?) -> [String] {
    if let known = fittingIDs[command ?? ""] { return known }
    let fitting = drafts.filter { draft in
      guard let command else { return true }
      return draft.control?.commands.contains(command) ?? false
    }
    let ids = fitting.map(\.id)
    fittingIDs[command ?? ""] = ids
    return ids
  }

  /// What references may ask of a control; nil where it has mistakes of its own.
  func interface(of draft: Draft) -> Interface? {
    if let known = interfaces[draft.id] { return known }
    guard let made = draft.control.map(Interface.init) else { return nil }
    interfaces[draft.id] = made
    return made
  }

  /// Sets a property in a copy of a control, to see whether that can be done. It is the same copy each
  /// time: a large control must not be copied for each of many settings.
  func tryOut(
    _ property: String, of draft: Draft, _ value: Value, at mark: Mark
  ) throws(PropertyError) {
    switch (property, value) {
    case ("enabled", .flag), ("visible", .flag): return
    case ("enabled", _), ("visible", _):
      throw .unsuitable(property, expected: "true or false")
    default:
      guard let interface = interface(of: draft) else { return }
      trials += interface.size
      guard trials <= Self.maximumTrials else {
        stop(
          "the actions set properties of large controls too often", at: mark,
          expected: "fewer of them, or smaller controls")
        return
      }
      var events: [ControlEvent] = []
      try interfaces[draft.id]?.trial.set(property, to: value, at: .zero, events: &events)
    }
  }

  func add(_ template: Template, at mark: Mark) {
    expressionCount += template.expressionCount
    guard expressionCount <= Self.maximumTotalReferences else {
      stop(
        "the texts of the file show more than \(Self.maximumTotalReferences) properties", at: mark)
      return
    }
    references.append((template, mark))
  }

  /// Of all texts of a file. What a page shows is filled in for each frame.
  static let maximumTotalReferences = 20_000

  /// Something to be touched whose largest inner circle is `width` design pixels across.
  func add(target what: String, width: Double, at mark: Mark) {
    targets.append((width, what, mark))
  }

  // MARK: Files

  /// The path of an image, nil where it cannot be used.
  func image(_ name: String, at mark: Mark) -> String? {
    let path = resolve(name)
    let problem: AssetError?
    if let known = imageProblems[path] {
      problem = known
    } else {
      guard hasTime(at: mark) else { return nil }
      problem = Self.problem { () throws(AssetError) in try assets.loadImage(at: path) }
      imageProblems[path] = .some(problem)
      images.append(path)
    }
    return checked(path, problem, "image \(name.quoted)", "a PNG file", mark)
  }

  /// The family, or the path of the font file, that the kiosk file calls `name`; nil where it cannot
  /// be used.
  func font(named name: String, bold: Bool, at mark: Mark) -> String? {
    return font(FontName(name).isFile ? resolve(name) : name, bold: bold, at: mark)
  }

  /// The same for a family or a path that is known already.
  func font(_ family: String, bold: Bool, at mark: Mark) -> String? {
    let font = FontName(family, bold: bold)
    let problem: AssetError?
    if let known = fontProblems[font] {
      problem = known
    } else {
      guard hasTime(at: mark) else { return nil }
      guard fonts.count < Self.maximumFonts else {
        stop("more than \(Self.maximumFonts) fonts", at: mark)
        return nil
      }
      problem = Self.problem { () throws(AssetError) in
        try assets.loadFont(family, bold: bold)
      }
      fontProblems[font] = .some(problem)
      fonts.append(font)
    }
    return checked(
      family, problem, "font \(family.quoted)",
      "a family that the system knows, or a font file relative to this file", mark)
  }

  /// A kiosk needs a few. The system takes milliseconds to look for one.
  private static let maximumFonts = 64

  private static func problem(_ load: () throws(AssetError) -> Void) -> AssetError? {
    do throws(AssetError) {
      try load()
      return nil
    } catch {
      return error
    }
  }

  private func checked(
    _ value: String, _ problem: AssetError?, _ what: String, _ expected: String, _ mark: Mark
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
