// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import JSON
import LinuxIO
import Remote
import SystemPackage

/// Which running kiosk a command talks to, and how it prints.
struct KioskOptions: ParsableArguments {
  @Option(
    help: "The kiosk's socket (default: $XDG_RUNTIME_DIR/roundel.sock, else the unit's).",
    completion: .file())
  var socket: String?

  @Option(help: "[USER@]HOST on which the kiosk runs; goes through ssh.")
  var host: String?

  @Flag(help: "JSON, for programs.")
  var json = false

  func connect() throws(Failure) -> KioskConnection {
    if let host {
      try KioskConnection(host: host, socket: socket)
    } else {
      try KioskConnection(socket: socket ?? SocketPath.ofClient)
    }
  }
}

/// A running kiosk, here or behind ssh, and the words for what goes wrong with it.
final class KioskConnection {
  let client: Client
  private let ssh: (host: String, process: PipedProcess)?

  init(socket: String) throws(Failure) {
    Self.ignoreBrokenPipes()
    ssh = nil
    do throws(ClientError) {
      client = try Client(at: socket)
    } catch {
      throw Failure(error.code, "\(error)")
    }
  }

  /// Starts the system's ssh, which starts `roundel relay` there. The connection stays for a minute
  /// after the last command, so that the next need not make one.
  init(host: String, socket: String?) throws(Failure) {
    let process = try Self.start("relay", on: host, socket: socket)
    ssh = (host, process)
    client = Client(
      reading: OwnedDescriptor(adopting: process.output),
      writing: OwnedDescriptor(adopting: process.input))
  }

  /// Starts a command of this program on another machine, for the kiosk that runs there.
  static func start(
    _ command: String, on host: String, socket: String?
  ) throws(Failure) -> PipedProcess {
    guard !host.isEmpty, !host.hasPrefix("-") else {
      throw Failure(.usage, "--host takes [USER@]HOST, as ssh does")
    }
    ignoreBrokenPipes()
    let line = "exec roundel \(command)" + (socket.map { " --socket \(quoted($0))" } ?? "")
    var arguments = ["ssh", "-T", "-o", "ConnectTimeout=10"]
    if let control = controlPath {
      arguments += [
        "-o", "ControlMaster=auto", "-o", "ControlPersist=60", "-o", "ControlPath=\(control)",
      ]
    }
    do throws(Errno) {
      return try PipedProcess(arguments + ["--", host, line])
    } catch {
      throw Failure(
        .unavailable,
        error == .noSuchFileOrDirectory
          ? "--host needs ssh, which is not installed (apt-get install openssh-client)"
          : "cannot start ssh: \(error)")
    }
  }

  /// Asks, and waits for the answer; `patience` in seconds.
  @discardableResult
  func call(
    _ method: String, _ parameters: [JSONValue.Member] = [], patience: Double? = 30
  ) throws(Failure) -> JSONValue {
    do throws(ClientError) {
      return try client.call(method, parameters, patience: patience)
    } catch {
      throw failure(error)
    }
  }

  /// What to say about an error.
  func failure(_ error: ClientError) -> Failure {
    switch error {
    case .wentAway:
      if let ssh { return Self.failure(ofSSH: ssh.host, try? ssh.process.wait()) }
    case .garbled(let text):
      if let ssh {
        return Failure(
          .unavailable,
          "\(ssh.host) does not answer as a kiosk does; it says \"\(text)\" (does its login shell "
            + "print something?)")
      }
    case .refused(let refusal)
    where [.unknownMethod, .invalidParameters].contains(refusal.code):
      if let theirs = try? client.call("version")["version"]?.string, theirs != Roundel.version {
        return Failure(
          error.code,
          "\(error); the kiosk runs roundel \(theirs), this is \(Roundel.version)")
      }
    default: break
    }
    return Failure(error.code, "\(error)")
  }

  /// The relay's own words have been seen on the standard error, which it shares.
  private static func failure(ofSSH host: String, _ exit: ChildProcess.Exit?) -> Failure {
    switch exit {
    case .status(255)?:
      Failure(.unavailable, "ssh could not reach \(host); try: ssh \(host) true")
    case .status(127)?, .status(126)?:
      Failure(.unavailable, "roundel is not installed on \(host), or not in its PATH")
    case .status(Int(Failure.Code.permission.rawValue))?: Failure(.permission)
    case .status(Int(Failure.Code.unavailable.rawValue))?: Failure(.unavailable)
    case .status(Int(Failure.Code.usage.rawValue))?:
      Failure(.unavailable, "the roundel on \(host) is of a version without a relay")
    default:
      Failure(.unavailable, "the kiosk on \(host) went away before it answered")
    }
  }

  /// A place for ssh's shared connection that only this user can reach; nil where there is none.
  private static var controlPath: String? {
    func variable(_ name: String) -> String? {
      unsafe getenv(name).map { unsafe String(cString: $0) }
    }
    // ssh puts 40 characters for %C and 17 while it makes the socket; 107 are allowed in all.
    func usable(_ folder: String) -> String? {
      folder.utf8.count + 70 <= 107 && !folder.contains("%") && !folder.contains(" ")
        ? folder + "/roundel-%C" : nil
    }
    if let folder = variable("XDG_RUNTIME_DIR"), unsafe access(folder, W_OK) == 0 {
      return usable(folder)
    }
    guard let home = variable("HOME") else { return nil }
    _ = unsafe mkdir(home + "/.ssh", 0o700)
    return unsafe access(home + "/.ssh", W_OK) == 0 ? usable(home + "/.ssh") : nil
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }

  /// A kiosk that has gone is an error to be told, not the end of this program.
  private static func ignoreBrokenPipes() { _ = signal(SIGPIPE, SIG_IGN) }
}

extension ClientError {
  var code: Failure.Code {
    switch self {
    case .denied: .permission
    case .absent, .busy, .unreachable, .wentAway, .silent, .garbled: .unavailable
    case .refused(let error):
      switch error.code {
      case .denied: .permission
      case .busy, .internalError: .unavailable
      case .failed: .didNotHold
      default: .usage
      }
    }
  }
}

extension StandardOutput {
  static func write(json: JSONValue) { write(json.text + "\n") }
}
