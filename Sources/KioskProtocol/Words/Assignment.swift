// SPDX-License-Identifier: MIT

package import Kiosk

/// `name=value`, as `--set` takes it: a property, a value of the kiosk's own, or the language. The target of
/// the assignment determines whether the text is a number.
package struct Assignment: Sendable {
  package var name: Reference
  package var text: String

  package init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), let name = Reference(argument[..<equals])
    else { return nil }
    self.name = name
    text = String(argument[argument.index(after: equals)...])
    // Quotes that a shell has left are not meant.
    if text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") {
      text = String(text.dropFirst().dropLast())
    }
  }
}
