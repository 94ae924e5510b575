// SPDX-License-Identifier: MIT

package import RoundelExpressions
internal import RoundelJSON

/// An argument `field=value`. JSON numbers and flags keep their kind. Anything else, such as `007`
/// and `no`, is a string.
package struct EventField: Sendable {
  package var name: String
  package var value: Value

  package init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else {
      return nil
    }
    name = String(argument[..<equals])
    let text = String(argument[argument.index(after: equals)...])
    switch try? JSONValue(parsing: Array(text.utf8)) {
    case .number(let number): value = .number(number)
    case .bool(let flag): value = .flag(flag)
    default: value = .text(text)
    }
  }
}
