// SPDX-License-Identifier: MIT

public import Controls
public import Drawing
public import Expressions
public import Geometry

/// A whole kiosk, as its file describes it or as a program puts it together. Everything in it has
/// been checked: names that refer to something refer to something that exists.
public struct Description: Sendable {
  public var name: String
  public var screen: Screen
  /// At least one; the first is shown at start.
  public var pages: [Page]

  public init(name: String, screen: Screen = Screen(), pages: [Page]) {
    self.name = name
    self.screen = screen
    self.pages = pages
  }
}

/// What holds for all pages.
public struct Screen: Hashable, Sendable {
  /// The size in which the kiosk is designed, in design pixels.
  public var size: Size
  public var background: Color
  /// Picture and touch together.
  public var rotation: Rotation
  /// A family, or the path of a font file.
  public var font: String
  /// Seconds without a finger until the first page is shown again; nil for never.
  public var homeAfter: Double?
  /// Seconds without a finger until the panel sleeps; nil for never.
  public var blankAfter: Double?

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
  public enum Background: Hashable, Sendable {
    case color(Color)
    /// Stretched over the design size.
    case image(String)
  }

  public var name: String
  /// Nil for the screen's.
  public var background: Background?
  public var controls: [Entry]

  public init(name: String, background: Background? = nil, controls: [Entry]) {
    self.name = name
    self.background = background
    self.controls = controls
  }
}

/// A control on a page, and what its events set off.
public struct Entry: Sendable {
  /// Unique in the kiosk.
  public var id: String
  /// What a kiosk file calls its type, such as `dial`; empty where it comes from no file.
  public var kind: String
  public var control: any Control
  public var isEnabled: Bool
  public var isVisible: Bool
  /// By event name.
  public var actions: [String: [Action]]
  /// By item, then by event name; they run after the control's own.
  public var itemActions: [String: [String: [Action]]]

  public init(
    id: String, kind: String = "", control: any Control, isEnabled: Bool = true,
    isVisible: Bool = true,
    actions: [String: [Action]] = [:], itemActions: [String: [String: [Action]]] = [:]
  ) {
    self.id = id
    self.kind = kind
    self.control = control
    self.isEnabled = isEnabled
    self.isVisible = isVisible
    self.actions = actions
    self.itemActions = itemActions
  }
}

/// What an event sets off.
public enum Action: Hashable, Sendable {
  /// Shows a page.
  case go(String)
  case set(control: String, property: String, value: Value)
  /// `spin`, `open` or `close`, for a control that knows it.
  case perform(String, control: String)
  /// Starts a program without a shell and does not wait for it.
  case run([String])
  /// An event of the author's own.
  case emit(String)
  /// Puts the panel to sleep, or wakes it.
  case blank(Bool)
}
