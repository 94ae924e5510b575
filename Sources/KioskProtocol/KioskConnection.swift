// SPDX-License-Identifier: MIT

internal import Glibc
package import RoundelJSON
package import Kiosk
package import LinuxIO
package import JSONRPC
internal import RoundelMotion
internal import SystemPackage

/// The address of a kiosk: a socket on this or another machine.
package struct KioskAddress: Hashable, Sendable {
  /// The machine in ssh's format, or nil for this machine.
  package var host: String?
  /// The socket's path, or nil for the default path.
  package var socket: String?

  package init(host: String? = nil, socket: String? = nil) {
    self.host = host
    self.socket = socket
  }
}

/// A connection to a running kiosk, on this machine or through ssh. It creates messages for errors.
package final class KioskConnection {
  package let client: Client
  private let ssh: (host: String, process: PipedProcess)?
  private let version: String

  /// The first line of another machine that has reached the kiosk.
  package static let greeting = Request("relay")
  /// Seconds for another machine's first answer, four times as many if a user may be typing a
  /// password.
  private static let hostTimeout = 15.0

  /// On another machine, ssh starts `roundel relay`, and keeps the connection for a minute after
  /// the last command.
  ///
  /// - Parameters:
  ///   - waits: Whether to wait until the other machine answers.
  ///   - outlivesInterrupt: Whether ssh ignores Ctrl+C, for an orderly exit.
  package init(
    to address: KioskAddress, version: String, waits: Bool = true, outlivesInterrupt: Bool = false
  ) throws(KioskError) {
    Self.ignoreBrokenPipes()
    self.version = version
    if let host = address.host {
      let process = try Self.start(
        "relay", on: host, socket: address.socket, blockingInterrupt: outlivesInterrupt)
      ssh = (host, process)
      client = Client(
        reading: OwnedDescriptor(adopting: process.output),
        writing: OwnedDescriptor(adopting: process.input))
      if waits { try awaitHost() }
    } else {
      ssh = nil
      do throws(ClientError) {
        client = try Client(at: address.socket ?? SocketPath.ofClient)
      } catch {
        throw KioskError(error)
      }
    }
  }

  /// Until the first answer, a timeout is an error of the connection, not of the kiosk.
  private func awaitHost() throws(KioskError) {
    var isGreeted = false
    client.onNotification = { if $0.method == Self.greeting.method { isGreeted = true } }
    defer { client.onNotification = { _ in } }
    let isTyping = isatty(0) == 1 && isatty(2) == 1
    do throws(ClientError) {
      _ = try client.call(
        VersionRequest(), timeout: isTyping ? 4 * Self.hostTimeout : Self.hostTimeout)
    } catch .timedOut(let seconds) {
      // Otherwise ssh would stay and keep this program's standard error open.
      close()
      guard !isGreeted, let host = ssh?.host else { throw KioskError(.timedOut(seconds: seconds)) }
      throw KioskError(.unavailable, Self.hanging(host, seconds))
    } catch .refused {
      // An older kiosk has answered.
    } catch {
      throw self.error(error)
    }
  }

  /// Closes the connection even with a pending request, which would keep ssh running. Send no
  /// requests afterwards.
  package func close() {
    ssh?.process.terminate()
  }

  /// Reports the connection's error, unless the result is released earlier. Terminates ssh after 2
  /// seconds.
  package func explainEnd(
    on loop: EventLoop, _ report: @escaping (KioskError) -> Void
  ) -> ConnectionEnd? {
    guard let ssh else {
      report(KioskError(.disconnected))
      return nil
    }
    do throws(Errno) {
      return ConnectionEnd(
        try ssh.process.watchEnd(on: loop) {
          report(Self.error(ofSSH: ssh.host, try? ssh.process.poll()))
        },
        loop.schedule(at: loop.now + Self.exitTimeout) {
          ssh.process.terminate()
          report(Self.lost(ssh.host))
        })
    } catch {
      ssh.process.terminate()
      report(Self.lost(ssh.host))
      return nil
    }
  }

  /// Seconds that ssh has to exit.
  private static let exitTimeout = 2.0

  package final class ConnectionEnd {
    private let watch: PipedProcess.EndWatch
    private let timeout: EventLoop.Token

    fileprivate init(_ watch: PipedProcess.EndWatch, _ timeout: EventLoop.Token) {
      self.watch = watch
      self.timeout = timeout
    }
  }

  private static func hanging(_ host: String, _ seconds: Double) -> String {
    "no answer from \(host) through ssh for \(Int(seconds.rounded())) seconds; try: ssh \(host) true"
  }

  package static func start(
    _ command: String, on host: String, socket: String?, blockingInterrupt: Bool = false
  ) throws(KioskError) -> PipedProcess {
    let line = "exec roundel \(command)" + (socket.map { " --socket \(quoted($0))" } ?? "")
    return try start(line: line, on: host, blockingInterrupt: blockingInterrupt)
  }

  package static func start(script: String, on host: String) throws(KioskError) -> PipedProcess {
    try start(line: "exec sh -c \(quoted(script))", on: host)
  }

  private static func start(
    line: String, on host: String, blockingInterrupt: Bool = false
  ) throws(KioskError) -> PipedProcess {
    guard !host.isEmpty, !host.hasPrefix("-") else {
      throw KioskError(.invalid, "--host must be [USER@]HOST, as for ssh")
    }
    ignoreBrokenPipes()
    var arguments = [
      "ssh", "-T", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5", "-o",
      "ServerAliveCountMax=2",
    ]
    if let control = controlPath {
      arguments += [
        "-o", "ControlMaster=auto", "-o", "ControlPersist=60", "-o", "ControlPath=\(control)",
      ]
    }
    do throws(Errno) {
      return try PipedProcess(
        arguments + ["--", host, line], blockingInterrupt: blockingInterrupt)
    } catch {
      throw KioskError(
        .unavailable,
        error == .noSuchFileOrDirectory
          ? "--host needs ssh, which is not installed (apt-get install openssh-client)"
          : "cannot start ssh: \(error)")
    }
  }

  @discardableResult
  package func call<Request: MethodRequest>(
    _ request: Request, timeout: Double? = 30
  ) throws(KioskError) -> Request.Answer {
    try ask(request, timeout: timeout).answer
  }

  /// Returns the answer both decoded and as JSON.
  package func ask<Request: MethodRequest>(
    _ request: Request, timeout: Double? = 30
  ) throws(KioskError) -> (answer: Request.Answer, json: JSONValue) {
    try ask(Request.method, request, timeout: timeout)
  }

  package func ask<Parameters, Answer>(
    _ method: Method<Parameters, Answer>, _ parameters: Parameters, timeout: Double? = 30
  ) throws(KioskError) -> (answer: Answer, json: JSONValue) {
    do throws(ClientError) {
      return try client.ask(method, parameters, timeout: timeout)
    } catch {
      throw self.error(error)
    }
  }

  @discardableResult
  package func perform(
    _ command: Command, waking: Bool = false
  ) throws(KioskError) -> JSONValue {
    do throws(ClientError) {
      return try client.perform(command, waking: waking)
    } catch {
      throw self.error(error)
    }
  }

  @discardableResult
  package func call(
    _ method: String, _ parameters: [JSONValue.Member] = [], timeout: Double? = 30
  ) throws(KioskError) -> JSONValue {
    do throws(ClientError) {
      return try client.call(method, parameters, timeout: timeout)
    } catch {
      throw self.error(error)
    }
  }

  package func error(_ error: ClientError) -> KioskError {
    switch error {
    case .disconnected:
      if let ssh {
        return Self.error(ofSSH: ssh.host, try? ssh.process.wait())
      }
    case .garbled(let text):
      if let ssh {
        return KioskError(
          .unavailable,
          "\(ssh.host) does not answer like a kiosk, but with \"\(text)\"; its login shell must not "
            + "print anything")
      }
    case .misread: return differing(error)
    case .refused(let refusal)
    where [.unknownMethod, .invalidParameters].contains(refusal.code):
      return differing(error)
    default: break
    }
    return KioskError(error)
  }

  private func differing(_ error: ClientError) -> KioskError {
    var result = KioskError(error)
    if let theirs = try? client.call(VersionRequest()).version, theirs != version {
      result.description += "; the kiosk runs roundel \(theirs), this is \(version)"
    }
    return result
  }

  /// The remote command's messages have appeared on the shared standard error.
  package static func error(ofSSH host: String, _ exit: ChildProcess.Exit?) -> KioskError {
    guard case .status(let code)? = exit else { return lost(host) }
    switch code {
    case 255: return KioskError(.unavailable, "ssh could not reach \(host); try: ssh \(host) true")
    case 127, 126:
      return KioskError(.unavailable, "roundel is not installed on \(host), or not in PATH there")
    default:
      switch KioskError.Kind(exitCode: code) {
      case .invalid:
        return KioskError(
          .unavailable, "roundel on \(host) is too old for --host; update it")
      case let kind?: return KioskError(kind)
      case nil: return lost(host)
      }
    }
  }

  private static func lost(_ host: String) -> KioskError {
    KioskError(.unavailable, "the kiosk on \(host) disconnected before it answered")
  }

  /// A path that only this user can access, or nil.
  private static var controlPath: String? {
    // ssh needs 40 characters for %C and 17 more while it creates the socket. The limit is 107.
    func usable(_ folder: String) -> String? {
      folder.utf8.count + 70 <= 107 && !folder.contains("%") && !folder.contains(" ")
        ? folder + "/roundel-%C" : nil
    }
    if let folder = Environment.variable("XDG_RUNTIME_DIR"), Files.isWritable(folder) {
      return usable(folder)
    }
    guard let home = Environment.variable("HOME") else { return nil }
    _ = unsafe mkdir(home + "/.ssh", 0o700)
    return Files.isWritable(home + "/.ssh") ? usable(home + "/.ssh") : nil
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }

  /// A disconnected kiosk must not kill this program.
  private static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
}

extension Client {
  func ask<Parameters, Answer>(
    _ method: Method<Parameters, Answer>, _ parameters: Parameters, timeout: Double?
  ) throws(ClientError) -> (answer: Answer, json: JSONValue) {
    let json = try call(method.name, method.jsonMembers(of: parameters), timeout: timeout)
    guard let answer = Answer(json) else { throw .misread(method: method.name) }
    return (answer, json)
  }

  @discardableResult
  package func perform(
    _ command: Command, waking: Bool = false, timeout: Double? = 30
  ) throws(ClientError) -> JSONValue {
    guard let request = command.call(waking: waking) else {
      throw .refused(
        RemoteError(.invalidParameters, "\"\(command.kind.name)\" is available in kiosk files only")
      )
    }
    return try call(request.method, request.parameters, timeout: timeout)
  }
}
