// SPDX-License-Identifier: MIT

import Foundation
import Painting
import SystemFonts

/// `paint-fuzz [SESSIONS [NUMBER]]` paints random kiosks on random panels with random recordings,
/// starting at a session number. A build with AddressSanitizer ends at the first invalid access.
/// The number of each session is printed before it starts; `paint-fuzz --session NUMBER` repeats
/// it, and prints its kiosk file and recording first.
///
/// `paint-fuzz --files ROUNDS FILE…` reads randomly damaged pictures, sounds, fonts, kiosk files,
/// suites, recordings and JSON.
@main
struct PaintFuzz {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "--files", let rounds = arguments.dropFirst().first.flatMap({ Int($0) }) {
      try readFiles(Array(arguments.dropFirst(2)), rounds)
      return
    }
    let font = try FontFile.read(try SystemFonts().file(for: "sans-serif").path)
    if arguments.first == "--session", let number = arguments.dropFirst().first.flatMap(UInt64.init)
    {
      var session = PaintSession(number: number, font: font)
      print(session.description)
      fflush(nil)
      print(try session.run() ?? "held")
      return
    }
    let count = arguments.first.flatMap(UInt64.init) ?? 500
    let first = arguments.dropFirst().first.flatMap(UInt64.init) ?? 1
    for number in first..<first + count {
      // If a session crashes, its number has been printed.
      FileHandle.standardError.write(Data("\rsession \(number) ".utf8))
      var session = PaintSession(number: number, font: font)
      if let violation = try session.run() {
        print("\(violation)\nrepeat it with: paint-fuzz --session \(number)")
        exit(1)
      }
    }
    print("\rpainted \(count) random kiosks, and every one held")
  }

  private static func readFiles(_ names: [String], _ rounds: Int) throws {
    for (number, name) in names.enumerated() {
      let file = SpoiledFile(Array(try Data(contentsOf: URL(filePath: name))), name: name)
      print(name, terminator: " ")
      fflush(nil)
      guard let read = file.read(rounds, seed: UInt64(number)) else {
        print("is of no kind that a kiosk reads")
        exit(64)
      }
      print("\(read) of \(rounds) could still be read")
    }
  }
}
