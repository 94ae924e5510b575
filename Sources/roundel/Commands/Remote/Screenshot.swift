// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import JSON
import Remote
import SystemPackage

struct Screenshot: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take a picture of what is on the panel.",
    discussion: """
      A PNG file, turned as the panel is.

      Examples:
        roundel screenshot -o now.png
        roundel screenshot --host lobby --scale 0.5 > now.png
        roundel screenshot --region 400,0,480,480 -o dial.png
      """)

  @Option(name: [.short, .long], help: "The PNG file; else the standard output.")
  var output: String?

  @Option(help: "X,Y,WIDTH,HEIGHT in design pixels: the part of the picture.")
  var region: NumberList?

  @Option(help: "Pixels of the picture for each of the panel.")
  var scale: Double?

  @OptionGroup var kiosk: KioskOptions

  func validate() throws {
    if let region, region.numbers.count != 4 {
      throw ValidationError("--region takes X,Y,WIDTH,HEIGHT.")
    }
  }

  func run() throws {
    guard output != nil || kiosk.json || isatty(1) == 0 else {
      throw Failure(.usage, "a picture is nothing for a terminal; name a file with -o")
    }
    var parameters: [JSONValue.Member] = []
    if let region { parameters.append(.init("region", region.json)) }
    if let scale { parameters.append(.init("scale", .number(scale))) }
    let result = try kiosk.connect().call("screenshot", parameters)
    guard let png = result["png"]?.string.flatMap({ Base64.decode($0) }) else {
      throw Failure(.unavailable, "the kiosk gave no picture")
    }
    if let output {
      try Files.write(png, to: output)
    } else if kiosk.json {
      StandardOutput.write(json: result)
    } else {
      do {
        try FileDescriptor.standardOutput.writeAll(png)
      } catch {
        throw Failure(.didNotHold, "cannot write the picture: \(error)")
      }
    }
  }
}

/// Numbers with commas between them: `640,120`.
struct NumberList: ExpressibleByArgument {
  var numbers: [Double]

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    numbers = parts.compactMap { Double($0) }.filter(\.isFinite)
    guard numbers.count == parts.count else { return nil }
  }

  var json: JSONValue { .array(numbers.map { .number($0) }) }
}
