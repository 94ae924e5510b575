// SPDX-License-Identifier: MIT

internal import Glibc
internal import LinuxIO

/// The service manager's restarts of the kiosk by cause, since its unit was started.
///
/// The unit's ExecStopPost writes `SERVICE_RESULT EXIT_STATUS` (see systemd.exec(5)) to a file. The
/// next start counts and removes it. Stopping the unit removes both files.
struct Restarts {
  enum Cause: String, CaseIterable {
    /// The processor or the program detected an error.
    case crash
    /// An exit code, for example because the compositor disconnected.
    case exit
    case killed
    case memory
    case requested
    case watchdog
    case other
  }

  private let end: StateFile?
  private let counts: StateFile?

  private static let maximumBytes = 1 << 12

  /// Counts nothing without a runtime directory.
  init(of path: String, in folders: StateFolders) {
    end = folders.passingFile(of: path, "end", maximumBytes: Self.maximumBytes)
    counts = folders.passingFile(of: path, "restarts", maximumBytes: Self.maximumBytes)
  }

  func counted() -> [(cause: String, count: Int)] {
    var all = known
    if let end, let ending = (try? end.read()) ?? nil {
      all[Self.cause(of: String(decoding: ending, as: UTF8.self)), default: 0] += 1
      let lines = all.map { "\($0.key.rawValue) \($0.value)\n" }.sorted()
      // A failure doesn't prevent the start.
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

  /// Parses systemd's words, such as `core-dump SEGV`.
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
