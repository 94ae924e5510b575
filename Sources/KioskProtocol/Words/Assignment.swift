// SPDX-License-Identifier: MIT

package import Kiosk

/// An argument `name=value` of `--set`. The name's kind determines whether the text is a number.
package struct Assignment: Sendable {
  package var name: Reference
  package var text: String

  package init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), let name = Reference(argument[..<equals])
    else { return nil }
    self.name = name
    text = String(argument[argument.index(after: equals)...])
    // Quotation marks that the shell has left.
    if text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") {
      text = String(text.dropFirst().dropLast())
    }
  }
}
