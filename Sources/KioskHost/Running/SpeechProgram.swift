// SPDX-License-Identifier: MIT

internal import Audio
internal import Glibc
internal import JSONRPC
internal import Kiosk
internal import KioskProtocol
internal import LinuxIO
internal import Motion
internal import Runtime
internal import SystemPackage

/// Makes sounds of what a kiosk says, by a program that reads a text and writes a WAV: one process a text,
/// and the next one started beforehand.
///
/// A program that writes nothing speaks itself; its end is that of the text. While the kiosk does not speak
/// nothing of this runs.
final class SpeechProgram {
  private let path: String
  private let cycle: FrameCycle
  private let loop: EventLoop
  private let sounds: any SoundPlayer
  private let programs: ChildProcesses
  private let log: (_ message: String, _ isWarning: Bool) -> Void

  /// The utterances that wait for the present one to end.
  private var queue: [Utterance] = []
  /// The process that makes the sound of a text.
  private var run: Run?
  /// The process for the next text.
  private var spare: Run?
  /// Ends the pause in which a sound is heard.
  private var pause: EventLoop.Token?
  /// Texts that were said, heard or not.
  private var count = 0
  /// Why the last text was not heard; nil where it was.
  private var problem: String?

  /// A process, and what it has written.
  private final class Run {
    let arguments: [String]
    var process: Int32 = 0
    var input: OwnedDescriptor?
    var output: OwnedDescriptor?
    /// The watch on its output, and the end of its time.
    var token: EventLoop.Token?
    var limit: EventLoop.Token?
    var bytes: [UInt8] = []
    /// Whether all that it writes has been read.
    var isRead = false
    var exit: ChildProcess.Exit?

    init(_ arguments: [String]) { self.arguments = arguments }

    var name: String { arguments.first ?? "" }
  }

  /// Bytes of a text; a longer one is cut. A pipe holds them all at once.
  private static let maximumTextBytes = 4_000
  /// Bytes of a sound: some minutes.
  private static let maximumSoundBytes = 32 << 20
  /// Bytes that are read at a time.
  private static let pieceBytes = 64 << 10
  /// Seconds for a text, and more for each of its bytes: a program that speaks itself needs them.
  private static let patience = 15.0
  private static let patienceByByte = 0.25
  /// Texts that wait; the oldest are dropped.
  private static let maximumWaiting = 32

  init(
    of path: String, in cycle: FrameCycle, _ machine: Machine
  ) {
    self.path = path
    self.cycle = cycle
    loop = machine.loop
    sounds = machine.sounds
    programs = ChildProcesses(on: machine.loop)
    let outlets = machine.outlets
    log = { outlets.report($0, isWarning: $1) }
    cycle.onUtterances = { [unowned self] in say($0) }
  }

  /// How it is; nil for a kiosk that does not speak.
  var status: SpeechStatus? {
    guard let settings = cycle.content.description.speech else { return nil }
    return SpeechStatus {
      $0.program = settings.program.first ?? ""
      $0.state =
        !cycle.engine.isSpeaking ? "off" : run == nil && pause == nil ? "silent" : "speaking"
      $0.count = count
      $0.problem = problem
    }
  }

  /// Looks after the process for the next text.
  func turn() {
    if !cycle.engine.isSpeaking {
      if let spare { end(spare) }
      spare = nil
    }
  }

  /// Ends all of it. No process is left, running or unreaped.
  func stop() {
    hush()
    if let spare { end(spare) }
    spare = nil
    programs.endAll(by: MonotonicClock.now)
  }

  private func say(_ utterances: [Utterance]) {
    for utterance in utterances {
      switch utterance {
      case .silence: hush()
      case .tone: sounds.speak(.tone(gain: cycle.engine.speechGain))
      case .text(_, _, let interrupts):
        if interrupts { hush() }
        if queue.count == Self.maximumWaiting { queue.removeFirst() }
        queue.append(utterance)
      }
    }
    proceed()
  }

  /// Ends what is being said, and forgets what waits.
  private func hush() {
    queue = []
    if let run { end(run) }
    run = nil
    pause = nil
    sounds.hush()
  }

  private func proceed() {
    while run == nil, pause == nil, !queue.isEmpty {
      guard case .text(let text, let language, _) = queue.removeFirst() else { continue }
      say(text, in: language)
    }
  }

  private func say(_ text: String, in language: String) {
    count += 1
    guard let settings = cycle.content.description.speech else { return }
    let arguments = settings.program(language: language, rate: cycle.engine.speechRate)
    if let waiting = spare, waiting.arguments != arguments || waiting.exit != nil {
      end(waiting)
      spare = nil
    }
    do throws(StartFailure) {
      let next: Run
      if let spare { next = spare } else { next = try start(arguments) }
      (run, spare) = (next, nil)
      try give(text, to: next)
      // The next text begins sooner.
      spare = try? start(arguments)
    } catch {
      if let run { end(run) }
      run = nil
      fail(error.description)
    }
  }

  // MARK: Processes

  private struct StartFailure: Error {
    let description: String
  }

  private func start(_ arguments: [String]) throws(StartFailure) -> Run {
    let run = Run(arguments)
    do {
      let toProgram = try Pipe()
      let fromProgram = try Pipe()
      // A missing program is looked for by its name in the kiosk file.
      let place = (try? Programs.path(of: run.name, for: path)) ?? run.name
      run.process = try programs.start(
        [place] + arguments.dropFirst(),
        descriptors: [
          (0, .descriptor(toProgram.output.rawValue)), (1, .descriptor(fromProgram.input.rawValue)),
        ], endsGroup: true
      ) { [unowned self] exit in
        run.exit = exit
        if run === self.run { lookAfter(run) }
      }
      run.input = toProgram.takeInput()
      run.output = fromProgram.takeOutput()
      return run
    } catch {
      throw StartFailure(description: "cannot start \(run.name): \(error)")
    }
  }

  /// Gives a program its text, and waits for what it writes.
  private func give(_ text: String, to run: Run) throws(StartFailure) {
    var bytes = text.prefix(utf8: Self.maximumTextBytes).utf8.map { byte in
      byte == UInt8(ascii: "\n") ? UInt8(ascii: " ") : byte
    }
    bytes.append(UInt8(ascii: "\n"))
    if let input = run.input.take() {
      // The pointer and the length belong together. A program that has ended reads nothing.
      _ = unsafe bytes.withUnsafeBytes { unsafe write(input.rawValue, $0.baseAddress, $0.count) }
    }
    do throws(Errno) {
      guard let number = run.output?.rawValue else { throw .badFileDescriptor }
      try retryingOnInterrupt { fcntl(number, F_SETFL, O_NONBLOCK) }
      run.token = try loop.watch(number) { [unowned self, unowned run] _ in read(from: run) }
    } catch {
      throw StartFailure(description: "cannot read from \(run.name): \(error)")
    }
    let patience = Self.patience + Self.patienceByByte * Double(bytes.count)
    run.limit = loop.schedule(at: loop.now + patience) { [unowned self, unowned run] in
      giveUp(run, "did not end within \(Int(patience)) seconds")
    }
  }

  private func read(from run: Run) {
    guard let piece = try? run.output?.receive(upTo: Self.pieceBytes) else { return }
    run.bytes += piece
    if piece.isEmpty {
      run.isRead = true
      run.token = nil
      lookAfter(run)
    } else if run.bytes.count > Self.maximumSoundBytes {
      giveUp(run, "wrote more than \(Self.maximumSoundBytes >> 20) MiB for one text")
    }
  }

  /// Lets what a program has written be heard, and then the next text.
  private func lookAfter(_ run: Run) {
    // A program that writes nothing speaks until it ends.
    guard run.isRead, !run.bytes.isEmpty || run.exit != nil else { return }
    end(run)
    self.run = nil
    if !run.bytes.isEmpty {
      hear(run)
    } else if let exit = run.exit, exit != .status(0) {
      fail("\(run.name) \(exit)")
    } else {
      succeed()
    }
    proceed()
  }

  private func hear(_ run: Run) {
    do throws(SoundError) {
      let sound = try Sound(run.bytes).amplified(by: cycle.engine.speechGain)
      sounds.speak(sound)
      succeed()
      pause = loop.schedule(at: loop.now + sound.seconds) { [unowned self] in
        pause = nil
        proceed()
      }
    } catch {
      fail("\(run.name) wrote no sound: \(error)")
    }
  }

  private func giveUp(_ run: Run, _ reason: String) {
    end(run)
    self.run = nil
    fail("\(run.name) \(reason)")
    proceed()
  }

  private func end(_ run: Run) {
    (run.token, run.limit) = (nil, nil)
    // Before its input ends: it is not to take that for a text.
    if run.exit == nil { programs.signal(SIGKILL, to: run.process) }
    run.input = nil
    run.output = nil
  }

  /// Reports why a text is not heard, once until one is heard again.
  private func fail(_ reason: String) {
    if problem == nil { cycle.reportFailure("speech: \(reason)", by: .time) }
    problem = reason
  }

  private func succeed() {
    if problem != nil { log("speech works again", false) }
    problem = nil
  }
}
