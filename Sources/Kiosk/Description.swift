// SPDX-License-Identifier: MIT

public import RoundelControls
package import RoundelDeclarations
public import RoundelDrawing
package import RoundelExpressions
public import RoundelGeometry
internal import RoundelMotion

/// A kiosk as declared by its file or program. All names in it are valid.
public struct Description: Sendable {
  /// The name in tests and state files.
  public var name: String
  /// The settings of all pages.
  public var screen: Screen
  /// The pages, at least one. The first is the initial page.
  public var pages: [Page]
  /// The kiosk's own values, with unique names.
  public var values: [ValueDeclaration]
  /// The languages, or an empty array for a kiosk in one language. The first is the initial language.
  public var languages: [String]
  /// The initial theme.
  public var theme: Theme
  package var themeName = "dark"
  /// All themes by name: `dark`, `light` and the kiosk's.
  package var themes: [String: Theme] = Theme.builtIn
  /// The template for the theme's name, or nil if the theme is fixed.
  package var themeChoice: TextTemplate?
  /// The template for the panel's brightness, 0 … 1, or nil if the brightness is fixed.
  package var dimming: TextTemplate?
  /// The possible results of the theme template, or an empty array if they are unknown.
  package var themeCandidates: [String] = []
  /// The transition of pages without their own transition.
  public var transition = PageTransition.none
  package var texts: [String: [String: TextTemplate]]
  /// The tones of images by name, if known.
  package var tones: [String: ImageTone] = [:]
  /// The masks of images by name, if known.
  package var masks: [String: ImageMask] = [:]
  /// The speech settings, or nil for a kiosk that doesn't speak.
  public var speech: SpeechSettings?
  /// The logic program and its arguments, or an empty array.
  package var logic: [String] = []
  /// The actions of the kiosk's events: `started`, `slept`, `woken`, `home`.
  package var actions: [String: [Action]]
  /// The actions of keys on all pages, after the page's keys and keypads.
  package var keys: [Keysym: [Action]] = [:]
  package var reactions: [Reaction] = []

  package static let events: [EventType] = [
    .plain("started", "The kiosk has started."), .slept, .woken,
    .plain("home", "The kiosk returned to its first page."), .warned, .notified, .dismissed,
    .emitted, .scanned,
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
  /// The current theme's name, unless the kiosk declares this value.
  package static let themeValue = "theme"

  /// The scale of text, 1 … 2, unless the kiosk declares this value.
  package static let textScaleValue = "text_scale"

  package var scalesTexts: Bool { !values.contains { $0.name == Self.textScaleValue } }

  /// The name of the page over the current page, unless the kiosk declares this value.
  package static let overlayValue = "over"

  func isOverlay(_ value: String) -> Bool {
    value == Self.overlayValue && !values.contains { $0.name == value }
  }

  package var namesTheme: Bool { !values.contains { $0.name == Self.themeValue } }

  var firstLanguage: String { languages.first ?? "" }

  /// Returns the former language if this version has it, otherwise the first language.
  func language(after former: String) -> String {
    languages.contains(former) ? former : firstLanguage
  }

  /// Whether `value` is one of the kiosk's values and not computed.
  func isSettable(_ value: String) -> Bool {
    values.contains { $0.name == value && $0.template == nil }
  }
}

extension Description {
  package var ownActions: [Action] {
    actions.values.flatMap(\.self) + keys.values.flatMap(\.self) + reactions.flatMap(\.actions)
  }

  /// Whether a binding, an action or the logic program may replace a control's items.
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

  package var allActions: [Action] { ownActions + pages.flatMap(\.allActions) }
}

/// The settings of all pages.
public struct Screen: Hashable, Sendable {
  /// The size in design pixels.
  public var size: Size
  /// All design sizes, or an empty array if `size` is the only one.
  package var sizes: [Size] = []
  /// Whether the design has the shape of the panel. `sizes` are examples then.
  package var hasPanelShape = false
  /// The background of pages without their own background.
  public var background: ThemeColor
  /// Whether the panel shows only the largest circle in the design.
  public var isRound = false
  /// The rotation of the picture and the touches.
  public var rotation: Rotation?
  /// The panel's colour depth for dithering, or nil for the depth of its memory.
  public var depth: ColorDepth?
  /// The initial brightness, 0 … 1, or nil for no change.
  public var brightness: Double?
  /// The font of text.
  public var font: Font
  /// The seconds without a touch until the kiosk shows its first page, or nil for never.
  public var homeAfter: Double?
  /// The seconds without a touch until the panel sleeps, or nil for never.
  public var blankAfter: Double?
  /// The seconds to ask whether a user is present, before going home or to sleep, or nil not to
  /// ask.
  public var warn: Double?
  /// The seconds that touches are ignored after a finger lifts. The default is 0.
  public var debounce = 0.0
  /// The seconds that a finger must rest before its touch counts. The default is 0.
  public var dwell = 0.0
  /// Whether page changes have no transition, and continuous automatic motion is off.
  public var hasLessMotion = false
  /// Whether right-to-left languages mirror the layout of controls from a kiosk file.
  public var isMirrored = false
  /// The devices that type lines. Their keys have no other effect.
  package var scanners: [Scanner] = []

  /// A screen with a design size. `homeAfter` and `blankAfter` are seconds above 0, or nil for never.
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

  /// Returns the design size that covers most of the canvas when scaled to fit.
  package func size(on canvas: PixelSize) -> Size {
    hasPanelShape ? canvas.designSize : canvas.bestCovered(by: sizes) ?? size
  }

  /// The visible circle of a round panel, or nil for a rectangular panel.
  package var circle: Sector? {
    guard isRound else { return nil }
    return Sector(
      center: Point(size.width / 2, size.height / 2), radius: min(size.width, size.height) / 2)
  }

  /// The area outside that circle, up to the borders of any panel.
  var bezel: Sector? {
    guard let circle else { return nil }
    return Sector(
      center: circle.center, innerRadius: circle.outerRadius,
      outerRadius: 16 * max(size.width, size.height))
  }
}

/// A page and its controls.
public struct Page: Sendable {
  /// The background of a page.
  public enum Background: Hashable, Sendable {
    case color(ThemeColor)
    /// Stretched over the design size.
    case image(String)
  }

  /// The name, unique in the kiosk.
  public var name: String
  /// The background, or nil for the screen's.
  public var background: Background?
  /// The transition to this page, or nil for the kiosk's.
  public var transition: PageTransition?
  /// The seconds until the kiosk goes home, infinite for never, or nil for the screen's setting.
  public var homeAfter: Double?
  /// The seconds between the question and going home, or nil for the screen's setting.
  public var warn: Double?
  /// Whether the page is shown over others, by `show`.
  package var isOver = false
  /// Whether a touch outside of a page over others has no effect.
  package var isModal = false
  /// Whether controls are moved to the lower edge, within reach of seated users.
  public var isLow = false
  /// The controls, back to front.
  public var controls: [PlacedControl]
  /// The destinations by direction of the finger: page names, `back` or `home`.
  package var swipe: [Direction: String] = [:]
  /// The name in speech, or nil for `name`.
  package var spoken: TextTemplate?
  /// The seconds until a press of the background counts as held.
  package var hold = Press.standardHold
  package var actions: [String: [Action]]
  /// The actions of keys, which come before keypads and the focus.
  package var keys: [Keysym: [Action]] = [:]
  /// The id of the control with the first focus, or nil for the first usable control.
  package var focus: String?
  /// The id of the control that an encoder turns without focus.
  package var encoder: String?
  package var reactions: [Reaction] = []
  /// The condition that forbids disturbing the page, or nil if disturbing is always allowed.
  package var busy: TextTemplate?

  package static let events: [EventType] =
    [.plain("shown", "The page was shown."), .plain("hidden", "The page was left.")]
    + EventType.pressing([.page]).map(\.plain) + [.swiped]

  package init(
    name: String, background: Background? = nil, transition: PageTransition? = nil,
    homeAfter: Double? = nil, controls: [PlacedControl], actions: [String: [Action]] = [:]
  ) {
    self.name = name
    self.background = background
    self.transition = transition
    self.homeAfter = homeAfter
    self.controls = controls
    self.actions = actions
  }

  /// Informs each control of the positions of all controls.
  package mutating func arrange(on screen: Size, isReflected: Bool = false) {
    let positions = controls.compactMap {
      $0.control.extent?.center ?? $0.control.place(of: nil, at: .zero)
    }
    for index in controls.indices {
      controls[index].control.notice(
        places: positions, on: Rect(size: screen), isReflected: isReflected)
    }
  }
}

extension Page {
  package var allActions: [Action] {
    let maps =
      [actions] + controls.map(\.actions) + controls.flatMap { Array($0.itemActions.values) }
    return maps.flatMap { $0.values.flatMap(\.self) } + keys.values.flatMap(\.self)
      + reactions.flatMap(\.actions)
  }
}

/// A control on a page.
public struct PlacedControl: Sendable {
  /// The id, unique in the kiosk.
  public var id: String
  /// The type in a kiosk file, such as `dial`, or empty in programs.
  package var kind: String
  /// The control in its current state.
  public var control: any Control
  /// The font of text. The screen's font supplies unset attributes.
  public var font: Font
  /// Whether the control responds to touches. A disabled control swallows them.
  public var isEnabled: Bool
  /// Whether the control is drawn. Touches pass through an invisible control.
  public var isVisible: Bool
  /// Whether the control is drawn above everything, and its first touch always counts.
  package var isAlwaysAvailable: Bool
  /// The declaration in a file, with items set since, or nil in programs.
  package var source: Declaration?
  /// The values of keys that differ from the source.
  package internal(set) var changedKeys: [String: Value] = [:]
  package var bindings: [String: Template]
  package var actions: [String: [Action]]
  /// The actions by item and event name, which run after the control's own actions.
  package var itemActions: [String: [String: [Action]]]
  /// Whether only actions and `logic` get the control's content.
  package var isPrivate = false
  /// The name in speech, or nil for the control's text.
  package var spoken: TextTemplate?
  package var itemSpoken: [String: TextTemplate] = [:]
  /// The languages of items that have their own. The control's is its font's.
  package var itemLanguages: [String: String] = [:]

  package init(
    id: String, kind: String = "", control: any Control, font: Font = Font(),
    isEnabled: Bool = true, isVisible: Bool = true, isAlwaysAvailable: Bool = false,
    source: Declaration? = nil, bindings: [String: Template] = [:],
    actions: [String: [Action]] = [:], itemActions: [String: [String: [Action]]] = [:]
  ) {
    self.id = id
    self.kind = kind
    self.control = control
    self.font = font
    self.isEnabled = isEnabled
    self.isVisible = isVisible
    self.isAlwaysAvailable = isAlwaysAvailable
    self.source = source
    self.bindings = bindings
    self.actions = actions
    self.itemActions = itemActions
  }

  /// Mixes the id into `seed`, so that controls with the same seed have different results.
  mutating func seed(_ seed: UInt64) {
    control.seed(id.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
  }
}
