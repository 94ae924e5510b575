// SPDX-License-Identifier: MIT

internal import RoundelAudio
internal import Glibc
internal import JSONRPC
internal import Kiosk
internal import KioskProtocol
internal import LinuxIO
internal import RoundelMotion
internal import RoundelRuntime
internal import SystemPackage

/// A program that turns text into WAV data. Each utterance has its own process, started in advance.
///
/// Without output, it speaks on its own until it exits. Nothing runs while speech is off.
final class SpeechProgram {
  private let path: String
  private let cycle: FrameCycle
  private let loop: EventLoop
  private let sounds: any SoundPlayer
  private let programs: ChildProcesses
  private let log: (_ message: String, _ isWarning: Bool) -> Void

  private var queue: [Utterance] = []
  private var run: Run?
  /// The process for the next utterance.
  private var standby: Run?
  /// The timer for the end of the sound.
  private var pause: EventLoop.Token?
  /// Includes inaudible utterances.
  private var count = 0
  /// The error of the last utterance, or nil if it was audible.
  private var problem: String?

  private final class Run {
    let arguments: [String]
    var process: Int32 = 0
    var input: OwnedDescriptor?
    var output: OwnedDescriptor?
    var token: EventLoop.Token?
    var limit: EventLoop.Token?
    var bytes: [UInt8] = []
    var isRead = false
    var exit: ChildProcess.Exit?

    init(_ arguments: [String]) { self.arguments = arguments }

    var name: String { arguments.first ?? "" }
  }

  /// A length that fits into a pipe's buffer. The rest is cut off.
  private static let maximumTextBytes = 4_000
  /// A sound of a few minutes.
  private static let maximumSoundBytes = 32 << 20
  private static let chunkBytes = 64 << 10
  /// The seconds, and more per byte of text for programs that speak on their own.
  private static let timeout = 15.0
  private static let timeoutPerByte = 0.25
  /// The oldest utterances are dropped.
  private static let maximumWaiting = 32

  init(
    of path: String, in cycle: FrameCycle, _ machine: Machine
  ) {
    self.path = path
    self.cycle = cycle
    loop = machine.loop
    sounds = machine.sounds
    programs = ChildProcesses(on: machine.loop)
    let outputs = machine.outputs
    log = { outputs.report($0, isWarning: $1) }
    cycle.onUtterances = { [unowned self] in speak($0) }
  }

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

  func turn() {
    if !cycle.engine.isSpeaking {
      if let standby { end(standby) }
      standby = nil
    }
  }

  func stop() {
    stopSpeaking()
    if let standby { end(standby) }
    standby = nil
    programs.endAll(by: MonotonicClock.now)
  }

  private func speak(_ utterances: [Utterance]) {
    for utterance in utterances {
      switch utterance {
      case .silence: stopSpeaking()
      case .tone: sounds.speak(.tone(gain: cycle.engine.speechGain))
      case .text(_, _, let interrupts):
        if interrupts { stopSpeaking() }
        if queue.count == Self.maximumWaiting { queue.removeFirst() }
        queue.append(utterance)
      }
    }
    proceed()
  }

  private func stopSpeaking() {
    queue = []
    if let run { end(run) }
    run = nil
    pause = nil
    sounds.stopSpeaking()
  }

  private func proceed() {
    while run == nil, pause == nil, !queue.isEmpty {
      guard case .text(let text, let language, _) = queue.removeFirst() else { continue }
      speak(text, in: language)
    }
  }

  private func speak(_ text: String, in language: String) {
    count += 1
    guard let settings = cycle.content.description.speech else { return }
    let arguments = settings.program(language: language, rate: cycle.engine.speechRate)
    if let waiting = standby, waiting.arguments != arguments || waiting.exit != nil {
      end(waiting)
      standby = nil
    }
    do throws(StartFailure) {
      let next: Run
      if let standby { next = standby } else { next = try start(arguments) }
      (run, standby) = (next, nil)
      try send(text, to: next)
      standby = try? start(arguments)
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
      // Errors contain the name in the kiosk file.
      let place = (try? Programs.path(of: run.name, for: path)) ?? run.name
      run.process = try programs.start(
        [place] + arguments.dropFirst(),
        descriptors: [
          (0, .descriptor(toProgram.output.rawValue)), (1, .descriptor(fromProgram.input.rawValue)),
        ], endsGroup: true
      ) { [unowned self] exit in
        run.exit = exit
        if run === self.run { finish(run) }
      }
      run.input = toProgram.takeInput()
      run.output = fromProgram.takeOutput()
      return run
    } catch {
      throw StartFailure(description: "cannot start \(run.name): \(error)")
    }
  }

  private func send(_ text: String, to run: Run) throws(StartFailure) {
    var bytes = text.prefix(utf8: Self.maximumTextBytes).utf8.map { byte in
      byte == UInt8(ascii: "\n") ? UInt8(ascii: " ") : byte
    }
    bytes.append(UInt8(ascii: "\n"))
    if let input = run.input.take() {
      // The pointer and the length match. The program may have exited.
      _ = unsafe bytes.withUnsafeBytes { unsafe write(input.rawValue, $0.baseAddress, $0.count) }
    }
    do throws(Errno) {
      guard let number = run.output?.rawValue else { throw .badFileDescriptor }
      try retryingOnInterrupt { fcntl(number, F_SETFL, O_NONBLOCK) }
      run.token = try loop.watch(number) { [unowned self, unowned run] _ in read(from: run) }
    } catch {
      throw StartFailure(description: "cannot read from \(run.name): \(error)")
    }
    let timeout = Self.timeout + Self.timeoutPerByte * Double(bytes.count)
    run.limit = loop.schedule(at: loop.now + timeout) { [unowned self, unowned run] in
      giveUp(run, "did not exit within \(Int(timeout)) seconds")
    }
  }

  private func read(from run: Run) {
    guard let chunk = try? run.output?.receive(upTo: Self.chunkBytes) else { return }
    run.bytes += chunk
    if chunk.isEmpty {
      run.isRead = true
      run.token = nil
      finish(run)
    } else if run.bytes.count > Self.maximumSoundBytes {
      giveUp(run, "wrote more than \(Self.maximumSoundBytes >> 20) MiB for one text")
    }
  }

  private func finish(_ run: Run) {
    // Without output, it speaks until it exits.
    guard run.isRead, !run.bytes.isEmpty || run.exit != nil else { return }
    end(run)
    self.run = nil
    if !run.bytes.isEmpty {
      play(run)
    } else if let exit = run.exit, exit != .status(0) {
      fail("\(run.name) \(exit)")
    } else {
      succeed()
    }
    proceed()
  }

  private func play(_ run: Run) {
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
    // Otherwise the program would speak an empty line.
    if run.exit == nil { programs.signal(SIGKILL, to: run.process) }
    run.input = nil
    run.output = nil
  }

  /// Reports only the first of successive failures.
  private func fail(_ reason: String) {
    if problem == nil { cycle.reportFailure("speech: \(reason)", by: .time) }
    problem = reason
  }

  private func succeed() {
    if problem != nil { log("speech works again", false) }
    problem = nil
  }
}
