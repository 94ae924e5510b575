// SPDX-License-Identifier: MIT

import FrameLaw
import Glibc

/// `engine-fuzz [STEPS [SEED]]` operates random kiosks at random and checks invariants after each
/// step. It stops at the first violation, and prints the number of the session. `engine-fuzz
/// --session NUMBER` repeats that session, and prints each step. `--file-session NUMBER` repeats a
/// session of a kiosk file with random keys.
///
/// `engine-fuzz --frames [STEPS [SEED]]` runs random kiosks through the whole frame cycle on simulated displays, and
/// compares each frame with the replay. A step is a wake-up. `--frame-session NUMBER` repeats one session.
@main
struct EngineFuzz {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "--session", let number = arguments.dropFirst().first.flatMap(UInt64.init)
    {
      var session = Session(number: number, isVerbose: true)
      finish(session.run(), number)
      print("the session holds")
      return
    }
    if arguments.first == "--file-session",
      let number = arguments.dropFirst().first.flatMap(UInt64.init)
    {
      var session = FileSession(number: number, isVerbose: true)
      finish(session.run(), number, of: "--file-session")
      print("the session holds")
      return
    }
    if arguments.first == "--frame-session",
      let number = arguments.dropFirst().first.flatMap(UInt64.init)
    {
      var session = FrameSession(number: number, isVerbose: true)
      finish(session.run(), number, of: "--frame-session")
      print("the session holds")
      return
    }
    if arguments.first == "--frames" { return runFrames(arguments.dropFirst()) }
    let steps = arguments.first.flatMap(Int.init) ?? 1_000_000
    var number = arguments.dropFirst().first.flatMap(UInt64.init) ?? 1
    reportTraps()
    var done = 0
    var totals = Totals()
    while done < steps {
      // There is no other thread.
      unsafe current = number
      var session = Session(number: number)
      finish(session.run(), number)
      totals.add(session.totals)
      done += Session.length
      if number % 4 == 0 {
        var session = FileSession(number: number)
        finish(session.run(), number, of: "--file-session")
        done += FileSession.length
      }
      number += 1
    }
    print("\(done) steps in \(totals.sessions) kiosks, every one held:")
    for (name, count) in totals.counts.sorted(by: { $0.key < $1.key }) {
      print("  \(name) \(count)")
    }
  }

  private static func runFrames(_ arguments: ArraySlice<String>) {
    let steps = arguments.first.flatMap(Int.init) ?? 1_000_000
    var number = arguments.dropFirst().first.flatMap(UInt64.init) ?? 1
    reportTraps()
    var totals = LiveRun.Counts()
    var sessions = 0
    while totals.wakeUps < steps {
      // There is no other thread.
      unsafe current = number
      var session = FrameSession(number: number)
      finish(session.run(), number, of: "--frame-session")
      totals.wakeUps += session.counts.wakeUps
      totals.frames += session.counts.frames
      totals.inputs += session.counts.inputs
      sessions += 1
      number += 1
    }
    print(
      "\(totals.wakeUps) wake-ups for \(totals.frames) frames and \(totals.inputs) inputs in "
        + "\(sessions) kiosks, each frame as replayed")
  }

  private static func finish(
    _ violation: String?, _ number: UInt64, of option: String = "--session"
  ) {
    guard let violation else { return }
    print("session \(number): \(violation)")
    print("repeat it with: engine-fuzz \(option) \(number)")
    exit(1)
  }
}

/// The number of the current session, for reports of crashes.
private nonisolated(unsafe) var current: UInt64 = 0

/// Makes traps print the number of the session.
private func reportTraps() {
  for trap in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE] {
    _ = signal(trap) { _ in
      var digits: [UInt8] = []
      var rest = unsafe current
      repeat {
        digits.insert(UInt8(48 + rest % 10), at: 0)
        rest /= 10
      } while rest > 0
      let line = Array("trapped in engine-fuzz --session ".utf8) + digits + [10]
      _ = unsafe write(2, line, line.count)
      _exit(1)
    }
  }
}

/// The totals of a run.
struct Totals {
  var sessions = 0
  /// The number of events by name.
  var counts: [String: Int] = [:]

  mutating func add(_ other: Totals) {
    sessions += other.sessions
    counts.merge(other.counts, uniquingKeysWith: +)
  }
}
