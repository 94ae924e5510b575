// SPDX-License-Identifier: MIT

internal import Declarations
internal import Geometry
internal import JSON
internal import Kiosk

extension Table where Value == [Direction: String] {
  /// `{left: PAGE, right: back}`.
  fileprivate static let swipe = Table(
    "swipe", "The pages that swipes lead to, by the direction in which the finger goes."
  ) { keys in
    let ways = Direction.allCases.map { direction in
      keys.optional(
        direction.rawValue, .destination,
        "A page, `back` or `home`; the page gives a little and springs back.")
    }
    return { fields in
      zip(Direction.allCases, ways).reduce(into: [:]) { $0[$1.0] = fields[$1.1] }
    }
  }
}

extension Form where Value == String {
  /// The name of a page, or a word for one.
  fileprivate static var destination: Form {
    let name = word("the name of a page")
    return Form(
      name.expected, schema: name.schema,
      read: { node, reader in
        guard let page = name.read(node, reader) else { return nil }
        return reader.found(at: node.mark) { () throws(UnknownName) in
          try reader.kiosk.find(destination: page)
          return page
        }
      })
  }
}

extension Form where Value == Node {
  /// The swipes of a page, which are not looked into until all pages are known.
  static var swipe: Form {
    let map = Table<[Direction: String]>.swipe.form
    return Form(map.expected, from: map.kinds, schema: map.schema, read: { node, _ in node })
  }
}

extension KioskReader {
  /// The swipes of a page.
  func swipes(_ node: Node?) -> [Direction: String] {
    guard let node else { return [:] }
    return inside(key: "swipe") { Table<[Direction: String]>.swipe.form.read(node, self) } ?? [:]
  }
}
