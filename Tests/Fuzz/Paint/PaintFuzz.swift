// SPDX-License-Identifier: MIT

import Foundation
import Painting
import SystemFonts

/// `paint-fuzz [SESSIONS [NUMBER]]` paints random kiosks on random panels, from a session's number on.
/// Built with AddressSanitizer it ends at the first access outside of memory. The number of the session
/// said before it; `paint-fuzz --session NUMBER` repeats it, and prints its file first.
///
/// `paint-fuzz --files ROUNDS FILE…` reads pictures, sounds, kiosk files and JSON, spoiled at random.
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
      print(try session.run())
      return
    }
    let count = arguments.first.flatMap(UInt64.init) ?? 500
    let first = arguments.dropFirst().first.flatMap(UInt64.init) ?? 1
    var painted = 0
    for number in first..<first + count {
      // Where a session ends the program, its number has been said.
      FileHandle.standardError.write(Data("\rsession \(number) ".utf8))
      var session = PaintSession(number: number, font: font)
      switch try session.run() {
      case .refused: break
      case .held: painted += 1
      case .violated(let what):
        print("\(what)\nrepeat it with: paint-fuzz --session \(number)")
        exit(1)
      }
    }
    print("\rpainted \(painted) of \(count) random kiosks, and every one held")
    exit(painted > 0 ? 0 : 1)
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
