// SPDX-License-Identifier: MIT

import ArgumentParser
import RoundelGeometry
import Glibc
import RoundelJSON
import KioskHost
import KioskProtocol
import LinuxIO
import JSONRPC
import SystemPackage

struct Screenshot: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "screenshot",
    abstract: "Take a screenshot of the panel.",
    discussion: """
      Writes a PNG file with the panel's rotation.

      Examples:
        roundel screenshot -o now.png
        roundel screenshot --host lobby --scale 0.5 > now.png
        roundel screenshot --region 400,0,480,480 -o dial.png
      """)

  @Option(name: [.short, .long], help: "The PNG file (default: the standard output).")
  var output: String?

  @Option(help: "The part of the picture, as X,Y,WIDTH,HEIGHT in design pixels.")
  var region: NumberList?

  @Option(help: "The scale of the screenshot relative to the panel.")
  var scale = 1.0

  @OptionGroup var kiosk: KioskOptions

  func validate() throws {
    if let region, region.numbers.count != 4 {
      throw ValidationError("--region must be X,Y,WIDTH,HEIGHT.")
    }
    guard scale.isFinite else { throw ValidationError("--scale must be a number.") }
  }

  func run() throws {
    guard output != nil || kiosk.json || isatty(1) == 0 else {
      throw Failure(.usage, "cannot print a screenshot to a terminal; specify a file with -o")
    }
    let request = ScreenshotRequest {
      $0.region = region.map {
        Rect(origin: Point($0.numbers[0], $0.numbers[1]), size: Size($0.numbers[2], $0.numbers[3]))
      }
      $0.scale = scale
    }
    let (answer, json) = try kiosk.connect().ask(request)
    if let output {
      try Files.write(answer.png, to: output)
    } else if kiosk.json {
      StandardOutput.write(json: json)
    } else {
      do {
        try FileDescriptor.standardOutput.writeAll(answer.png)
      } catch {
        throw Failure(.didNotHold, "cannot write the screenshot: \(error)")
      }
    }
  }
}
