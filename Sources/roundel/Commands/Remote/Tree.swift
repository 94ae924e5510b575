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
        roundel tree --properties
        roundel tree --json | jq '.pages[].controls[].id'
      """)

  @Flag(help: "List all properties, those of items and what the file says included.")
  var properties = false

  @OptionGroup var kiosk: KioskOptions

  func run() throws {
    let tree = try kiosk.connect().call("tree", [.init("properties", .bool(properties))])
    guard !kiosk.json else {
      StandardOutput.write(json: tree)
      return
    }
    if let language = tree["language"] {
      StandardOutput.write("language=\(language.text)".printable + "\n")
    }
    if case .object(let values)? = tree["values"] {
      for value in values {
        StandardOutput.write("\(value.name)=\(value.value.text)".printable + "\n")
      }
    }
    if tree["incomplete"]?.bool == true {
      StandardError.write("roundel: the kiosk has more properties than one answer holds\n")
    }
    for page in tree["pages"].elements {
      let isShown = page["shown"]?.bool == true
      StandardOutput.write("\(page["page"].words.printable)\(isShown ? " (shown)" : "")\n")
      for control in page["controls"].elements {
        StandardOutput.write(Self.text(of: control, eachOnItsLine: properties))
      }
    }
  }

  private static func text(of control: JSONValue, eachOnItsLine: Bool) -> String {
    var text = "  \(control["kind"].words) \(control["id"].words)\(place(control))"
    if control["visible"]?.bool == false { text += " hidden" }
    if control["enabled"]?.bool == false { text += " disabled" }
    if control["moving"]?.bool == true { text += " moving" }
    var lines = ""
    if case .object(let properties)? = control["properties"] {
      for property in properties {
        let assignment = "\(property.name)=\(property.value.text)"
        if eachOnItsLine {
          lines += "    \(control["id"].words).\(assignment)".printable + "\n"
        } else {
          text += " \(assignment)"
        }
      }
    }
    text = text.printable + "\n" + lines
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
