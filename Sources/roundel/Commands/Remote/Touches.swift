// SPDX-License-Identifier: MIT

import ArgumentParser
import Geometry
import Glibc
import JSON
import Kiosk
import KioskHost
import KioskProtocol
import LinuxIO
import LiveSuites
import JSONRPC
import Session
import SystemPackage

struct MarkerOption: ParsableArguments {
  @Flag(help: "Show a ring on the panel where it touches, and for half a second after.")
  var marker = false
}

struct TouchOptions: ParsableArguments {
  @Argument(help: "CONTROL or CONTROL/ITEM, as tree names them.", completion: .targets)
  var target: Target?

  @Option(parsing: .unconditional, help: "X,Y in design pixels, instead.")
  var at: NumberList?

  @OptionGroup var marker: MarkerOption

  func validate() throws {
    guard (target == nil) != (at == nil) else {
      throw ValidationError("Name a control, or a place with --at X,Y.")
    }
    if let at, at.numbers.count != 2 { throw ValidationError("--at takes X,Y.") }
  }

  /// Throws unless the target or, for a point, anything received the touch.
  func report(_ answer: TouchAnswer) throws(Failure) {
    let what = target.map { "\($0)" } ?? Self.words(at?.point)
    let place = Self.words(answer.place)
    guard answer.isTaken else {
      throw Failure(
        .didNotHold,
        answer.hasWoken
          ? "the panel slept; the touch woke it and did nothing else"
          : "nothing took the touch on \(what) at \(place)")
    }
    guard let target, answer.control != target.control else { return }
    let touch = "the touch on \(target) at \(place)"
    throw Failure(
      .didNotHold,
      answer.control.map { "\($0) took \(touch), which it covers" } ?? "the page took \(touch)")
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
      It acts as a finger on the panel does. Exit code 1 says that neither a control \
      nor the page took it.

      Examples:
        roundel tap shows/dateline
        roundel tap --at 640,120 --host lobby
        roundel tap drinks --duration 1
      """)

  @OptionGroup var touch: TouchOptions

  @Option(help: "Seconds until the finger is lifted.")
  var duration: Seconds = 0.08

  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let request = TapRequest {
      $0.target = touch.target
      $0.place = touch.at?.point
      $0.duration = duration.value
      $0.marker = touch.marker.marker
    }
    try touch.report(try kiosk.call(request, patience: duration.value + 30))
  }
}

struct Drag: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drag",
    abstract: "Drag a finger over the running kiosk.",
    discussion: """
      In a straight line; what is lifted in motion, flings. With --hold it rests \
      first.

      Examples:
        roundel drag minutes/0 --to minutes/15 --hold 0.2
        roundel drag time/hours --by 0,-120 --duration 0.1
        roundel drag --at 100,400 --to 700,400
      """)

  @OptionGroup var touch: TouchOptions

  @Option(
    parsing: .unconditional, help: "X,Y or CONTROL[/ITEM]: where it goes.", completion: .targets)
  var to: String?

  @Option(parsing: .unconditional, help: "DX,DY in design pixels: how far it goes, instead.")
  var by: NumberList?

  @Option(help: "Seconds on its way.")
  var duration: Seconds = 0.3

  @Option(help: "Seconds that it rests before it is lifted.")
  var hold: Seconds = 0.0

  @OptionGroup var kiosk: KioskOptions

  func validate() throws {
    guard (to == nil) != (by == nil) else { throw ValidationError("Say where, with --to or --by.") }
    if let by, by.numbers.count != 2 { throw ValidationError("--by takes DX,DY.") }
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
    try touch.report(try kiosk.call(request, patience: duration.value + hold.value + 30))
  }
}

struct PlayLive: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "touch",
    abstract: "Play a recording to the running kiosk, in real time.",
    discussion: """
      Reads the recording from the standard input while it plays, so that a program \
      may go on writing it. Prints the answers to its questions. With --uinput the \
      touches take the way of fingers on glass, from the kernel on; questions and \
      pictures are passed over. Exit code 1 says that the kiosk does not have what \
      the recording asks for or sets; the rest is played all the same.

      Examples:
        roundel touch < taps.jsonl
        some-generator | roundel touch --host lobby
        sudo roundel touch --uinput taps.jsonl
      """)

  @Argument(help: "The recording; - is the standard input.", completion: .file())
  var recording = "-"

  @Option(help: "The folder for the recording's pictures (default: none are taken).")
  var shots: String?

  @Flag(help: "Touch by a virtual touchscreen in the kernel of the kiosk's machine.")
  var uinput = false

  @OptionGroup var marker: MarkerOption

  @OptionGroup var kiosk: KioskOptions

  func validate() throws {
    if uinput, shots != nil || marker.marker {
      throw ValidationError("--uinput cannot be combined with --shots or --marker.")
    }
    if uinput, kiosk.host != nil {
      throw ValidationError("Start it there: ssh HOST roundel touch --uinput.")
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
      } catch let mistake as Recording.Mistake {
        throw Failure(.badFile, "\(mistake)")
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
    if pending.isEmpty, !(try client.dispatch()) { throw .wentAway }
    var refusals: [String] = []
    while let first = pending.first {
      do throws(ClientError) {
        let result = try client.answer(to: first, patience: 0)
        for answer in result.answers { StandardOutput.write(json: answer) }
        refusals += result.refusals
        pending.removeFirst()
      } catch .silent {
        break
      }
    }
    return refusals
  }

  private func save(_ notification: Request) throws(Failure) {
    guard let notice = Notice(notification), notice.kind == .shot, let shots,
      let shot = ShotNotice(notice.json), !shot.name.contains("/")
    else { return }
    try Files.write(shot.png, to: "\(shots)/\(shot.name)", isLasting: false)
  }
}
