// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import KioskFile
import LinuxIO
import RoundelBeginnings
import RoundelDeclarations
import SystemPackage

extension Beginning: ExpressibleByArgument {
  /// Parses a name or an unambiguous part of one.
  package init?(argument: String) {
    guard let found = Beginning.named(argument) else { return nil }
    self = found
  }

  package static var allValueStrings: [String] { all.map(\.name) }
}

struct New: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Begin a kiosk and its suite from one of six examples.",
    discussion: """
      Writes KIOSK.yaml and KIOSK-suite.yaml. Existing files are left alone.

      \(Beginning.all.map { "  \($0.name.padded(to: 16))\($0.summary)" }.joined(separator: "\n"))

      Examples:
        roundel new lunch.yaml
        roundel new lunch.yaml --from thermostat
        roundel try lunch.yaml
      """)

  @Argument(help: "The kiosk file to create.", completion: .file())
  var kiosk: String

  @Option(
    help: ArgumentHelp(
      "The example (default: asked in a terminal, otherwise empty-grid).", valueName: "example"))
  var from: Beginning?

  func run() throws {
    let suite = try Self.write(kiosk, from: from)
    StandardOutput.write(
      """
      created \(kiosk) and \(suite)
        roundel try \(kiosk)     edit it, and see it change
        roundel test \(suite)    run its tests

      """)
  }

  /// Creates a kiosk and its suite. Returns the path of the suite.
  static func write(_ kiosk: String, from beginning: Beginning?) throws -> String {
    let slash = kiosk.lastIndex(of: "/")
    let folder = slash.map { String(kiosk[...$0]) } ?? ""
    let file = slash.map { String(kiosk[kiosk.index(after: $0)...]) } ?? kiosk
    guard file.hasSuffix(".yaml") || file.hasSuffix(".yml"), !KioskFileName(file).stem.isEmpty
    else {
      throw Failure(
        .usage, "cannot begin a kiosk in \(kiosk.quoted): its name must end in .yaml")
    }
    guard file.utf8.count <= 128,
      file.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 })
    else {
      throw Failure(.usage, "cannot begin a kiosk in \(kiosk.quoted): choose another name")
    }
    let suiteName = (beginning ?? Beginning.all[0]).files(for: file).suiteName
    for path in [kiosk, folder + suiteName] where Folder.hasEntry(path) {
      throw Failure(
        .didNotHold, "cannot begin a kiosk in \(kiosk): \(path) exists; choose another name")
    }
    let files = try (beginning ?? ask()).files(for: file)
    try Files.write(files.kiosk, to: kiosk)
    do throws(Failure) {
      try Files.write(files.suite, to: folder + suiteName)
    } catch {
      Files.remove(kiosk)
      throw error
    }
    return folder + suiteName
  }

  private static func ask() throws -> Beginning {
    guard isatty(0) == 1, isatty(2) == 1 else { return Beginning.all[0] }
    for (number, each) in Beginning.all.enumerated() {
      StandardError.write("  \(number + 1)  \(each.name.padded(to: 16))\(each.summary)\n")
    }
    _ = try? FileDescriptor.standardError.writeAll("Begin from [1]: ".utf8)
    guard let answer = readLine() else { throw Failure(.didNotHold) }
    if answer.isEmpty { return Beginning.all[0] }
    if let number = Int(answer), Beginning.all.indices.contains(number - 1) {
      return Beginning.all[number - 1]
    }
    guard let found = Beginning.named(answer) else {
      throw Failure(
        .usage,
        "no example \(answer.quoted) (expected a number or one of "
          + "\(Beginning.all.map(\.name).joined(separator: ", ")))")
    }
    return found
  }
}

extension String {
  /// The string with spaces up to a width in characters.
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(width - count, 0))
  }
}
