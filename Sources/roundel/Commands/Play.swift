// SPDX-License-Identifier: MIT

import ArgumentParser
import RoundelDrawing
import RoundelGeometry
import Kiosk
import KioskHost
import LinuxIO
import RoundelMotion
import RoundelPresentation
import RoundelRaster
import RoundelRuntime
import RoundelSession

struct Play: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Play a recording to a kiosk on a virtual clock, as fast as possible.",
    discussion: """
      Prints the events and the answers to the recording's questions, one JSON object per \
      line. The same input gives the same output, to the byte, on every machine. Exits with 1 \
      if the recording reads or sets something that the kiosk doesn't have. The other lines \
      are played anyway.

      Examples:
        roundel replay shop.yaml taps.jsonl
        roundel replay shop.yaml taps.jsonl --shots pictures --size 800x480
        some-generator | roundel replay shop.yaml -
      """)

  @Argument(help: "The kiosk file.", completion: .file())
  var kiosk: String

  @Argument(help: "The recording; - is the standard input.", completion: .file())
  var recording: String

  @Option(help: "The folder for the recording's screenshots (default: no screenshots).")
  var shots: String?

  @Option(help: "The panel's pixels, at most 7680x4320 (default: the design size).")
  var size: PixelSize?

  @OptionGroup var options: PictureOptions

  @Option(help: "The random seed.")
  var seed: UInt64 = 0

  @Option(help: "Frames per second during motion. Has no effect on the results.")
  var fps: Double = 60

  func validate() throws {
    guard fps >= 1, fps <= 10_000 else {
      throw ValidationError("--fps must be between 1 and 10000.")
    }
  }

  func run() throws {
    let text = try Files.read(recording, .recording)
    let session: Recording
    do throws(Recording.ParseError) {
      session = try Recording(text, path: recording)
    } catch {
      throw Failure(.badFile, "\(error)")
    }
    // The recording's positions refer to the recorded layout.
    let recorded = session.size.map { PixelSize(nearest: $0) }
    let content = try Content(kioskFile: kiosk, panel: recorded, rotation: Rotation.none)
    let stage = Stage(content, seed: seed)
    let display = HeadlessDisplay(
      of: content, size: size, rotation: options.rotate, depth: options.depth)
    if let shots { try Files.makeFolder(shots) }
    // Shots include partial repaints.
    let replay = Replay(session, on: stage, framesPerSecond: shots == nil ? nil : fps)
    var isRefused = false
    try replay.run { outcome in
      switch outcome {
      case .line(let line): StandardOutput.write(line.text + "\n")
      case .shot(let name):
        guard let shots else { return }
        try stage.show(on: display)
        try Files.write(PNG.encode(display.panel), to: "\(shots)/\(name)", isDurable: false)
      case .frame: try stage.show(on: display)
      case .refusal(let reason, let time):
        isRefused = true
        Failure(.didNotHold, "\(recording): at \(time.seconds) s: \(reason)").report()
      }
    }
    if isRefused { throw Failure(.didNotHold) }
  }
}
