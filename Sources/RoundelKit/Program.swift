// SPDX-License-Identifier: MIT

// The kit is a single import, so it exports the layers whose types kiosks use.
@_exported public import RoundelControls
@_exported public import RoundelDrawing
@_exported public import RoundelExpressions
@_exported public import RoundelGeometry
@_exported public import Kiosk
@_exported public import RoundelMotion
@_exported public import QRCodes

/// A kiosk written in Swift: its pages, and closures for its events.
///
///     let lunch = Program("lunch") {
///       Page("choose") {
///         Pinwheel(center: Point(640, 400), radius: 360, wedges: [
///           .init(id: "soup", label: "Soup"), .init(id: "salad", label: "Salad"),
///         ])
///         .named("dish")
///         .on("selected") { event, engine in engine.go(to: "thanks") }
///       }
///       Page("thanks") {
///         Label(center: Point(640, 400), text: "{dish.label} it is.", fontSize: 56).named("chosen")
///       }
///     }
///
/// A program describes the same kind of kiosk as a file, and runs on the same engine.
public struct Program {
  /// A closure that receives an event, and the engine that it may command.
  public typealias Handler = (Event, inout Engine) -> Void

  /// The kiosk for an engine: `Engine(program.description, seed: 1)` runs it without a display.
  public let description: Description
  private var handlers: [String: [String: [Handler]]] = [:]

  /// Creates a kiosk with at least one page. Ids must be unique within the kiosk. Labels and bindings may use its
  /// `values`, and closures can read and set them: `engine.set(.value("cups"), to: .number(2))`. Closures can also
  /// change `engine.theme`.
  public init(
    _ name: String, screen: Screen = Screen(), theme: Theme = .dark,
    transition: PageTransition = .none, values: [ValueDeclaration] = [],
    @ListBuilder<PagePart> _ pages: () -> [PagePart]
  ) {
    let parts = pages()
    precondition(!parts.isEmpty, "a kiosk needs a page")
    for part in parts.flatMap(\.controls) {
      precondition(handlers[part.entry.id] == nil, "two controls are named \"\(part.entry.id)\"")
      handlers[part.entry.id] = part.handlers
    }
    var description = Description(
      name: name, screen: screen, theme: theme, pages: parts.map(\.page), values: values)
    description.transition = transition
    self.description = description
  }

  /// Calls the closures for an event. They may change the engine, which may cause more events.
  public func handle(_ event: Event, on engine: inout Engine) {
    guard let control = event.control else { return }
    for handler in handlers[control]?[event.name] ?? [] { handler(event, &engine) }
  }

  /// Calls the closures for all events of an engine, including events caused by closures. Returns the events in
  /// order. Stops after 16 rounds.
  public func handleEvents(of engine: inout Engine) -> [Event] {
    var handled: [Event] = []
    // Closures may cause events endlessly.
    for _ in 0..<16 {
      let events = engine.takeEvents()
      if events.isEmpty { break }
      for event in events { handle(event, on: &engine) }
      handled += events
    }
    return handled
  }
}

/// A page with its controls and their closures.
public struct PagePart {
  var page: Kiosk.Page
  var controls: [ControlPart]
}

/// A page of a program. Controls are listed back to front.
public func Page(
  _ name: String, background: Kiosk.Page.Background? = nil, transition: PageTransition? = nil,
  @ListBuilder<ControlPart> _ controls: () -> [ControlPart]
) -> PagePart {
  let parts = controls()
  return PagePart(
    page: Kiosk.Page(
      name: name, background: background, transition: transition, controls: parts.map(\.entry)),
    controls: parts)
}

/// A named control and the handlers of its events.
public struct ControlPart {
  var entry: PlacedControl
  var handlers: [String: [Program.Handler]] = [:]

  /// Calls `handler` for each event with this name, such as `selected` or `settled`.
  public func on(_ event: String, _ handler: @escaping Program.Handler) -> ControlPart {
    var part = self
    part.handlers[event, default: []].append(handler)
    return part
  }

  /// Runs `actions` for each event with this name, like a kiosk file.
  public func on(_ event: String, _ actions: Action...) -> ControlPart {
    var part = self
    part.entry.actions[event, default: []] += actions
    return part
  }

  /// Binds a property to a template. Traps if the template can't be parsed.
  public func bind(_ property: String, to template: String) -> ControlPart {
    var part = self
    do throws(ExpressionError) {
      part.entry.bindings[property] = try Template(template)
    } catch {
      preconditionFailure(error.what)
    }
    return part
  }

  /// Sets the font of the control's labels. Properties that `font` doesn't specify come from the screen's font.
  public func font(_ font: Font) -> ControlPart {
    var part = self
    part.entry.font = font
    return part
  }

  /// Sets whether the control is initially enabled.
  public func enabled(_ isEnabled: Bool) -> ControlPart {
    var part = self
    part.entry.isEnabled = isEnabled
    return part
  }

  /// Sets whether the control is initially visible.
  public func visible(_ isVisible: Bool) -> ControlPart {
    var part = self
    part.entry.isVisible = isVisible
    return part
  }
}

extension Control {
  /// Names the control. The id must be unique in the program.
  public func named(_ id: String) -> ControlPart {
    ControlPart(entry: PlacedControl(id: id, control: self))
  }
}

extension Label {
  /// Names the label. The id must be unique in the program. The text is a template. Traps if it can't be parsed.
  public func named(_ id: String) -> ControlPart {
    ControlPart(entry: PlacedControl(id: id, control: self)).bind("text", to: text)
  }
}

/// Builds a list from elements on successive lines, with `if` and `for`.
@resultBuilder
public enum ListBuilder<Element> {
  /// Creates a list of one element.
  public static func buildExpression(_ element: Element) -> [Element] { [element] }
  /// Concatenates lists.
  public static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap(\.self) }
  /// Returns the list of an `if`, or an empty list.
  public static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }
  /// Returns the list of the first branch.
  public static func buildEither(first part: [Element]) -> [Element] { part }
  /// Returns the list of the other branch.
  public static func buildEither(second part: [Element]) -> [Element] { part }
  /// Concatenates the lists of a `for`.
  public static func buildArray(_ parts: [[Element]]) -> [Element] { parts.flatMap(\.self) }
}
