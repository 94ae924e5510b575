// SPDX-License-Identifier: MIT

internal import Glibc
internal import LinuxIO

/// The number of times that a service manager has restarted the kiosk since its unit was started, by cause.
///
/// The unit's ExecStopPost writes `SERVICE_RESULT EXIT_STATUS` (see systemd.exec(5)) to a file. The next start counts
/// and removes it. Stopping the unit removes both files.
struct Restarts {
  enum Cause: String, CaseIterable {
    /// The processor or the program itself detected an error.
    case crash
    /// The program exited with an exit code, for example because the compositor disconnected.
    case exit
    /// Another process sent a signal.
    case killed
    /// The program ran out of memory.
    case memory
    case requested
    /// The program didn't answer the service manager.
    case watchdog
    case other
  }

  private let end: StateFile?
  private let counts: StateFile?

  private static let maximumBytes = 1 << 12

  /// The restarts of the kiosk file at `path`. Nothing is counted without a runtime directory.
  init(of path: String, in folders: StateFolders) {
    end = folders.passingFile(of: path, "end", maximumBytes: Self.maximumBytes)
    counts = folders.passingFile(of: path, "restarts", maximumBytes: Self.maximumBytes)
  }

  /// Counts this start if it is a restart, and returns all counts.
  func counted() -> [(cause: String, count: Int)] {
    var all = known
    if let end, let ending = (try? end.read()) ?? nil {
      all[Self.cause(of: String(decoding: ending, as: UTF8.self)), default: 0] += 1
      let lines = all.map { "\($0.key.rawValue) \($0.value)\n" }.sorted()
      // A failure to write the counts doesn't prevent the start.
      try? counts?.write(Array(lines.joined().utf8))
      Files.remove(end.path)
    }
    return Cause.allCases.map { ($0.rawValue, all[$0] ?? 0) }
  }

  private var known: [Cause: Int] {
    let text = String(decoding: (try? counts?.read()) ?? [], as: UTF8.self)
    return text.split(separator: "\n").reduce(into: [:]) { all, line in
      let words = line.split(separator: " ")
      guard words.count == 2, let cause = Cause(rawValue: String(words[0])),
        let count = Int(words[1]), count >= 0, count < .max
      else { return }
      all[cause] = count
    }
  }

  /// Returns the cause for systemd's words, such as `core-dump SEGV`.
  private static func cause(of ending: String) -> Cause {
    let words = ending.split { $0 == " " || $0 == "\n" }
    return switch words.first {
    case "success": .requested
    case "exit-code": .exit
    case "oom-kill": .memory
    case "watchdog": .watchdog
    case "core-dump": .crash
    case "signal":
      ["KILL", "TERM", "INT", "HUP", "QUIT"].contains(words.dropFirst().first) ? .killed : .crash
    default: .other
    }
  }
}
