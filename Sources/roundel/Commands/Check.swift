// SPDX-License-Identifier: MIT

import ArgumentParser
import Declarations
import Geometry
import JSON
import Kiosk
import KioskFile
import KioskHost
import KioskProtocol
import LinuxIO
import Review

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Find every mistake in kiosk files.",
    discussion: """
      Prints each mistake as FILE:LINE:COLUMN, and nothing where there are none.

      Examples:
        roundel check shop.yaml
        roundel check kiosks/*.yaml
        roundel check --json shop.yaml
        roundel check --files shop.yaml    what to copy with it
        roundel check --set cups=8 --set night=true shop.yaml
        roundel check --size 320x240 shop.yaml
        roundel check --accessible shop.yaml
      """)

  @Argument(help: "Kiosk files.", completion: .file())
  var kiosks: [String]

  @Flag(help: "One JSON array with the mistakes of all files.")
  var json = false

  @Flag(help: "Print the files that the kiosks are made of, one a line, beside the mistakes.")
  var files = false

  @Flag(
    help: ArgumentHelp(
      "Also find the clauses of EN 301 549 and of ADA §707 that a kiosk misses.",
      discussion: "What no file tells is printed as a list for the builder."))
  var accessible = false

  @Option(
    help:
      "The pixels of the panel on which texts should be readable (default: each size of the design)."
  )
  var size: PixelSize?

  @Option(help: "Sets NAME=value first, a property or a value; may be repeated.")
  var set: [Assignment] = []

  func validate() throws {
    if kiosks.isEmpty { throw ValidationError("Name a kiosk file.") }
    if json, files { throw ValidationError("--json and --files exclude each other.") }
  }

  func run() throws {
    var mistakes: [Mistake] = []
    var unread: Failure?
    for kiosk in kiosks {
      do throws(Failure) {
        var readings = try readings(of: kiosk)
        if accessible { review(&readings[0]) }
        mistakes += readings.flatMap(\.mistakes)
        if files {
          let files = ParsedKiosk.parts(of: readings, at: kiosk)
          StandardOutput.write(files.map { $0 + "\n" }.joined())
        }
      } catch {
        // Check the other files anyway.
        error.report()
        unread = Failure(error.code)
      }
    }
    if json {
      StandardOutput.write(JSONValue.array(mistakes.map(\.json)).text + "\n")
    } else {
      for mistake in mistakes { StandardError.write("\(mistake)\n") }
    }
    if let unread { throw unread }
    if mistakes.contains(where: { $0.severity == .error }) { throw Failure(.didNotHold) }
  }

  private func readings(of kiosk: String) throws(Failure) -> [ParsedKiosk] {
    guard let size else {
      return try ParsedKiosk.all(kioskFile: kiosk, settings: set)
    }
    return [
      try ParsedKiosk(kioskFile: kiosk, assets: Assets(), settings: set, panel: size)
    ]
  }

  /// Prints a checklist for the kiosk's author.
  private func review(_ reading: inout ParsedKiosk) {
    reading.reviewAccessibility()
    guard let description = reading.description, !json, !files else { return }
    let list = Accessibility.builderList(
      description, hasDiagonal: reading.pixelsPerMillimeter != nil)
    StandardOutput.write("\(description.name), for its builder:\n")
    for line in list { StandardOutput.write("  \(line)\n") }
  }
}
