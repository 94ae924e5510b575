// SPDX-License-Identifier: MIT

import ArgumentParser
import Diagnosis
import Geometry
import JSON
import Presentation
import Raster
import Runtime

struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Time a kiosk's first page on this machine.",
    discussion: """
      Paints the page to a panel in memory, drags a finger across each control \
      and taps it, presses its items, gives gauges and charts other numbers, and \
      says how much processor time a frame takes: the median, and between what nine of ten lie, beside a memset \
      and a copy of as many bytes in the same run. Motion paints what a frame \
      changes; a frame of a panel with two buffers, what the last two change. Slide \
      and fade are frames of a change from the first page to the second, whatever \
      the kiosk has; the first of them paints the page that goes, too. \
      Compare within one run only: another machine, or a busy one, changes every \
      figure.

      Examples:
        roundel bench shop.yaml
        roundel bench shop.yaml --size 3840x2160 --frames 1000
        roundel bench shop.yaml --json
      """)

  @Argument(help: "The kiosk file.", completion: .file())
  var kiosk: String

  @Option(help: "The panel's pixels, at most 7680x4320 (default: the design size).")
  var size: PixelSize?

  @Option(help: "How many frames each figure is the median of, 1 … 100000.")
  var frames = 300

  @Option(
    help: ArgumentHelp(
      "How many threads paint, 1 … 64.",
      discussion: "With more than one the figures are not processor time, but the time that passes."
    ))
  var threads = ThreadCount(1)

  @Flag(help: "One JSON object instead of the table.")
  var json = false

  func validate() throws {
    guard (1...100_000).contains(frames) else {
      throw ValidationError("--frames takes 1 … 100000.")
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
