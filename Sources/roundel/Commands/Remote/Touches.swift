// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import JSON
import Remote
import Session
import SystemPackage

struct MarkerOption: ParsableArguments {
  @Flag(help: "Show a ring on the panel where it touches, and for half a second after.")
  var marker = false

  /// Left out where it is not wished for: kiosks of other versions may not know it.
  var parameters: [JSONValue.Member] { marker ? [.init("marker", .bool(true))] : [] }
}

/// Where a finger is put down, and whether it is seen.
struct TouchOptions: ParsableArguments {
  @Argument(help: "CONTROL or CONTROL/ITEM, as tree names them.")
  var target: String?

  @Option(parsing: .unconditional, help: "X,Y in design pixels, instead.")
  var at: NumberList?

  @OptionGroup var marker: MarkerOption

  func validate() throws {
    guard (target == nil) != (at == nil) else {
      throw ValidationError("Name a control, or a place with --at X,Y.")
    }
    if let at, at.numbers.count != 2 { throw ValidationError("--at takes X,Y.") }
  }

  var parameters: [JSONValue.Member] {
    [
      target.map { .init("target", .string($0)) }, at.map { .init("at", $0.json) },
    ].compactMap { $0 } + marker.parameters
  }

  /// Says what became of the touch, and fails where nothing took it.
  func report(_ result: JSONValue, _ kiosk: KioskOptions) throws(Failure) {
    if kiosk.json { StandardOutput.write(json: result) }
    let what = target ?? at?.json.words ?? ""
    let place = result["at"].words
    guard result["taken"]?.bool == true, let control = result["control"]?.string else {
      throw Failure(
        .didNotHold,
        result["woke"]?.bool == true
          ? "the panel slept; the touch woke it and did nothing else"
          : "nothing took the touch on \(what) at \(place)")
    }
    if let target, control != target.prefix(while: { $0 != "/" }) {
      throw Failure(
        .didNotHold, "\(control) took the touch on \(target) at \(place), which it covers")
    }
  }
}

struct Tap: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tap a control of the running kiosk.",
    discussion: """
      It acts as a finger on the panel does. Exit code 1 says that no control took
      it.

      Examples:
        roundel tap shows/dateline
        roundel tap --at 640,120 --host lobby
        roundel tap drinks --duration 1
      """)

  @OptionGroup var touch: TouchOptions

  @Option(help: "Seconds until the finger is lifted.")
  var duration = 0.08

  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let result = try kiosk.connect().call(
      "tap", touch.parameters + [.init("duration", .number(duration))], patience: duration + 30)
    try touch.report(result, kiosk)
  }
}

struct Drag: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Drag a finger over the running kiosk.",
    discussion: """
      In a straight line; what is lifted in motion, flings. With --hold it rests
      first.

      Examples:
        roundel drag minutes/0 --to minutes/15 --hold 0.2
        roundel drag time/hours --by 0,-120 --duration 0.1
        roundel drag --at 100,400 --to 700,400
      """)

  @OptionGroup var touch: TouchOptions

  @Option(parsing: .unconditional, help: "X,Y or CONTROL[/ITEM]: where it goes.")
  var to: String?

  @Option(parsing: .unconditional, help: "DX,DY in design pixels: how far it goes, instead.")
  var by: NumberList?

  @Option(help: "Seconds on its way.")
  var duration = 0.3

  @Option(help: "Seconds that it rests before it is lifted.")
  var hold = 0.0

  @OptionGroup var kiosk: KioskOptions

  func validate() throws {
    guard (to == nil) != (by == nil) else { throw ValidationError("Say where, with --to or --by.") }
    if let by, by.numbers.count != 2 { throw ValidationError("--by takes DX,DY.") }
  }

  func run() throws {
    var parameters = touch.parameters
    if let by { parameters.append(.init("by", by.json)) }
    if let to {
      if let place = NumberList(argument: to), place.numbers.count == 2 {
        parameters.append(.init("to", place.json))
      } else {
        parameters.append(.init("to_target", .string(to)))
      }
    }
    parameters += [.init("duration", .number(duration)), .init("hold", .number(hold))]
    let result = try kiosk.connect().call(
      "drag", parameters, patience: duration + hold + 30)
    try touch.report(result, kiosk)
  }
}

struct PlayLive: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "touch",
    abstract: "Play a recording to the running kiosk, in real time.",
    discussion: """
      Reads the recording from the standard input while it plays, so that a program
      may go on writing it. Prints the answers to its questions. With --uinput the
      touches take the way of fingers on glass, from the kernel on; questions and
      pictures are passed over.

      Examples:
        roundel touch < taps.jsonl
        some-generator | roundel touch --host lobby
        sudo roundel touch --uinput taps.jsonl
      """)

  @Argument(help: "The recording; - is the standard input.", completion: .file())
  var recording = "-"

  @Option(help: "The folder for the recording's pictures (default: none are taken).")
  var shots: String?

  @Flag(help: "Touch by a touchscreen that the kernel of the kiosk's machine is given for it.")
  var uinput = false

  @OptionGroup var marker: MarkerOption

  @OptionGroup var kiosk: KioskOptions

  func validate() throws {
    if uinput, shots != nil || marker.marker {
      throw ValidationError("--uinput goes with neither --shots nor --marker.")
    }
    if uinput, kiosk.host != nil {
      throw ValidationError("Start it there: ssh HOST roundel touch --uinput.")
    }
  }

  /// Parts of a recording that may be on their way.
  private static let greatestLead = 8
  /// Bytes of a part; with its quotation marks escaped it is still a message.
  private static let part = 256 << 10

  func run() throws {
    let source: FileDescriptor
    do {
      source =
        recording == "-" ? .standardInput : try .open(FilePath(recording), .readOnly)
    } catch {
      throw Failure(
        (error as? Errno) == .permissionDenied ? .permission : .badFile,
        "cannot read the recording \(recording): \(error)")
    }
    if let shots { try Files.makeFolder(shots) }
    let connection = try kiosk.connect()
    if uinput {
      var touches = try KernelTouches(recording, on: connection)
      try touches.play(source)
      return
    }
    var failure: Failure?
    connection.client.onNotification = { notification in
      do throws(Failure) {
        try save(notification)
      } catch {
        failure = error
      }
    }
    var pending: [JSONValue] = []
    var waiting: [UInt8] = []
    var lines = 0
    var isEnded = false
    while !isEnded || !pending.isEmpty {
      let readable = waitForInput(
        isEnded || pending.count > Self.greatestLead ? nil : source, or: connection.client)
      if readable.kiosk {
        do throws(ClientError) {
          try takeAnswers(to: &pending, from: connection.client)
        } catch {
          throw connection.failure(error)
        }
      }
      guard readable.source else { continue }
      let piece = Self.read(source)
      isEnded = piece.isEmpty
      waiting += piece
      // Whole lines only, as many as have come.
      let end = isEnded ? waiting.count : (waiting.lastIndex(of: 10).map { $0 + 1 } ?? 0)
      guard isEnded || end > 0 else { continue }
      let part = Array(waiting[..<end])
      waiting.removeFirst(end)
      try check(part, after: lines)
      lines += part.count { $0 == 10 }
      do throws(ClientError) {
        pending.append(
          try connection.client.send(
            "touch",
            [
              .init("recording", .string(String(decoding: part, as: UTF8.self))),
              .init("more", .bool(!isEnded)), .init("shots", .bool(shots != nil)),
            ] + marker.parameters))
      } catch {
        throw connection.failure(error)
      }
    }
    if let failure { throw failure }
  }

  /// Waits until there is something to be read, of the recording or from the kiosk.
  private func waitForInput(
    _ source: FileDescriptor?, or client: Client
  ) -> (source: Bool, kiosk: Bool) {
    var entries = [
      // A negative one is passed over.
      pollfd(fd: source?.rawValue ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    // Two entries, which live here.
    guard unsafe poll(&entries, 2, -1) > 0 else { return (false, false) }
    return (entries[0].revents != 0, entries[1].revents != 0)
  }

  /// Prints the answers that have come.
  private func takeAnswers(
    to pending: inout [JSONValue], from client: Client
  ) throws(ClientError) {
    if pending.isEmpty, !(try client.dispatch()) { throw .wentAway }
    while let id = pending.first {
      do throws(ClientError) {
        let result = try client.answer(to: id, patience: 0)
        for answer in result["answers"].elements { StandardOutput.write(json: answer) }
        pending.removeFirst()
      } catch .silent {
        return
      }
    }
  }

  /// Finds a mistake before the kiosk does, and names its line in the whole.
  private func check(_ part: [UInt8], after lines: Int) throws(Failure) {
    do throws(Recording.Mistake) {
      _ = try Recording(part, path: recording)
    } catch {
      var mistake = error
      mistake.line += lines
      throw Failure(.badFile, "\(mistake)")
    }
  }

  private static func read(_ source: FileDescriptor) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: part)
    let count = try? unsafe bytes.withUnsafeMutableBytes { try unsafe source.read(into: $0) }
    return Array(bytes[..<(count ?? 0)])
  }

  private func save(_ notification: Request) throws(Failure) {
    guard notification.method == "shot", let shots,
      let name = notification.parameters?["name"]?.string, !name.contains("/"),
      let png = notification.parameters?["png"]?.string.flatMap({ Base64.decode($0) })
    else { return }
    try Files.write(png, to: "\(shots)/\(name)")
  }
}
