// SPDX-License-Identifier: MIT

import ArgumentParser
import RoundelGeometry
import Glibc
import RoundelJSON
import Kiosk
import KioskHost
import KioskProtocol
import LinuxIO
import LiveSuites
import JSONRPC
import RoundelSession
import SystemPackage

struct MarkerOption: ParsableArguments {
  @Flag(help: "Show a ring at the touch on the panel, until half a second after it.")
  var marker = false
}

struct TouchOptions: ParsableArguments {
  @Argument(help: "CONTROL or CONTROL/ITEM, as listed by tree.", completion: .targets)
  var target: Target?

  @Option(parsing: .unconditional, help: "A point instead of a control, as X,Y in design pixels.")
  var at: NumberList?

  @OptionGroup var marker: MarkerOption

  func validate() throws {
    guard (target == nil) != (at == nil) else {
      throw ValidationError("Specify a control, or a point with --at X,Y.")
    }
    if let at, at.numbers.count != 2 { throw ValidationError("--at must be X,Y.") }
  }

  /// Throws unless the target or, for a point, anything received the touch.
  func report(_ answer: TouchAnswer) throws(Failure) {
    let what = target.map { "\($0)" } ?? Self.words(at?.point)
    let place = Self.words(answer.place)
    guard answer.isTaken else {
      throw Failure(
        .didNotHold,
        answer.hasWoken
          ? "the panel slept; the touch only woke it"
          : "nothing handled the touch on \(what) at \(place)")
    }
    guard let target, answer.control != target.control else { return }
    let touch = "the touch on \(target) at \(place)"
    throw Failure(
      .didNotHold,
      answer.control.map { "\($0) covers \(target) and handled \(touch)" }
        ?? "the page handled \(touch)")
  }

  private static func words(_ point: Point?) -> String {
    point.map { [$0.x, $0.y].map { JSONValue.number($0).text }.joined(separator: ", ") } ?? "-"
  }
}

struct Tap: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tap",
    abstract: "Tap a control of the running kiosk.",
    discussion: """
      Has the same effect as a finger on the panel. Exits with 1 if neither a control nor the \
      page handles the touch.

      Examples:
        roundel tap shows/dateline
        roundel tap --at 640,120 --host lobby
        roundel tap drinks --duration 1
      """)

  @OptionGroup var touch: TouchOptions

  @Option(help: "Seconds until the finger lifts.")
  var duration: Seconds = 0.08

  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let request = TapRequest {
      $0.target = touch.target
      $0.place = touch.at?.point
      $0.duration = duration.value
      $0.marker = touch.marker.marker
    }
    try touch.report(try kiosk.call(request, timeout: duration.value + 30))
  }
}

struct Drag: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drag",
    abstract: "Drag a finger over the running kiosk.",
    discussion: """
      Drags in a straight line. A finger lifted in motion flings. With --hold, it rests first.

      Examples:
        roundel drag minutes/0 --to minutes/15 --hold 0.2
        roundel drag time/hours --by 0,-120 --duration 0.1
        roundel drag --at 100,400 --to 700,400
      """)

  @OptionGroup var touch: TouchOptions

  @Option(
    parsing: .unconditional, help: "The end of the drag, as X,Y or CONTROL[/ITEM].",
    completion: .targets)
  var to: String?

  @Option(parsing: .unconditional, help: "The distance instead of --to, as DX,DY in design pixels.")
  var by: NumberList?

  @Option(help: "The duration of the motion, in seconds.")
  var duration: Seconds = 0.3

  @Option(help: "Seconds that the finger rests before it lifts.")
  var hold: Seconds = 0.0

  @OptionGroup var kiosk: KioskOptions

  func validate() throws {
    guard (to == nil) != (by == nil) else { throw ValidationError("Specify --to or --by.") }
    if let by, by.numbers.count != 2 { throw ValidationError("--by must be DX,DY.") }
  }

  func run() throws {
    let place = to.flatMap { NumberList(argument: $0) }?.point
    let request = DragRequest {
      $0.target = touch.target
      $0.place = touch.at?.point
      $0.to = place
      $0.toTarget = place == nil ? to.flatMap { Target($0) } : nil
      $0.by = by?.point
      $0.duration = duration.value
      $0.hold = hold.value
      $0.marker = touch.marker.marker
    }
    try touch.report(try kiosk.call(request, timeout: duration.value + hold.value + 30))
  }
}

struct PlayLive: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "touch",
    abstract: "Play a recording to the running kiosk, in real time.",
    discussion: """
      Reads the recording while it plays, so that another program can still be writing it. \
      Prints the answers to the recording's questions. With --uinput, touches pass through the \
      kernel like real ones, and questions and screenshots are skipped. Exits with 1 if the \
      recording reads or sets something that the kiosk doesn't have. The other lines are \
      played anyway.

      Examples:
        roundel touch < taps.jsonl
        some-generator | roundel touch --host lobby
        sudo roundel touch --uinput taps.jsonl
      """)

  @Argument(help: "The recording; - is the standard input.", completion: .file())
  var recording = "-"

  @Option(help: "The folder for the recording's screenshots (default: no screenshots).")
  var shots: String?

  @Flag(help: "Touch with a virtual touchscreen in this machine's kernel.")
  var uinput = false

  @OptionGroup var marker: MarkerOption

  @OptionGroup var kiosk: KioskOptions

  func validate() throws {
    if uinput, shots != nil || marker.marker {
      throw ValidationError("--uinput cannot be combined with --shots or --marker.")
    }
    if uinput, kiosk.host != nil {
      throw ValidationError(
        "--uinput cannot be combined with --host; use ssh HOST roundel touch --uinput.")
    }
  }

  private static let maximumLead = 8

  func run() throws {
    let source = try RecordingSource(recording)
    if let shots { try Files.makeFolder(shots) }
    let connection = try kiosk.connect()
    if uinput {
      return try playThroughKernel(source, on: connection)
    }
    var failure: Failure?
    connection.client.onNotification = { notification in
      do throws(Failure) {
        try save(notification)
      } catch {
        failure = error
      }
    }
    var isRefused = false
    var pending: [Client.Sent<RecordingAnswer>] = []
    var stream = RecordingStream(path: recording)
    while !stream.isEnded || !pending.isEmpty {
      let readable = waitForInput(
        stream.isEnded || pending.count > Self.maximumLead ? nil : source, or: connection.client)
      do {
        if readable.kiosk {
          for refusal in try takeAnswers(to: &pending, from: connection.client) {
            isRefused = true
            Failure(.didNotHold, refusal).report()
          }
        }
        guard readable.source else { continue }
        let parts = try stream.take(source.receive())
        for (index, part) in parts.enumerated() {
          let request = TouchRequest {
            $0.recording = .lines(part.lines)
            $0.more = !stream.isEnded || index + 1 < parts.count
            $0.shots = shots != nil
            $0.marker = marker.marker
          }
          pending.append(try connection.client.send(request))
        }
      } catch let error as ClientError {
        throw Failure(connection.error(error))
      } catch let diagnostic as Recording.ParseError {
        throw Failure(.badFile, "\(diagnostic)")
      }
    }
    if let failure { throw failure }
    if isRefused { throw Failure(.didNotHold) }
  }

  /// Prints a line when the kiosk uses the touchscreen.
  private func playThroughKernel(
    _ source: RecordingSource, on connection: KioskConnection
  ) throws(LiveError) {
    var touches = try KernelTouches(source, on: connection)
    StandardOutput.write(
      json: .object([.init(KernelTouches.readyMember, .string(touches.device))]))
    try touches.play()
  }

  private func waitForInput(
    _ source: RecordingSource?, or client: Client
  ) -> (source: Bool, kiosk: Bool) {
    var entries = [
      // `poll` ignores negative descriptors.
      pollfd(fd: source?.file.rawValue ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    // The array's count.
    guard unsafe poll(&entries, 2, -1) > 0 else { return (false, false) }
    return (entries[0].revents != 0, entries[1].revents != 0)
  }

  /// Returns the messages of failed steps.
  private func takeAnswers(
    to pending: inout [Client.Sent<RecordingAnswer>], from client: Client
  ) throws(ClientError) -> [String] {
    if pending.isEmpty, !(try client.dispatch()) { throw .disconnected }
    var refusals: [String] = []
    while let first = pending.first {
      do throws(ClientError) {
        let result = try client.answer(to: first, timeout: 0)
        for answer in result.answers { StandardOutput.write(json: answer) }
        refusals += result.refusals
        pending.removeFirst()
      } catch .timedOut {
        break
      }
    }
    return refusals
  }

  private func save(_ notification: Request) throws(Failure) {
    guard let notice = Notice(notification), notice.kind == .shot, let shots,
      let shot = ShotNotice(notice.json), !shot.name.contains("/")
    else { return }
    try Files.write(shot.png, to: "\(shots)/\(shot.name)", isDurable: false)
  }
}
