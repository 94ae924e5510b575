// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import RoundelJSON
import KioskProtocol
import LinuxIO
import JSONRPC
import RoundelSession
import SystemPackage

struct Events: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events",
    abstract: "Print the running kiosk's events, one JSON object per line.",
    discussion: """
      Runs until interrupted, or until the kiosk exits. If the reader is too slow, the line \
      {"event":"lost","count":N} reports the number of dropped lines.

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
    throw error(.disconnected)
  }
}

struct Record: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record the running kiosk's touches, shakes and commands.",
    discussion: """
      Writes a line for each, which replay and touch can play. A touch has the touchscreen's \
      time stamp. Ctrl+C ends the recording.

      Examples:
        roundel record -o taps.jsonl
        roundel record --host lobby -o taps.jsonl && roundel replay shop.yaml taps.jsonl
      """)

  @Option(name: [.short, .long], help: "The file to write (default: the standard output).")
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
        Failure(.didNotHold, "cannot write the recording: \(error)").report()
        Glibc.exit(Failure.Code.didNotHold.rawValue)
      }
    }
    connection.client.onNotification = { notification in
      guard let notice = Notice(notification), notice.kind == .touch, let line = notice.line else {
        return
      }
      if notice.lost > 0 {
        StandardError.write(
          "roundel: lost \(notice.lost) touches: this side reads too slowly\n")
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
      if isGone { throw connection.error(.disconnected) }
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
