// SPDX-License-Identifier: MIT

internal import Controls
internal import Declarations
internal import Drawing
internal import Expressions
internal import Geometry
internal import JSON
internal import Kiosk
internal import Motion

/// The reader of a kiosk file. It knows the names that can be referred to, and the files
/// that it needs.
///
/// Reading goes through the file twice. The first pass finds every page and control; the second one
/// reads the actions and templates, which may name any of them.
final class KioskReader: Reader {
  private let assets: any AssetLoader

  /// A control that the file describes, as far as it could be read.
  struct Draft {
    var id: String
    /// Nil for one of no known type.
    var type: ControlType?
    /// Nil where it has mistakes of its own.
    var control: (any Control)?
    /// Its keys, with values in place of templates.
    var keys: KeySites?
    var actions: Node?
    var spoken: Node?
    var items: [Item]
    var bindings: [Binding]

    var events: [EventType] {
      let events = type?.events ?? []
      return control?.isSecret == true ? events.map(\.ofSecret) : events
    }
  }

  /// A property that follows a template.
  struct Binding {
    var property: String
    var template: Template
    var kind: Value.Kind
    var isFreeText: Bool
    /// Whether it is a key from which the control is made, rather than its state.
    var isKey: Bool
    var mark: Mark
  }

  /// The answers of a control to references to it, asked once.
  struct Interface {
    let properties: PropertyKinds
    /// The names of its state, and all. To ask a large control for each takes long.
    let states: Set<String>
    let known: Set<String>
    /// All names, for what a mistake expects.
    let names: [String]
    /// A copy in which properties are set, to see whether that can be done.
    var trial: any Control
    /// The amount of work to look through for one property.
    let size: Int

    init(_ control: any Control, _ source: (any ControlSource)?) {
      properties = PropertyKinds(control, source: source)
      trial = control
      states = Set(control.properties + ["enabled", "visible"])
      names = properties.names(upTo: .max)
      known = Set(names)
      size = states.count + control.items(at: .zero).count
    }
  }

  /// A part of a control that has an id, as a wedge has.
  struct Item {
    var id: String
    var events: [String]
    var actions: Node?
    var spoken: Node?
  }

  private(set) var pages: [String: Mark] = [:]
  private(set) var pageNames: [String] = []
  private(set) var drafts: [Draft] = []
  private var draftPlaces: [String: (index: Int, mark: Mark)] = [:]
  private var interfaces: [String: Interface] = [:]
  /// By type and items.
  private var standIns: [[String]: any Control] = [:]
  private var fittingIDs: [String: [String]] = [:]
  /// The number of values that the file does not write out.
  private var valueCount = 0
  private var trials = 0
  /// The items of the control that is being read.
  private var items: [Item] = []
  private var itemPlaces: [String: Mark] = [:]

  /// The kiosk's own values, its languages, and the names of its texts.
  var values: [ValueDeclaration] = []
  /// The values that follow templates, by name.
  var computed: [String: ComputedValue] = [:]
  var languages: [String] = []
  /// The values for the first results of templates of controls. Values and languages come before the pages.
  private(set) lazy var firstValues = makeFirstValues()
  /// The texts as they are in the file.
  private(set) var textPairs: [Node.Pair] = []
  private(set) var textMarks: [String: Mark] = [:]
  /// The names of the file's own themes.
  var themeNames: [String] = []
  /// The names that expressions may read; whole once all controls are known.
  var names = Names()
  /// The event whose actions are being read; nil elsewhere.
  var event: EventType? { didSet { names.event = event?.kinds } }
  /// The file's styles, which come before its pages.
  var styles = KioskStyles()
  /// The grid of the page that is being read.
  var grid = PageGrid()
  /// The bindings of the control that is being read.
  private var bindings: [Binding] = []
  private var expressionCount = 0
  private(set) var targets: [(room: Size, what: String, mark: Mark)] = []
  /// Whether as little as possible moves. The screen is read before the pages.
  var hasLessMotion = false
  /// The diagonal of the panel in inches; nil where the file does not say.
  var panelDiagonal: Double?
  private var imageChecks = AssetChecks<String>()
  private var soundChecks = AssetChecks<String>()
  private var programChecks = AssetChecks<String>()
  private var fontChecks = AssetChecks<FaceName>()
  /// The families whose problems have been reported.
  private var reportedFonts: Set<String> = []
  /// The font of texts that have no font of their own.
  var screenFont = Screen().font
  private var namedFonts: [(font: Font, mark: Mark)] = []
  /// The fonts in which something is set.
  private var usedFonts: [(font: Font, mark: Mark)] = []
  /// The fonts of themes.
  private var themeFonts: [Font] = []
  /// The design size, for controls that stay inside of it. The screen is read before the pages.
  var screenSize = Screen().size { didSet { constants = Constants(designSize: screenSize) } }
  /// Whether the panel shows a circle of it only.
  var isScreenRound = Screen().isRound

  /// The upright canvas for which the file is read; nil where that is not known.
  private let canvas: PixelSize?

  /// Learns the design size. Mistakes in it are found when it is read.
  func learnConstants(from screen: Node) {
    guard let written = screen["size"] else { return }
    let possible = 16...Double(PixelSize.maximumPanel.width)
    let pairs = written.items.contains { $0.kind == .list } ? written.items : [written]
    let sizes = pairs.compactMap { pair -> Size? in
      let sides = pair.items.compactMap(\.number).filter(possible.contains)
      return sides.count == 2 ? Size(sides[0], sides[1]) : nil
    }
    if let size = size(of: sizes) { screenSize = size }
  }

  /// The one of several sizes at which the file is read; nil for none.
  func size(of sizes: [Size]) -> Size? { canvas?.bestCovered(by: sizes) ?? sizes.first }

  /// The diagonal of the panel; where the file does not say, 7 inches: the smallest that hangs on many walls.
  var panelInches: Double { panelDiagonal ?? 7 }
  /// The 9 mm that a finger needs, in design pixels.
  var fingerSize: Double { 9 * pixelsPerMillimeter }
  var pixelsPerMillimeter: Double {
    let (width, height) = (screenSize.width, screenSize.height)
    return (width * width + height * height).squareRoot() / (panelInches * 25.4)
  }

  /// The context of changes to a control; whole once all has been read that names images.
  var context: FileControl.Context {
    FileControl.Context(
      files: filePaths, screenSize: screenSize, isScreenRound: isScreenRound,
      panelDiagonal: panelDiagonal, images: imageChecks,
      styles: styles)
  }

  init(
    file: String, end: Mark, limit: TimeLimit = .none, assets: any AssetLoader,
    canvas: PixelSize? = nil
  ) {
    self.assets = assets
    self.canvas = canvas
    super.init(file: file, end: end, limit: limit)
    constants = Constants(designSize: screenSize)
  }

  /// A reader for keys of a control of files that have been read.
  init(
    again filePaths: [String], screenSize: Size, isScreenRound: Bool, assets: any AssetLoader
  ) {
    self.assets = assets
    canvas = nil
    super.init(again: filePaths)
    self.screenSize = screenSize
    self.isScreenRound = isScreenRound
    constants = Constants(designSize: screenSize)
  }

  /// The maximum number of values that a file does not write out, as `labels: 10000` does.
  private static let maximumValues = 250_000
  /// The maximum that all settings look through. It takes less than a second, and no file needs it.
  private static let maximumTrials = 20_000_000

  /// Counts values that a file does not write out.
  func add(values count: Int, at mark: Mark) {
    valueCount += count
    guard valueCount > Self.maximumValues else { return }
    stop("the file stands for more than \(Self.maximumValues) values", at: mark)
  }

  // MARK: Names

  func add(page name: String, at mark: Mark) {
    if let first = pages[name] {
      report(duplicate: "page", name, first: first, at: mark)
    } else {
      pages[name] = mark
      pageNames.append(name)
    }
  }

  /// Reads one control, and remembers it by its id with the items and templates that are in it.
  func control(_ type: ControlType, _ written: Node) -> PlacedControl? {
    let node = calmed(placed(styles.applied(to: written, type.table.keys), type), type)
    items = []
    itemPlaces = [:]
    bindings = []
    let keys = KeySites(keys: type.table.keys, node: node)
    let plain = KeySites(keys: keys.keys, node: keys.replacing(follow))
    let entry = type.table.form.read(plain.node, self)
    if let id = node.pairs.first?.value, let name = id.text {
      add(
        control: name, at: id.mark, type: type, made: entry?.control, keys: plain,
        actions: node["on"], spoken: node["spoken"])
    }
    return entry
  }

  /// A control's node where less is to move: what turns stops where it is let go, unless the file says
  /// otherwise.
  private func calmed(_ node: Node, _ type: ControlType) -> Node {
    guard hasLessMotion, type.table.keys.names.contains("inertia"), node["inertia"] == nil,
      node.kind == .map
    else { return node }
    let none = Node(.scalar("none", isPlain: true), at: node.mark)
    return Node(
      .map(node.pairs + [Node.Pair(key: "inertia", keyMark: node.mark, value: none)]),
      at: node.mark)
  }

  /// Remembers a control by its id: one that could be read, or one that others may refer to.
  func add(
    control id: String, at mark: Mark, type: ControlType? = nil, made control: (any Control)? = nil,
    keys: KeySites? = nil, actions: Node? = nil, spoken: Node? = nil
  ) {
    // A control with the id of another one may have mistakes of its own, so it is kept all the same.
    if let first = draftPlaces[id] {
      report(duplicate: "id", id, first: first.mark, at: mark)
    } else {
      draftPlaces[id] = (drafts.count, mark)
    }
    drafts.append(
      Draft(
        id: id, type: type, control: control, keys: keys, actions: actions, spoken: spoken,
        items: items, bindings: bindings))
  }

  /// Whether a key of the control that is being read has the value that the file says, rather than that
  /// of a template.
  func isWritten(_ key: String) -> Bool {
    !isAgain && !bindings.contains { $0.property == key }
  }

  /// Whether a control has a state of a bound key's name: that name means the state, not the key.
  func isHidden(_ binding: Binding, of draft: Draft) -> Bool {
    binding.isKey && example(of: draft)?.value(of: binding.property, at: .zero) != nil
  }

  func add(
    item id: String, at mark: Mark, events: [String], actions: Node?, spoken: Node?
  ) {
    if let first = itemPlaces[id] {
      report(duplicate: "id", id, first: first, at: mark)
    } else {
      itemPlaces[id] = mark
    }
    items.append(Item(id: id, events: events, actions: actions, spoken: spoken))
  }

  func draft(_ id: String) -> Draft? {
    draftPlaces[id].map { drafts[$0.index] }
  }

  /// The ids of the controls that a reference may be meant for: those that know a command, or all.
  func controlIDs(knowing command: String?) -> [String] {
    if let known = fittingIDs[command ?? ""] { return known }
    let fitting = drafts.filter { draft in
      guard let command else { return true }
      return example(of: draft)?.commands.contains(command) ?? false
    }
    let ids = fitting.map(\.id)
    fittingIDs[command ?? ""] = ids
    return ids
  }

  /// A control, or a good one of its type and with its items where it has mistakes; nil where not even
  /// its type is known.
  func example(of draft: Draft) -> (any Control)? {
    guard draft.control == nil, let type = draft.type else { return draft.control }
    let items = draft.items.map(\.id)
    let key = [type.name] + items
    if let known = standIns[key] { return known }
    let made = type.standIn(items: items)
    standIns[key] = made
    return made
  }

  /// The answers that references may ask of a control; nil where not even its type is known.
  func interface(of draft: Draft) -> Interface? {
    if let known = interfaces[draft.id] { return known }
    guard let made = example(of: draft).map({ Interface($0, source(of: draft)) }) else {
      return nil
    }
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
      if !interface.states.contains(property), let site = draft.keys?[property] {
        guard site.declaration.role == .variable else { throw .fixed(property) }
        guard let keys = draft.keys else { return }
        _ = site.declaration.read(Node(JSONValue(value), at: mark), keys.node, self)
        return
      }
      // It is not known which values a control with mistakes will take.
      guard draft.control != nil else { return }
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

  func add(texts: [Node.Pair]) {
    textPairs = texts
    for pair in texts { textMarks[pair.key] = pair.keyMark }
  }

  /// Binds a property of the control that is being read.
  func bind(
    _ property: String, to template: Template, _ key: Keys.Declaration, at mark: Mark
  ) {
    guard count(template, at: mark) else { return }
    bindings.append(
      Binding(
        property: property, template: template, kind: key.valueKind, isFreeText: key.isFreeText,
        isKey: key.role == .variable, mark: mark))
  }

  /// Counts the expressions of a template that is followed; false where there are too many.
  func count(_ template: Template, at mark: Mark) -> Bool {
    expressionCount += template.expressionCount
    guard expressionCount > Self.maximumExpressions else { return true }
    stop("the file has more than \(Self.maximumExpressions) expressions", at: mark)
    return false
  }

  /// The most expressions in all bindings and computed values of a file.
  private static let maximumExpressions = 20_000

  /// Something to be touched that has this much room, in design pixels.
  func add(target what: String, room: Size, at mark: Mark) {
    targets.append((room, what, mark))
  }

  // MARK: Files

  /// The assets that the file names, in its order.
  var images: [String] { imageChecks.names }
  var sounds: [String] { soundChecks.names }
  var programs: [String] { programChecks.names }
  var fonts: [FaceName] { fontChecks.names }

  /// The path of an image, nil where it cannot be used.
  func image(_ name: String, at mark: Mark) -> String? {
    let path = resolve(name, from: mark)
    let isNew = !imageChecks.has(path)
    guard
      isUsable(
        path, "image \(name.quoted)", "a PNG or JPEG file", \.imageChecks, mark,
        {
          () throws(AssetError) in try assets.loadImage(at: path)
        })
    else { return nil }
    if isNew, let profile = assets.ignoredProfile(ofImageAt: path) {
      report(
        "image \(name.quoted) has \(profile), which is ignored", at: mark,
        expected: "an image in sRGB", severity: .warning)
    }
    return path
  }

  /// Whether a sound can be played; it is reported where it cannot.
  func checkSound(_ name: String, at mark: Mark) -> Bool {
    let path = resolve(name, from: mark)
    return isUsable(path, "sound \(name.quoted)", "a WAV file", \.soundChecks, mark) {
      () throws(AssetError) in try assets.loadSound(at: path)
    }
  }

  /// Notes the fonts of a control's texts; `own` is the font that its keys state.
  func use(_ own: Font, of control: (any Control)?, at mark: Mark) {
    for outer in [Font()] + themeFonts {
      let font = own.inheriting(from: outer).inheriting(from: screenFont)
      use(font.preferring(weight: control?.fontWeight ?? FaceName.regular), at: mark)
    }
  }

  /// Notes a theme's font, for controls that have none of their own.
  func use(theme font: Font, at mark: Mark) {
    guard font != Font() else { return }
    themeFonts.append(font)
    use(font.inheriting(from: screenFont), at: mark)
  }

  /// Notes a font in which something is set.
  func use(_ font: Font, at mark: Mark) { usedFonts.append((font, mark)) }

  /// Remembers a font that the file names.
  func add(font families: [String], at mark: Mark) { namedFonts.append((Font(families), mark)) }

  /// Loads the fonts in which something is set, and looks for the named fonts that nothing needed: those of
  /// parts with mistakes. This comes last, since the list of the system's fonts is made meanwhile.
  func loadFonts() {
    for (font, mark) in usedFonts { load(font, at: mark) }
    let tried = Set(fonts.map(\.family))
    for (font, mark) in namedFonts where tried.isDisjoint(with: font.families) {
      load(font, at: mark)
    }
  }

  /// Loads a font. A missing family is an error where the font has no other family, and else a warning.
  private func load(_ font: Font, at mark: Mark) {
    let problems = font.faces.map { ($0, problem(of: $0, at: mark)) }
    let hasAny = problems.contains { $0.1 == nil }
    for case (let face, let problem?) in problems where reportedFonts.insert(face.family).inserted {
      report(
        "font \(face.family.quoted): \(problem)", at: mark,
        expected: "a family that the system knows, or a font file relative to this file",
        severity: hasAny ? .warning : .error)
    }
  }

  private func problem(of face: FaceName, at mark: Mark) -> AssetError? {
    guard fontChecks.has(face) || hasTime(at: mark) else { return nil }
    guard fontChecks.has(face) || fonts.count < Self.maximumFonts else {
      stop("more than \(Self.maximumFonts) fonts", at: mark)
      return nil
    }
    return fontChecks.problem(of: face) { () throws(AssetError) in try assets.loadFont(face) }
  }

  /// Whether a program can be started; it is reported where it cannot.
  func checkProgram(_ name: String, at mark: Mark) -> Bool {
    isUsable(
      name, "program \(name.quoted)", "a program beside the kiosk file, or one in PATH",
      \.programChecks, mark
    ) { () throws(AssetError) in
      try assets.findProgram(name, for: file)
    }
  }

  /// A kiosk needs a few. The system takes milliseconds to look for one.
  private static let maximumFonts = 64

  /// Whether something that the file names can be used; it is reported where it cannot. It is looked for
  /// once.
  private func isUsable(
    _ name: String, _ what: String, _ expected: String,
    _ checks: ReferenceWritableKeyPath<KioskReader, AssetChecks<String>>, _ mark: Mark,
    _ load: () throws(AssetError) -> Void
  ) -> Bool {
    guard self[keyPath: checks].has(name) || hasTime(at: mark) else { return false }
    guard let problem = self[keyPath: checks].problem(of: name, load) else { return true }
    report("\(what): \(problem)", at: mark, expected: expected)
    return false
  }
}

extension KioskReader: ControlFile {}

extension Constants {
  fileprivate init(designSize: Size) {
    self.init(["screen.width": designSize.width, "screen.height": designSize.height])
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
