// SPDX-License-Identifier: MIT

internal import RoundelControls
internal import RoundelExpressions
internal import RoundelJSON
internal import Kiosk
internal import RoundelSession

extension Double {
  /// The number without a trailing `.0`.
  var words: String { Value.number(self).display }
}

extension SessionLine {
  /// A line such as `settled of minutes (index 44, label 44)`.
  var words: String {
    var head = ""
    var rest: [String] = []
    for member in members {
      let text = member.value.string ?? member.value.text
      switch member.name {
      case "event": head = text
      // The control and the item follow. The cause is obvious.
      case "control", "item", "by": break
      default: rest.append("\(member.name) \(text)")
      }
    }
    let place = ["control", "item"].compactMap { name in
      members.first { $0.name == name }?.value.string
    }
    if !place.isEmpty { head += " of " + place.joined(separator: "/") }
    return rest.isEmpty ? head : "\(head) (\(rest.joined(separator: ", ")))"
  }
}

extension EventPattern: CustomStringConvertible {
  package var description: String {
    func text(_ name: String) -> String? {
      members.first { $0.name == name }.map { "\($0.pattern)" }
    }
    let place = [text("control"), text("item")].compactMap { $0 }.joined(separator: "/")
    let rest = members.filter { !["event", "control", "item"].contains($0.name) }
      .map { "\($0.name) \($0.pattern)" }
    return [
      text("event") ?? "of any kind", place.isEmpty ? nil : "of \(place)",
      rest.isEmpty ? nil : "with \(rest.joined(separator: ", "))",
    ].compactMap { $0 }.joined(separator: " ")
  }
}
