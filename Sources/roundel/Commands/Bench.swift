// SPDX-License-Identifier: MIT

import ArgumentParser
import RoundelDiagnosis
import RoundelGeometry
import RoundelJSON
import RoundelPresentation
import RoundelRaster
import RoundelRuntime

struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure how fast this machine paints a kiosk's first page.",
    discussion: """
      Paints the page to a panel in memory. Drags across each control, taps it and its \
      items, and changes the numbers of gauges and charts. Prints the processor time per \
      frame: the median, and the range from the 5th to the 95th percentile. A memset and a \
      copy of the same number of bytes serve as a comparison. Motion repaints the changes of \
      one frame, and frame the changes of two, as on a panel with two buffers. Slide and fade \
      are frames of a transition from the first page to the second, whichever transition the \
      kiosk uses. The first of them also paints the outgoing page. Compare numbers of one run \
      only, because they depend on the machine and its load.

      Examples:
        roundel bench shop.yaml
        roundel bench shop.yaml --size 3840x2160 --frames 1000
        roundel bench shop.yaml --json
      """)

  @Argument(help: "The kiosk file.", completion: .file())
  var kiosk: String

  @Option(help: "The panel's pixels, at most 7680x4320 (default: the design size).")
  var size: PixelSize?

  @Option(help: "The number of frames per measurement, 1 … 100000.")
  var frames = 300

  @Option(
    help: ArgumentHelp(
      "The number of painting threads, 1 … 64.",
      discussion: "With more than one thread, the results are elapsed time, not processor time."
    ))
  var threads = ThreadCount(1)

  @Flag(help: "Print one JSON object instead of the table.")
  var json = false

  func validate() throws {
    guard (1...100_000).contains(frames) else {
      throw ValidationError("--frames must be between 1 and 100000.")
    }
  }

  func run() throws {
    var content = try Content(kioskFile: kiosk, panel: size)
    if threads.value > 1 { content.threads = ThreadPool(width: threads.value) }
    let rotation = content.rotation(nil)
    let panel = size ?? content.designPanel(rotation)
    let report = try BenchReport(content, panel: panel, rotation: rotation, frames: frames)
    StandardOutput.write(json ? report.json.text + "\n" : report.table)
  }
}
