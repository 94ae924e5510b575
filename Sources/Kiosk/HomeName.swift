// SPDX-License-Identifier: MIT

package import RoundelDeclarations
internal import RoundelExpressions
internal import RoundelJSON

/// The rules for Home Assistant's names of entities and services, such as `light.kitchen` and
/// `light.toggle`.
package enum HomeName {
  package static let maximumBytes = 255
  static let expectedEntity = "one entity, such as light.kitchen"
  static let expectedService = "one service, such as light.toggle"

  /// Describes why a string isn't a name, or returns nil if it is.
  package static func problem(in name: String) -> String? {
    let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isValid =
      parts.count == 2 && name.utf8.count <= maximumBytes
      && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(isAllowed) }
    return isValid ? nil : "\(name.prefix(80).debugDescription) is not a name in Home Assistant"
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension Form where Value == String {
  package static var homeEntity: Form { homeName(HomeName.expectedEntity) }
  /// An entity, or an empty string.
  static var optionalHomeEntity: Form { homeName(HomeName.expectedEntity, mayBeEmpty: true) }
  package static var homeService: Form { homeName(HomeName.expectedService) }

  private static func homeName(_ expected: String, mayBeEmpty: Bool = false) -> Form {
    let name = "[a-z0-9_]+\\.[a-z0-9_]+"
    return Form(
      expected, as: .text,
      schema: { _ in
        [
          "type": "string", "maxLength": .number(Double(HomeName.maximumBytes)),
          "pattern": .string(mayBeEmpty ? "^(\(name))?$" : "^\(name)$"),
        ]
      },
      read: { node, reader in
        let name = node.text ?? ""
        if mayBeEmpty, name.isEmpty { return name }
        guard let problem = HomeName.problem(in: name) else { return name }
        reader.report(problem, at: node.mark, expected: expected)
        return nil
      })
  }
}
