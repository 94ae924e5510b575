// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import JSON
import LinuxIO
import Remote
import Session
import SystemPackage

struct Events: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print what happens in the running kiosk, one JSON object a line.",
    discussion: """
      Goes on until it is stopped, or the kiosk ends. Where the kiosk had more to
      tell than was read, a line {"event":"lost","count":N} says so.

      Examples:
        roundel events
        roundel events --host lobby | jq 'select(.event == "selected")'
      """)

  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    try kiosk.connect().printNotifications("event") { try $0.call("events") }
  }
}

extension KioskConnection {
  /// Prints notifications of a method, one a line, until the kiosk has gone.
  func printNotifications(
    _ method: String, _ subscribe: (KioskConnection) throws -> Void
  ) throws {
    client.onNotification = { notification in
      guard notification.method == method, let members = notification.parameters else { return }
      if let lost = members["lost"]?.integer {
        StandardOutput.write("{\"event\":\"lost\",\"count\":\(lost)}\n")
      }
      if var line = SessionLine(members) {
        line.members.removeAll { $0.name == "lost" }
        StandardOutput.write(line.text + "\n")
      }
    }
    try subscribe(self)
    do throws(ClientError) {
      try client.listen()
    } catch {
      throw failure(error)
    }
    throw failure(.wentAway)
  }
}

struct Record: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Record what is done with the running kiosk.",
    discussion: """
      Each touch, shake and command is a line, as replay and touch read them; a touch
      with the time at which the touch panel reported it. Ctrl+C ends the recording.

      Examples:
        roundel record -o taps.jsonl
        roundel record --host lobby -o taps.jsonl && roundel replay shop.yaml taps.jsonl
      """)

  @Option(name: [.short, .long], help: "The file to write; else the standard output.")
  var output: String?

  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let connection = try kiosk.connect()
    let file: FileDescriptor
    do throws(Errno) {
      file = try output.map(Self.create) ?? .standardOutput
    } catch {
      throw Failure(
        error == .permissionDenied ? .permission : .didNotHold,
        "cannot write \(output ?? "the standard output"): \(error)")
    }
    func write(_ line: SessionLine) {
      do {
        try file.writeAll((line.text + "\n").utf8)
      } catch {
        // Nobody reads any more, or nothing has room any more.
        Failure(.didNotHold, "the recording cannot be written: \(error)").report()
        Glibc.exit(Failure.Code.didNotHold.rawValue)
      }
    }
    connection.client.onNotification = { notification in
      guard notification.method == "touch", let touch = notification.parameters,
        var line = SessionLine(touch)
      else { return }
      if let lost = touch["lost"]?.integer {
        StandardError.write("roundel: \(lost) touches were lost; this side reads too slowly\n")
        line.members.removeAll { $0.name == "lost" }
      }
      write(line)
    }
    do {
      let loop = try EventLoop()
      let signals = try SignalWatch([.interrupt, .terminate], on: loop) { _ in loop.stop() }
      try connection.call("record")
      var isGone = false
      let answers = try loop.watch(connection.client.descriptor) { _ in
        guard (try? connection.client.dispatch()) == true else {
          isGone = true
          loop.stop()
          return
        }
      }
      try withExtendedLifetime((signals, answers)) { try loop.run() }
      if isGone { throw connection.failure(.wentAway) }
      let end = try connection.call("record", [.init("on", .bool(false))])["t"] ?? .number(0)
      if let line = SessionLine(.object([.init("t", end), .init("end", .bool(true))])) {
        write(line)
      }
    } catch let error as Errno {
      throw Failure(.unavailable, "cannot wait for touches: \(error)")
    }
  }

  private static func create(_ path: String) throws(Errno) -> FileDescriptor {
    do {
      return try FileDescriptor.open(
        FilePath(path), .writeOnly, options: [.create, .truncate],
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}
