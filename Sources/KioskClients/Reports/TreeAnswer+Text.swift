// SPDX-License-Identifier: MIT

internal import RoundelGeometry
internal import RoundelJSON
package import KioskProtocol

extension TreeAnswer {
  /// Returns values, then controls, one per line. With `eachOnItsLine`, each property has its own
  /// line.
  package func text(eachOnItsLine: Bool) -> String {
    var text = language.map { "language=\(JSONValue.string($0).text)".printable + "\n" } ?? ""
    for value in values { text += "\(value.name)=\(value.value.text)".printable + "\n" }
    for page in pages {
      text += "\(page.name.printable)\(page.isShown ? " (shown)" : "")\n"
      for control in page.controls {
        text += self.text(of: control, eachOnItsLine: eachOnItsLine)
      }
    }
    return text
  }

  private func text(of control: TreeAnswer.Control, eachOnItsLine: Bool) -> String {
    var text = "  \(control.kind) \(control.id)\(Self.words(control.place))"
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
      let line = "    /\(item.id)\(Self.words(item.place))\(item.isEnabled ? "" : " disabled")"
      text += line.printable + "\n"
    }
    return text
  }

  private static func words(_ place: Point?) -> String {
    guard let place else { return "" }
    return " at \(JSONValue.number(place.x).text),\(JSONValue.number(place.y).text)"
  }
}
