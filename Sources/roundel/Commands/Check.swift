// SPDX-License-Identifier: MIT

import ArgumentParser
import RoundelDeclarations
import RoundelGeometry
import RoundelJSON
import Kiosk
import KioskFile
import KioskHost
import KioskProtocol
import LinuxIO
import RoundelReview

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Find all errors in kiosk files.",
    discussion: """
      Prints each error with FILE:LINE:COLUMN, and nothing if there are no errors.

      Examples:
        roundel check shop.yaml
        roundel check kiosks/*.yaml
        roundel check --json shop.yaml
        roundel check --files shop.yaml    list its files for copying
        roundel check --set cups=8 --set night=true shop.yaml
        roundel check --size 320x240 shop.yaml
        roundel check --accessible shop.yaml
      """)

  @Argument(help: "Kiosk files.", completion: .file())
  var kiosks: [String]

  @Flag(help: "Print the errors of all files as one JSON array.")
  var json = false

  @Flag(help: "Also print the paths of all files that the kiosks use, one per line.")
  var files = false

  @Flag(
    help: ArgumentHelp(
      "Also report violated clauses of EN 301 549 and ADA §707.",
      discussion: "Prints the clauses that depend on the hardware as a checklist for the builder."))
  var accessible = false

  @Option(
    help:
      "The panel's pixels, for checking that text is legible (default: each size of the design)."
  )
  var size: PixelSize?

  @Option(help: "Set a property or a value first, as NAME=value; may be repeated.")
  var set: [Assignment] = []

  func validate() throws {
    if kiosks.isEmpty { throw ValidationError("Specify a kiosk file.") }
    if json, files { throw ValidationError("--json and --files cannot be combined.") }
  }

  func run() throws {
    var diagnostics: [Diagnostic] = []
    var unread: Failure?
    for kiosk in kiosks {
      do throws(Failure) {
        var readings = try readings(of: kiosk)
        if accessible { review(&readings[0]) }
        diagnostics += readings.flatMap(\.diagnostics)
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
      StandardOutput.write(JSONValue.array(diagnostics.map(\.json)).text + "\n")
    } else {
      for diagnostic in diagnostics { StandardError.write("\(diagnostic)\n") }
    }
    if let unread { throw unread }
    if diagnostics.contains(where: { $0.severity == .error }) { throw Failure(.didNotHold) }
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
    StandardOutput.write("Checklist for the builder of \(description.name):\n")
    for line in list { StandardOutput.write("  \(line)\n") }
  }
}
