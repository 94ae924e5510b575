// SPDX-License-Identifier: MIT

public import Controls
package import Declarations
public import Drawing
package import Expressions
public import Geometry
internal import Motion

/// A kiosk as described by its file or program. All names in it are valid.
public struct Description: Sendable {
  /// The name of the kiosk, which tests and state files use.
  public var name: String
  /// The settings of all pages.
  public var screen: Screen
  /// At least one; the first is shown at start.
  public var pages: [Page]
  /// Values of the kiosk's own, with unique names.
  public var values: [ValueDeclaration]
  /// The first is used initially; empty for a kiosk in one language.
  public var languages: [String]
  /// The theme at the start.
  public var theme: Theme
  /// The name of the theme at the start.
  package var themeName = "dark"
  /// By name: `dark`, `light` and the kiosk's own.
  package var themes: [String: Theme] = Theme.builtIn
  /// The template for the theme's name; nil where the theme stays as it is.
  package var themeChoice: TextTemplate?
  /// The template for the panel's brightness, 0 … 1; nil where the brightness stays as it is.
  package var dimming: TextTemplate?
  /// The themes that the choice is known to be among; empty where it may be any.
  package var themeCandidates: [String] = []
  /// The transition of pages that do not state one themselves.
  public var transition = PageTransition.none
  /// By name, then by language.
  package var texts: [String: [String: TextTemplate]]
  /// The tones of its images, by their names, as far as they are known.
  package var tones: [String: ImageTone] = [:]
  /// The masks of its images, in the same way.
  package var masks: [String: ImageMask] = [:]
  /// The settings of speech; nil for a kiosk that does not speak.
  public var speech: SpeechSettings?
  /// The program that runs beside the kiosk: its name and its arguments; empty for none.
  package var logic: [String] = []
  /// The actions of the kiosk's own events: `started`, `slept`, `woken`, `home`.
  package var actions: [String: [Action]]
  /// The reactions of all pages.
  package var reactions: [Reaction] = []

  /// The names of the kiosk's own events.
  package static let events: [EventType] = [
    .plain("started", "The kiosk has started."), .slept, .woken,
    .plain("home", "It has gone home, to its first page."), .warned,
  ]

  package init(
    name: String, screen: Screen = Screen(), theme: Theme = .dark, pages: [Page],
    values: [ValueDeclaration] = [],
    languages: [String] = [], texts: [String: [String: TextTemplate]] = [:],
    actions: [String: [Action]] = [:]
  ) {
    self.name = name
    self.screen = screen
    self.theme = theme
    self.pages = pages
    self.values = values
    self.languages = languages
    self.texts = texts
    self.actions = actions
  }
}

extension Description {
  /// The name by which the theme in use is read, unless the kiosk has a value of this name.
  package static let themeValue = "theme"

  /// The name of the value that scales texts, 1 … 2, unless the kiosk has a value of this name.
  package static let textScaleValue = "text_scale"

  /// Whether the scale of texts is the kiosk's own to set.
  package var scalesTexts: Bool { !values.contains { $0.name == Self.textScaleValue } }

  /// Whether the name of the theme in use can be read.
  package var namesTheme: Bool { !values.contains { $0.name == Self.themeValue } }

  /// The language at the start; empty for a kiosk in one language.
  var firstLanguage: String { languages.first ?? "" }

  /// The language after a version of the kiosk in which `former` was in use.
  func language(after former: String) -> String {
    languages.contains(former) ? former : firstLanguage
  }

  /// Whether a value is one that may be set.
  func isSettable(_ value: String) -> Bool {
    values.contains { $0.name == value && $0.template == nil }
  }
}

extension Description {
  /// The actions of the kiosk itself.
  package var ownActions: [Action] { actions.values.flatMap(\.self) + reactions.flatMap(\.actions) }

  /// Whether a control may have other items than at the start: a binding, an action or the kiosk's own
  /// program may set them.
  package func changesItems(of id: String) -> Bool {
    guard logic.isEmpty else { return true }
    guard let entry = pages.lazy.flatMap(\.controls).first(where: { $0.id == id }) else {
      return false
    }
    func isList(_ property: String) -> Bool { entry.source?[property]?.key.valueKind == .list }
    return entry.bindings.keys.contains(where: isList)
      || allActions.contains { action in
        guard case .property(let path)? = action.target else { return false }
        return path.control == id && isList(path.property)
      }
  }

  /// All actions of the kiosk and its pages.
  package var allActions: [Action] {
    ownActions + pages.flatMap(\.allActions)
  }
}

/// The settings of all pages.
public struct Screen: Hashable, Sendable {
  /// The size of the design, in design pixels.
  public var size: Size
  /// All sizes of a design for panels of several shapes; empty where `size` is the only one.
  package var sizes: [Size] = []
  /// The background of every page that has none of its own.
  public var background: ThemeColor
  /// Whether the panel shows a circle only, the largest in the design.
  public var isRound = false
  /// Turns picture and touches.
  public var rotation: Rotation?
  /// The colour depth that the panel shows, to which the picture is dithered; nil for the depth of its memory.
  public var depth: ColorDepth?
  /// The panel's brightness at the start: 0 … 1, where 1 is the maximum; nil to leave it as it is.
  public var brightness: Double?
  /// The font of texts.
  public var font: Font
  /// Seconds without a touch until the first page is shown again; nil for never.
  public var homeAfter: Double?
  /// Seconds without a touch until the panel sleeps; nil for never.
  public var blankAfter: Double?
  /// Seconds before it goes home or sleeps at which it asks whether anybody is still there; nil for never.
  public var warn: Double?
  /// Seconds after a finger was lifted during which another finger is ignored; 0 for none.
  public var debounce = 0.0
  /// Seconds that a finger rests before it counts; 0 for none.
  public var dwell = 0.0
  /// Whether pages change without a transition, and nothing goes on moving by itself.
  public var hasLessMotion = false
  /// Whether the places of controls are reflected where the language in use is written from right to left.
  /// It applies to controls of a kiosk file.
  public var isMirrored = false

  /// A screen of a design size. `homeAfter` and `blankAfter` are seconds above 0; nil for never.
  public init(
    size: Size = Size(1280, 800), background: ThemeColor = .background,
    rotation: Rotation? = Rotation.none, font: Font = "sans-serif", homeAfter: Double? = nil,
    blankAfter: Double? = nil
  ) {
    self.size = size
    self.background = background
    self.rotation = rotation
    self.font = font
    self.homeAfter = homeAfter
    self.blankAfter = blankAfter
  }

  /// The size of the design for a canvas: of several, the one that covers most of it when it is scaled to fit.
  package func size(on canvas: PixelSize) -> Size { canvas.bestCovered(by: sizes) ?? size }

  /// The circle of the design that a round panel shows; nil where all of it is shown.
  package var circle: Sector? {
    guard isRound else { return nil }
    return Sector(
      center: Point(size.width / 2, size.height / 2), radius: min(size.width, size.height) / 2)
  }

  /// The area around that circle, out to the borders of any panel; nil for a rectangular panel.
  var bezel: Sector? {
    guard let circle else { return nil }
    return Sector(
      center: circle.center, innerRadius: circle.outerRadius,
      outerRadius: 16 * max(size.width, size.height))
  }
}

/// A page and its controls.
public struct Page: Sendable {
  /// The ground behind the controls of a page.
  public enum Background: Hashable, Sendable {
    case color(ThemeColor)
    /// Stretched over the design size.
    case image(String)
  }

  /// Unique in the kiosk.
  public var name: String
  /// Nil for the screen's.
  public var background: Background?
  /// How the page is shown in place of another; nil for the kiosk's way.
  public var transition: PageTransition?
  /// Seconds, instead of the screen's; nil for the screen's, infinite for never.
  public var homeAfter: Double?
  /// Seconds, instead of the screen's; nil for the screen's.
  public var warn: Double?
  /// Whether its controls are moved down to the lower edge, within reach of people who sit.
  public var isLow = false
  /// Back to front.
  public var controls: [PlacedControl]
  /// The pages that swipes lead to, by the direction in which the finger goes: names, `back` or `home`.
  package var swipe: [Direction: String] = [:]
  /// The name of the page in speech; nil for `name`.
  package var spoken: TextTemplate?
  /// Seconds until a press of its ground counts as held, where actions follow that.
  package var hold = Press.standardHold
  /// The actions of its events.
  package var actions: [String: [Action]]
  /// Reactions while it is shown.
  package var reactions: [Reaction] = []
  /// Whether it must not be disturbed while it is shown; nil where it may be.
  package var busy: TextTemplate?

  /// The names of a page's events.
  package static let events: [EventType] =
    [.plain("shown", "The page is shown."), .plain("hidden", "The page is left.")]
    + EventType.pressing([.page]).map(\.plain) + [.swiped]

  package init(
    name: String, background: Background? = nil, transition: PageTransition? = nil,
    homeAfter: Double? = nil, controls: [PlacedControl],
    actions: [String: [Action]] = [:]
  ) {
    self.name = name
    self.background = background
    self.transition = transition
    self.homeAfter = homeAfter
    self.controls = controls
    self.actions = actions
  }

  /// Tells each control the places of all controls on a screen of a size.
  package mutating func arrange(on screen: Size, isReflected: Bool = false) {
    let places = controls.compactMap {
      $0.control.extent?.center ?? $0.control.place(of: nil, at: .zero)
    }
    for index in controls.indices {
      controls[index].control.notice(
        places: places, on: Rect(size: screen), isReflected: isReflected)
    }
  }
}

extension Page {
  /// All actions of the page, its controls and their items.
  package var allActions: [Action] {
    let maps =
      [actions] + controls.map(\.actions) + controls.flatMap { Array($0.itemActions.values) }
    return maps.flatMap { $0.values.flatMap(\.self) } + reactions.flatMap(\.actions)
  }
}

/// A control on a page, with its id and state.
public struct PlacedControl: Sendable {
  /// Unique in the kiosk.
  public var id: String
  /// The type in a kiosk file, such as `dial`; empty in programs.
  package var kind: String
  /// The control in its present state.
  public var control: any Control
  /// The font of its texts; the screen's font supplies what it leaves open.
  public var font: Font
  /// Whether it answers fingers; a disabled control swallows them.
  public var isEnabled: Bool
  /// Whether it is drawn. Fingers pass through one that is not.
  public var isVisible: Bool
  /// Its declaration in a file, with the items that were set since; nil in programs.
  package var source: Declaration?
  /// The keys whose values differ from the source, with these values.
  package internal(set) var changedKeys: [String: Value] = [:]
  /// Templates by the names of the properties that follow them.
  package var bindings: [String: Template]
  /// By event name.
  package var actions: [String: [Action]]
  /// By item, then by event name. They run after the control's own actions.
  package var itemActions: [String: [String: [Action]]]
  /// The name of the control in speech; nil for its own text.
  package var spoken: TextTemplate?
  /// The names of its items in speech.
  package var itemSpoken: [String: TextTemplate] = [:]

  package init(
    id: String, kind: String = "", control: any Control, font: Font = Font(),
    isEnabled: Bool = true, isVisible: Bool = true, source: Declaration? = nil,
    bindings: [String: Template] = [:],
    actions: [String: [Action]] = [:], itemActions: [String: [String: [Action]]] = [:]
  ) {
    self.id = id
    self.kind = kind
    self.control = control
    self.font = font
    self.isEnabled = isEnabled
    self.isVisible = isVisible
    self.source = source
    self.bindings = bindings
    self.actions = actions
    self.itemActions = itemActions
  }

  /// Seeds the control's random numbers. The id is mixed in, so that controls of one seed have different results.
  mutating func seed(_ seed: UInt64) {
    control.seed(id.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
  }
}
