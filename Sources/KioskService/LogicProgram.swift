// SPDX-License-Identifier: MIT

internal import Glibc
internal import KioskProtocol
internal import LinuxIO
package import RoundelMotion
internal import JSONRPC
internal import SystemPackage

/// The `logic` program, a client on two pipes.
///
/// Gets all events. Restarts with increasing delays.
///
///     idle ──► running ──► waiting ──► running …
///                 └──► ending ──► running (another program) or idle
package final class LogicProgram {
  package struct Command: Hashable, Sendable {
    package var name: String
    package var arguments: [String]

    package init(name: String, arguments: [String]) {
      self.name = name
      self.arguments = arguments
    }
  }

  private enum State {
    case idle
    case running(Run)
    /// The token kills the program after a timeout.
    case ending(Run, EventLoop.Token)
    case waiting(until: Timestamp, EventLoop.Token)
  }

  private struct Run {
    let process: Int32
    let client: ClientID
    let start: Timestamp
    let messages: ErrorMessages
  }

  private static let minimumWait = 1.0
  private static let maximumWait = 60.0
  /// Seconds that a program has to exit.
  private static let exitTimeout = 2.0

  private let context: ServerContext
  private unowned let server: Server
  private let subscribers: Subscribers
  private let programs: ChildProcesses
  private let log: (_ message: String, _ isWarning: Bool) -> Void
  private var command: Command?
  private var state = State.idle
  /// Seconds before the next restart.
  private var wait = minimumWait
  private var starts = 0
  private var lastEnd: String?
  /// Whether the current run's first invalid request has been logged.
  private var hasReportedRefusal = false

  init(
    _ context: ServerContext, _ server: Server, _ subscribers: Subscribers,
    log: @escaping (_ message: String, _ isWarning: Bool) -> Void
  ) {
    self.context = context
    self.server = server
    self.subscribers = subscribers
    self.log = log
    // The exiting program and its successor.
    programs = ChildProcesses(maximumCount: 2, on: context.loop)
  }

  /// An unchanged command continues the current program.
  package func run(_ command: Command?) {
    guard command != self.command else { return }
    self.command = command
    wait = Self.minimumWait
    switch state {
    case .idle: start()
    case .waiting:
      state = .idle
      start()
    case .running(let run): askToEnd(run)
    case .ending: break
    }
  }

  /// Kills the program at `deadline`. Call it before the server is released.
  package func end(by deadline: Timestamp) {
    let last = state
    state = .idle
    command = nil
    switch last {
    case .running(let run), .ending(let run, _):
      server.remove(run.client)
      context.insiders.remove(run.client)
      programs.end(run.process, by: deadline)
      run.messages.finish()
    case .idle, .waiting: break
    }
  }

  var status: LogicStatus? {
    guard let command else { return nil }
    return LogicStatus {
      $0.program = command.name
      $0.starts = starts
      $0.lastEnd = lastEnd
      switch state {
      case .idle: $0.state = "idle"
      case .running(let run):
        $0.state = "running"
        $0.process = Int(run.process)
      case .ending(let run, _):
        $0.state = "ending"
        $0.process = Int(run.process)
      case .waiting(let next, _):
        $0.state = "waiting"
        $0.nextStart = max(0, next - context.clock())
      }
    }
  }

  // MARK: Lifecycle

  private func start() {
    guard let command else { return }
    starts += 1
    hasReportedRefusal = false
    do throws(StartFailure) {
      let run = try spawn(command)
      state = .running(run)
      context.insiders.add(run.client)
      subscribers.listen(run.client)
      log("started \(command.name), process \(run.process)", false)
    } catch {
      lastEnd = "cannot be started: \(error.description)"
      waitForNextStart()
    }
  }

  private struct StartFailure: Error {
    let description: String
  }

  private func spawn(_ command: Command) throws(StartFailure) -> Run {
    do {
      let toProgram = try Pipe()
      let fromProgram = try Pipe()
      let errors = try Pipe()
      let process = try programs.start(
        command.arguments,
        descriptors: [
          (0, .descriptor(toProgram.output.rawValue)), (1, .descriptor(fromProgram.input.rawValue)),
          (2, .descriptor(errors.input.rawValue)),
        ], endsGroup: true
      ) { [unowned self] exit in hasEnded(exit) }
      do {
        let client = try server.serve(
          try Channel(reading: fromProgram.takeOutput(), writing: toProgram.takeInput()),
          notices: .lines
        ) { [unowned self] error in reportRefusal(error) }
        let messages = try ErrorMessages(errors.takeOutput(), on: context.loop) { [log] line in
          log("\(command.name): \(line)", false)
        }
        return Run(process: process, client: client, start: context.clock(), messages: messages)
      } catch {
        // Without free descriptors, the program can't communicate.
        programs.end(process, by: MonotonicClock.now)
        throw error
      }
    } catch {
      throw StartFailure(description: "\(error)")
    }
  }

  private func hasEnded(_ exit: ChildProcess.Exit) {
    let run: Run
    switch state {
    case .running(let ended), .ending(let ended, _): run = ended
    // The program never became a client, or ended with the kiosk.
    case .idle, .waiting: return
    }
    server.remove(run.client)
    context.insiders.remove(run.client)
    run.messages.finish()
    lastEnd = exit.description
    if case .ending = state {
      log("the previous program \(exit)", false)
      state = .idle
      start()
    } else {
      // A long run isn't a failed start.
      if context.clock() - run.start >= Self.maximumWait { wait = Self.minimumWait }
      waitForNextStart()
    }
  }

  private func waitForNextStart() {
    let next = context.clock() + wait
    log(
      "\(command?.name ?? "the program") \(lastEnd ?? "has exited"); restarting in "
        + "\(Int(wait)) s", true)
    wait = min(wait * 2, Self.maximumWait)
    let token = context.loop.schedule(at: next) { [unowned self] in
      state = .idle
      start()
    }
    state = .waiting(until: next, token)
  }

  private func askToEnd(_ run: Run) {
    // Closes the program's input, which also asks it to exit.
    server.remove(run.client)
    context.insiders.remove(run.client)
    programs.signal(SIGTERM, to: run.process)
    let token = context.loop.schedule(at: context.clock() + Self.exitTimeout) { [unowned self] in
      programs.signal(SIGKILL, to: run.process)
    }
    state = .ending(run, token)
  }

  /// Logs once per start, because the program's author doesn't see the response.
  private func reportRefusal(_ error: RemoteError) {
    guard !hasReportedRefusal else { return }
    hasReportedRefusal = true
    log(
      "\(command?.name ?? "the program") wrote an invalid request: \(error); its standard output "
        + "must be JSON-RPC, one message per line", true)
  }

  /// The program closed its side, or was disconnected for its requests.
  func clientDidDisconnect(_ client: ClientID) {
    if case .running(let run) = state, run.client == client {
      programs.signal(SIGTERM, to: run.process)
    }
  }
}
