// SPDX-License-Identifier: MIT

import ArgumentParser
import Geometry
import JSON
import KioskProtocol
import Remote

struct Tree: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List all controls: names, kinds, places and state.",
    discussion: """
      The names are those that tap, drag, get, set and wait take. Places are in
      design pixels; what is not to be seen has none.

      Examples:
        roundel tree
        roundel tree --properties
        roundel tree --json | jq '.pages[].controls[].id'
      """)

  @Flag(help: "List all properties, those of items and what the file says included.")
  var properties = false

  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let tree = try kiosk.call(TreeRequest { $0.properties = properties })
    guard !kiosk.json else { return }
    if let language = tree.language {
      StandardOutput.write("language=\(JSONValue.string(language).text)".printable + "\n")
    }
    for value in tree.values {
      StandardOutput.write("\(value.name)=\(value.value.text)".printable + "\n")
    }
    if tree.isIncomplete {
      StandardError.write("roundel: the kiosk has more properties than one answer holds\n")
    }
    for page in tree.pages {
      StandardOutput.write("\(page.name.printable)\(page.isShown ? " (shown)" : "")\n")
      for control in page.controls {
        StandardOutput.write(Self.text(of: control, eachOnItsLine: properties))
      }
    }
  }

  private static func text(of control: TreeAnswer.Control, eachOnItsLine: Bool) -> String {
    var text = "  \(control.kind) \(control.id)\(words(control.place))"
    if !control.isVisible { text += " hidden" }
    if !control.isEnabled { text += " disabled" }
    if control.isMoving { text += " moving" }
    var lines = ""
    for property in control.properties {
      let assignment = "\(property.name)=\(property.value.text)"
      if eachOnItsLine {
        lines += "    \(control.id).\(assignment)".printable + "\n"
      } else {
        text += " \(assignment)"
      }
    }
    text = text.printable + "\n" + lines
    for item in control.items {
      let line = "    /\(item.id)\(words(item.place))\(item.isEnabled ? "" : " disabled")"
      text += line.printable + "\n"
    }
    return text
  }

  private static func words(_ place: Point?) -> String {
    guard let place else { return "" }
    return " at \(JSONValue.number(place.x).text),\(JSONValue.number(place.y).text)"
  }
}
