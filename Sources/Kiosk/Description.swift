// SPDX-License-Identifier: MIT

public import Controls
public import Drawing
package import Expressions
public import Geometry

/// A whole kiosk, as its file describes it or as a program puts it together. Everything in it has
/// been checked: names that refer to something refer to something that exists.
public struct Description: Sendable {
  /// The name of the kiosk, which tests and state files use.
  public var name: String
  /// What holds for all pages.
  public var screen: Screen
  /// At least one; the first is shown at start.
  public var pages: [Page]
  /// Values of the kiosk's own, with unique names.
  public var values: [ValueDeclaration]
  /// The first is in use at first; empty where the kiosk has one language only.
  public var languages: [String]
  /// By name, then by language.
  package var texts: [String: [String: TextTemplate]]
  /// What the kiosk's own events set off: `started`, `slept`, `woken`, `home`.
  package var actions: [String: [Action]]

  /// The names of the kiosk's own events.
  package static let events = ["started", "slept", "woken", "home"]

  package init(
    name: String, screen: Screen = Screen(), pages: [Page], values: [ValueDeclaration] = [],
    languages: [String] = [], texts: [String: [String: TextTemplate]] = [:],
    actions: [String: [Action]] = [:]
  ) {
    self.name = name
    self.screen = screen
    self.pages = pages
    self.values = values
    self.languages = languages
    self.texts = texts
    self.actions = actions
  }
}

/// What holds for all pages.
public struct Screen: Hashable, Sendable {
  /// The size in which the kiosk is designed, in design pixels.
  public var size: Size
  /// Behind every page that has no background of its own.
  public var background: Color
  /// Picture and touch together.
  public var rotation: Rotation
  /// A family, or the path of a font file.
  public var font: String
  /// Seconds without a finger until the first page is shown again; nil for never.
  public var homeAfter: Double?
  /// Seconds without a finger until the panel sleeps; nil for never.
  public var blankAfter: Double?

  /// A screen of a design size. `homeAfter` and `blankAfter` are seconds above 0; nil for never.
  public init(
    size: Size = Size(1280, 800), background: Color = Color(hex: 0x10151c),
    rotation: Rotation = .none, font: String = "sans-serif", homeAfter: Double? = nil,
    blankAfter: Double? = nil
  ) {
    self.size = size
    self.background = background
    self.rotation = rotation
    self.font = font
    self.homeAfter = homeAfter
    self.blankAfter = blankAfter
  }
}

/// One page and its controls, back to front.
public struct Page: Sendable {
  /// What lies behind the controls of a page.
  public enum Background: Hashable, Sendable {
    case color(Color)
    /// Stretched over the design size.
    case image(String)
  }

  /// Unique in the kiosk.
  public var name: String
  /// Nil for the screen's.
  public var background: Background?
  /// Seconds, instead of the screen's; nil for the screen's, infinite for never.
  public var homeAfter: Double?
  /// Back to front.
  public var controls: [PlacedControl]
  /// What its events set off: `shown`, `hidden`.
  package var actions: [String: [Action]]

  /// The names of a page's events.
  package static let events = ["shown", "hidden"]

  package init(
    name: String, background: Background? = nil, homeAfter: Double? = nil,
    controls: [PlacedControl],
    actions: [String: [Action]] = [:]
  ) {
    self.name = name
    self.background = background
    self.homeAfter = homeAfter
    self.controls = controls
    self.actions = actions
  }
}

/// A control on a page, and what its events set off.
public struct PlacedControl: Sendable {
  /// Unique in the kiosk.
  public var id: String
  /// What a kiosk file calls its type, such as `dial`; empty where it comes from no file.
  package var kind: String
  /// The control in its present state.
  public var control: any Control
  /// Whether it answers fingers; a disabled control swallows them.
  public var isEnabled: Bool
  /// Whether it is drawn. Fingers pass through one that is not.
  public var isVisible: Bool
  /// What the control was made from; nil where a program made it, which then has no keys.
  package var source: (any ControlSource)?
  /// The keys that are not as the source says, and what they are.
  package internal(set) var changedKeys: [String: Value] = [:]
  /// The properties that follow a template, each by its name.
  package var bindings: [String: Template]
  /// By event name.
  package var actions: [String: [Action]]
  /// By item, then by event name; they run after the control's own.
  package var itemActions: [String: [String: [Action]]]

  package init(
    id: String, kind: String = "", control: any Control, isEnabled: Bool = true,
    isVisible: Bool = true, source: (any ControlSource)? = nil,
    bindings: [String: Template] = [:],
    actions: [String: [Action]] = [:], itemActions: [String: [String: [Action]]] = [:]
  ) {
    self.id = id
    self.kind = kind
    self.control = control
    self.isEnabled = isEnabled
    self.isVisible = isVisible
    self.source = source
    self.bindings = bindings
    self.actions = actions
    self.itemActions = itemActions
  }
}
