// SPDX-License-Identifier: MIT

internal import Glibc
internal import LinuxIO

/// How often a service manager has started a kiosk again since its unit was started, by cause.
///
/// The unit's ExecStopPost leaves how the program has ended, `SERVICE_RESULT EXIT_STATUS` of systemd.exec(5). The
/// start that follows counts it and takes it away. Both files are gone when the unit is stopped.
struct Restarts {
  enum Cause: String, CaseIterable {
    /// By an error that the processor or the program noticed.
    case crash
    /// With an exit code of its own, as when the compositor goes away.
    case exit
    /// By a signal that another has sent.
    case killed
    /// It had used up its memory.
    case memory
    /// It was asked to.
    case requested
    /// It did not answer the service manager.
    case watchdog
    case other
  }

  private let end: StateFile?
  private let counts: StateFile?

  private static let maximumBytes = 1 << 12

  /// The restarts of the kiosk file at `path`; none without a folder that outlives the program.
  init(of path: String, in folders: StateFolders) {
    end = folders.passingFile(of: path, "end", maximumBytes: Self.maximumBytes)
    counts = folders.passingFile(of: path, "restarts", maximumBytes: Self.maximumBytes)
  }

  /// Counts this start, where it follows an end, and returns all.
  func counted() -> [(cause: String, count: Int)] {
    var all = known
    if let end, let ending = (try? end.read()) ?? nil {
      all[Self.cause(of: String(decoding: ending, as: UTF8.self)), default: 0] += 1
      let lines = all.map { "\($0.key.rawValue) \($0.value)\n" }.sorted()
      // A start that cannot be counted goes on all the same.
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

  /// The cause that systemd's words stand for, as `core-dump SEGV`.
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
