// SPDX-License-Identifier: MIT

package import KioskFile
internal import KioskProtocol
internal import RoundelSession
internal import RoundelSuites

/// The reference of kiosk files, recordings, suites and requests, generated from the readers' declarations.
package enum Manual {
  package typealias Section = KioskReference.Section

  package static var sections: [Section] {
    KioskReference.sections + [
      Section("recordings", RecordingReference.text), Section("suites", SuiteReference.text),
      Section("socket", SocketReference.text),
    ]
  }

  /// All sections under one title, with pictures, for deploy/reference.md.
  package static var text: String {
    "# Reference\n\n" + introduction + contents + sections.map(illustrated).joined(separator: "\n")
  }

  private static let introduction = """
    Keys marked `{…}` also accept a template, such as `"{cups > 0}"`, and follow it. They are properties for
    `roundel get`, `set` and `watch`: CONTROL.KEY, or CONTROL.ITEM.KEY for an item. Lengths are in design
    pixels, angles in degrees clockwise from 12 o'clock, and times in seconds. `roundel reference NAME`
    prints one section. The examples belong in a page's `controls`. The images show them on a screen of
    480 by 320.

    """

  private static var contents: String {
    "\nSections: " + sections.map { "[\($0.name)](#\($0.name))" }.joined(separator: ", ") + ".\n\n"
  }

  /// Returns a section with its picture before its example.
  private static func illustrated(_ section: Section) -> String {
    guard section.hasPicture, let example = section.text.firstRange(of: "```yaml") else {
      return section.text
    }
    var text = section.text
    text.insert(
      contentsOf: "![\(section.name)](manual/pictures/\(section.name).png)\n\n",
      at: example.lowerBound)
    return text
  }
}
