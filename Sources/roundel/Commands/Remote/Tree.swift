// SPDX-License-Identifier: MIT

import ArgumentParser
import JSON

struct Tree: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tell of all controls: names, kinds, places and state.",
    discussion: """
      The names are those that tap, drag, get, set and wait take. Places are in
      design pixels; what is not to be seen has none.

      Examples:
        roundel tree
        roundel tree --json | jq '.pages[].controls[].id'
      """)

  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let tree = try kiosk.connect().call("tree")
    guard !kiosk.json else {
      StandardOutput.write(json: tree)
      return
    }
    for page in tree["pages"].elements {
      let isShown = page["shown"]?.bool == true
      StandardOutput.write("\(page["page"].words.printable)\(isShown ? " (shown)" : "")\n")
      for control in page["controls"].elements { StandardOutput.write(Self.text(of: control)) }
    }
  }

  private static func text(of control: JSONValue) -> String {
    var text = "  \(control["kind"].words) \(control["id"].words)\(place(control))"
    if control["visible"]?.bool == false { text += " hidden" }
    if control["enabled"]?.bool == false { text += " disabled" }
    if control["moving"]?.bool == true { text += " moving" }
    if case .object(let properties)? = control["properties"] {
      for property in properties { text += " \(property.name)=\(property.value.text)" }
    }
    text = text.printable + "\n"
    for item in control["items"].elements {
      let isEnabled = item["enabled"]?.bool != false
      text +=
        "    /\(item["id"].words)\(place(item))\(isEnabled ? "" : " disabled")".printable + "\n"
    }
    return text
  }

  private static func place(_ json: JSONValue) -> String {
    let place = json["at"].elements
    return place.count == 2 ? " at \(place[0].text),\(place[1].text)" : ""
  }
}

extension JSONValue? {
  var elements: [JSONValue] {
    if case .array(let values)? = self { values } else { [] }
  }

  var words: String { self?.words ?? "" }
}
