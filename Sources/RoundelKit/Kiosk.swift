// SPDX-License-Identifier: MIT

internal import Kiosk
internal import KioskFile
internal import KioskHost
internal import LinuxIO
public import RoundelControls
internal import RoundelDeclarations
internal import RoundelGeometry
internal import RoundelRuntime
internal import RoundelSuites
internal import SystemPackage

/// A kiosk from a file, a string or Swift code, with closures for its events.
///
///     let lunch = try Kiosk("lunch") {
///       Page("choose") {
///         Pinwheel("dish", at: [640, 400], radius: 360) {
///           Wedge("soup", label: "Soup")
///           Wedge("salad", label: "Salad")
///         }
///         .on("selected", .go("thanks"))
///       }
///       Page("thanks") {
///         Label("chosen", at: [640, 400], text: "{dish.label} it is.")
///       }
///     }
///     lunch.on("dish", "selected") { event, kiosk in print(event.item ?? "") }
///     try lunch.run()
///
/// All three are read in the same way, so a kiosk in Swift supports speech, languages, reactions,
/// persistent values and suites like a file. Its errors give the line of the Swift file.
public final class Kiosk {
  let path: String
  let source: KioskSource
  private(set) var handlers = Handlers()
  let mailbox: Mailbox
  private let names: DeclaredEvents
  /// The first reading, until a stage or a display uses it.
  private var reading: KioskReading?
  private var diagnostics: [KioskError.Diagnostic] = []

  /// Reads a kiosk file, which may use the program's own types of controls. Throws if it has
  /// errors.
  public convenience init(
    file path: String, controls: [any FileControl.Type] = []
  ) throws(KioskError) {
    try self.init(path, .file(types: Self.types(controls)))
  }

  /// Reads a kiosk from YAML or JSON. Throws if it has errors.
  ///
  /// - Parameters:
  ///   - text: The content of a kiosk file.
  ///   - path: The path for messages. Names of other files are relative to it.
  ///   - controls: The program's own types of controls, which the text may use.
  public convenience init(
    text: String, path: String = "kiosk.yaml", controls: [any FileControl.Type] = []
  ) throws(KioskError) {
    try self.init(path, .text(Array(text.utf8), types: Self.types(controls)))
  }

  /// Throws if a name is taken.
  private static func types(_ controls: [any FileControl.Type]) throws(KioskError) -> [ControlType]
  {
    var types: [ControlType] = []
    for control in controls {
      let name = control.type
      guard ControlType.named(name, or: types) == nil else {
        throw KioskError(
          "cannot add the control type \"\(name)\": the name is taken; use another one")
      }
      guard !name.isEmpty, name.utf8.allSatisfy({ $0 >= 97 && $0 <= 122 || $0 == 95 }) else {
        throw KioskError(
          "cannot add the control type \"\(name)\": use lower-case letters without accents")
      }
      types.append(ControlType(own: control))
    }
    return types
  }

  /// Reads parts. Names of other files are relative to `folder`.
  init(_ root: Part, _ name: String, folder: String) throws(KioskError) {
    let base = folder.isEmpty ? name : "\(folder)/\(name)"
    path = base
    let tree = root.tree
    source = .tree(types: root.own.map { ControlType(PartTree.ownKind($0.id), of: $0.control) }) {
      reader in
      var builder = TreeBuilder(reader, base: base)
      return builder.node(tree)
    }
    (names, mailbox, reading) = try Self.read(base, source)
    for entry in root.allHandlers { add(entry) }
    try checkNames()
  }

  private init(_ path: String, _ source: KioskSource) throws(KioskError) {
    self.path = path
    self.source = source
    (names, mailbox, reading) = try Self.read(path, source)
  }

  deinit { mailbox.end(nil) }

  private static func read(
    _ path: String, _ source: KioskSource
  ) throws(KioskError) -> (DeclaredEvents, Mailbox, KioskReading) {
    let reading = KioskReading(path, canvas: nil, source: source)
    let names = DeclaredEvents(of: try content(of: reading).description, source.types)
    do throws(Errno) {
      return (names, try Mailbox(), reading)
    } catch {
      throw KioskError("cannot make the kiosk: \(error)")
    }
  }

  private static func content(of reading: KioskReading) throws(KioskError) -> Content {
    do throws(Failure) {
      return try reading.content.get()
    } catch {
      throw KioskError(error, reading.diagnostics)
    }
  }

  /// Returns the first reading unless a file may have changed since, or another one was returned.
  func takeReading() -> KioskReading? {
    defer { reading = nil }
    return source.text == nil ? nil : reading
  }

  // MARK: Events

  /// Calls a closure for each event of a control with this name. An error that it throws becomes a
  /// `failed` event. A name that doesn't exist is an error when the kiosk is shown.
  public func on(
    _ control: String, _ event: String, fileID: String = #fileID, line: Int = #line,
    column: Int = #column, _ handler: @escaping (Event, Session) throws -> Void
  ) {
    add(
      Handlers.Entry(
        owner: .control(control), event: event,
        site: Site(file: fileID, line: line, column: column), handle: handler))
  }

  /// Calls a closure for each event of a control, such as `dish.selected`.
  public func on(
    _ event: EventName, fileID: String = #fileID, line: Int = #line, column: Int = #column,
    _ handler: @escaping (Event) throws -> Void
  ) {
    on(event, fileID: fileID, line: line, column: column) { event, _ in try handler(event) }
  }

  /// Calls a closure for each event of a control, such as `dish.selected`, with the kiosk.
  public func on(
    _ event: EventName, fileID: String = #fileID, line: Int = #line, column: Int = #column,
    _ handler: @escaping (Event, Session) throws -> Void
  ) {
    add(
      Handlers.Entry(
        owner: event.control.map { .control($0) } ?? .any, event: event.event,
        site: Site(file: fileID, line: line, column: column), handle: handler))
  }

  /// Calls a closure for every event.
  public func onEvent(
    fileID: String = #fileID, line: Int = #line, column: Int = #column,
    _ handler: @escaping (Event, Session) throws -> Void
  ) {
    add(
      Handlers.Entry(
        site: Site(file: fileID, line: line, column: column), handle: handler))
  }

  private func add(_ entry: Handlers.Entry) {
    handlers.add(entry)
    if let problem = names.problem(of: entry) {
      diagnostics.append(
        KioskError.Diagnostic(
          file: entry.site.file, line: entry.site.line, column: entry.site.column,
          message: problem))
    }
  }

  func checkNames() throws(KioskError) {
    if !diagnostics.isEmpty { throw KioskError(diagnostics) }
  }

  // MARK: Operation

  /// The kiosk for other threads and tasks.
  public var handle: Handle { Handle(mailbox: mailbox) }

  /// Starts the kiosk on a virtual clock, without a display.
  ///
  /// - Parameter size: The picture's size in pixels, 1 to 7680 each, or nil for the design's size.
  public func stage(_ size: Size? = nil) throws(KioskError) -> Stage {
    try checkNames()
    var panel: PixelSize?
    if let size {
      let sides = 1.0...7680
      guard sides.contains(size.width), sides.contains(size.height) else {
        throw KioskError(
          "cannot stage the kiosk at \(size.width) by \(size.height) pixels; expected 1 to 7680 each"
        )
      }
      panel = PixelSize(nearest: size)
    }
    var content = try takeReading().map { (reading) throws(KioskError) in
      try Self.content(of: reading)
    }
    // Another of the kiosk's sizes may fit better.
    if let screen = content?.description.screen, let panel, screen.size(on: panel) != screen.size {
      content = nil
    }
    let whole =
      if let content { content } else {
        try Self.content(of: KioskReading(path, canvas: panel, source: source))
      }
    return Stage(HeadlessBench(whole, size: panel), of: self)
  }
}
