// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import JSON
import KioskProtocol
import LinuxIO
import JSONRPC
import Session
import SystemPackage

struct Events: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events",
    abstract: "Print what happens in the running kiosk, one JSON object a line.",
    discussion: """
      Goes on until it is stopped, or the kiosk ends. Where there was more \
      than was read, a line {"event":"lost","count":N} says so.

      Examples:
        roundel events
        roundel events --host lobby | jq 'select(.event == "selected")'
      """)

  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let connection = try kiosk.connect()
    try connection.call(EventsRequest())
    try connection.printNotices(.event)
  }
}

extension KioskConnection {
  /// Prints until the kiosk disconnects.
  func printNotices(_ kind: Notice.Kind) throws(KioskError) {
    client.onNotification = { notification in
      guard let notice = Notice(notification), notice.kind == kind else { return }
      if notice.lost > 0 {
        StandardOutput.write("{\"event\":\"lost\",\"count\":\(notice.lost)}\n")
      }
      if let line = notice.line { StandardOutput.write(line.text + "\n") }
    }
    do throws(ClientError) {
      try client.listen()
    } catch {
      throw self.error(error)
    }
    throw error(.wentAway)
  }
}

struct Record: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record what is done with the running kiosk.",
    discussion: """
      Each touch, shake and command is a line, as replay and touch read them; a touch \
      with the time at which the touch panel reported it. Ctrl+C ends the recording.

      Examples:
        roundel record -o taps.jsonl
        roundel record --host lobby -o taps.jsonl && roundel replay shop.yaml taps.jsonl
      """)

  @Option(name: [.short, .long], help: "The file to write; else the standard output.")
  var output: String?

  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    // The last line of a recording needs the connection after Ctrl+C.
    let connection = try kiosk.connect(outlivingInterrupt: true)
    let file: FileDescriptor
    do throws(Errno) {
      file = try output.map(Self.create) ?? .standardOutput
    } catch {
      throw Failure(error, "cannot write \(output ?? "the standard output")")
    }
    func write(_ line: SessionLine) {
      do {
        try file.writeAll((line.text + "\n").utf8)
      } catch {
        // The reader has disconnected, or the disk is full.
        Failure(.didNotHold, "the recording cannot be written: \(error)").report()
        Glibc.exit(Failure.Code.didNotHold.rawValue)
      }
    }
    connection.client.onNotification = { notification in
      guard let notice = Notice(notification), notice.kind == .touch, let line = notice.line else {
        return
      }
      if notice.lost > 0 {
        StandardError.write(
          "roundel: \(notice.lost) touches were lost; this side reads too slowly\n")
      }
      write(line)
    }
    do {
      let loop = try EventLoop()
      let signals = try SignalWatch([.interrupt, .terminate], on: loop) { _ in loop.stop() }
      try connection.call(RecordRequest())
      var isGone = false
      let answers = try loop.watch(connection.client.descriptor) { _ in
        guard (try? connection.client.dispatch()) == true else {
          isGone = true
          loop.stop()
          return
        }
      }
      try withExtendedLifetime((signals, answers)) { try loop.run() }
      if isGone { throw connection.error(.wentAway) }
      let end = try connection.call(RecordRequest { $0.on = false }).time
      if let line = SessionLine(.object([.init("t", .number(end)), .init("end", .bool(true))])) {
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
