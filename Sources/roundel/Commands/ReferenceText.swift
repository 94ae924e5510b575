// SPDX-License-Identifier: MIT

import ArgumentParser
import RoundelDeclarations
import KioskFile
import LinuxIO
import RoundelManual

struct ReferenceText: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reference",
    abstract:
      "Print the reference: kiosk files, controls, expressions, speech, recordings, suites, the socket.",
    discussion: """
      Without a name, prints everything as a Markdown file with links to images of the controls. \
      This file is deploy/reference.md.

      Examples:
        roundel reference dial
        roundel reference socket | less
        roundel reference > reference.md
      """)

  @Argument(
    help:
      "A control's type, or kiosk, events, actions, expressions, formats, speech, recordings, suites or socket.",
    completion: .custom { _, _, _ in Manual.sections.map(\.name) })
  var kind: String?

  func run() throws(Failure) {
    guard let kind else {
      StandardOutput.write(Manual.text)
      return
    }
    let sections = Manual.sections
    guard let section = sections.first(where: { $0.name == kind }) else {
      let names = sections.map(\.name)
      throw Failure(
        .usage, "no section \(kind.quoted) (expected one of \(names.joined(separator: ", ")))")
    }
    StandardOutput.write(section.text)
  }
}
