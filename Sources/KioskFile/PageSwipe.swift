// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelGeometry
internal import RoundelJSON
internal import Kiosk

extension Table where Value == [Direction: String] {
  static let swipe = Table(
    "swipe", "The pages that swipes lead to, by the direction of the swipe."
  ) { keys in
    let ways = Direction.allCases.map { direction in
      keys.optional(
        direction.rawValue, .destination,
        "A page, `back` or `home`. By default, the current page gives a little and springs back.")
    }
    return { fields in zip(Direction.allCases, ways).reduce(into: [:]) { $0[$1.0] = fields[$1.1] } }
  }
}

extension Form where Value == String {
  /// The name of a page, or a word such as `back`.
  fileprivate static var destination: Form {
    word("the name of a page").compactMap { page, node, reader in
      reader.found(at: node.mark) { () throws(UnknownName) in
        try reader.kiosk.find(destination: page)
        return page
      }
    }
  }
}
