// SPDX-License-Identifier: MIT

internal import Kiosk
internal import RoundelExpressions
internal import RoundelJSON
internal import RoundelMotion
internal import RoundelSession

/// A running kiosk, on a stage or on a display. Use it on the thread that created it.
public class Session {
  let host: any SessionHost
  private let handlers: Handlers
  private let mailbox: Mailbox
  private var streams = Streams()

  init(_ host: any SessionHost, _ kiosk: Kiosk) {
    self.host = host
    handlers = kiosk.handlers
    mailbox = kiosk.mailbox
    mailbox.begin(self)
  }

  deinit { end() }

  /// Seconds since the start.
  public var time: Double { host.engine.now.seconds }

  /// The name of the current page.
  public var page: String { host.engine.pages[host.engine.shownPage].name }

  /// Returns the value of a name, such as `cups` or `dish.item`, or nil if it is undefined. Throws
  /// if the name doesn't exist.
  public func get(_ name: String) throws(KioskError) -> KioskValue? {
    guard let reference = Reference(name) else {
      throw KioskError("cannot read \"\(name)\": it is neither CONTROL.PROPERTY nor a value")
    }
    do throws(UnknownName) {
      _ = try host.engine.kind(named: reference)
    } catch {
      throw KioskError("cannot read \(name): \(error)")
    }
    return host.engine.value(of: reference).map { KioskValue($0) }
  }

  /// Sets a value, a property or the language. Throws if the name doesn't exist or the value isn't
  /// accepted.
  public func set(_ name: String, to value: some Setting) throws(KioskError) {
    try perform("set", KioskValue.map([.init(name, value.kioskValue)]))
  }

  /// Shows a page. Throws if it doesn't exist.
  public func go(to page: String) throws(KioskError) { try perform("go", page) }

  /// Reports an event with fields.
  public func emit(_ name: String, _ fields: Map = [:]) throws(KioskError) {
    var members = [KioskValue.Member("name", .text(name))]
    if case .map(let fields) = fields.kioskValue { members += fields }
    try perform("emit", members.count == 1 ? .text(name) : KioskValue.map(members))
  }

  /// Performs a command by its name in recordings, such as `("spin", "dinner")`. Throws if the
  /// command doesn't exist or can't be performed.
  public func perform(_ command: String, _ argument: some Setting = true) throws(KioskError) {
    guard let kind = CommandKind.named(command), kind.traits.contains(.remote) else {
      let known = CommandKind.remote.map(\.name).joined(separator: ", ")
      throw KioskError("cannot perform \"\(command)\": use one of \(known)")
    }
    guard let commands = kind.commands(argument.kioskValue.json) else {
      throw KioskError("cannot perform \(command): it takes \(kind.expected)")
    }
    do throws(CommandError) {
      for command in commands { try host.apply(command) }
    } catch {
      throw KioskError("cannot perform \(command): \(error)")
    }
  }

  /// Ends the kiosk on a display at the end of the current turn. A stage continues.
  public func stop() {}

  /// Reports a `failed` event.
  public func reportFailure(_ message: String) { host.reportFailure(message) }

  // MARK: Closures and tasks

  func handle(_ event: Event) {
    handlers.handle(event, on: self)
    streams.report(event)
  }

  /// Runs the closures from other threads, and reports changed values.
  func runPosted() {
    mailbox.run(on: self)
    updateStreams()
  }

  func updateStreams() {
    streams.update { name in
      Reference(name).flatMap { host.engine.value(of: $0) }.map { KioskValue($0) }
    }
  }

  /// Ends all streams, and refuses closures.
  func end() {
    mailbox.end(self)
    streams.finish()
  }

  func watchEvents(_ stream: AsyncStream<Event>.Continuation) { streams.add(stream) }

  func watch(_ name: String, _ stream: AsyncStream<KioskValue?>.Continuation) {
    let isKnown = Reference(name).map { (try? host.engine.kind(named: $0)) != nil } ?? false
    guard isKnown else { return stream.finish() }
    streams.add(name, stream)
    updateStreams()
  }
}

/// The stage or the frame cycle of a session.
protocol SessionHost: AnyObject {
  var engine: Engine { get }

  func apply(_ command: Command) throws(CommandError)

  func reportFailure(_ message: String)
}
