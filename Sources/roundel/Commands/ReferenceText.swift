// SPDX-License-Identifier: MIT

import ArgumentParser
import KioskFile
import YAML

struct ReferenceText: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reference",
    abstract: "Print the reference of kiosk files: controls, keys, events, actions, expressions.",
    discussion: """
      Examples:
        roundel reference dial
        roundel reference | less
      """)

  @Argument(help: "A control's type, or kiosk, actions or expressions; everything without one.")
  var kind: String?

  func run() throws(Failure) {
    guard let kind else {
      StandardOutput.write(KioskReference.text)
      return
    }
    let sections = KioskReference.sections
    guard let section = sections.first(where: { $0.name == kind }) else {
      let names = sections.map(\.name)
      throw Failure(
        .usage, "no section is called \(kind.quoted); there are \(names.joined(separator: ", "))")
    }
    StandardOutput.write(section.text)
  }
}
