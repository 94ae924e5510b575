// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import Kiosk

/// A part of a kiosk file that refers to names of the whole file.
struct Link {
  /// The keys and list indices on the path to the part.
  let path: [Node.PathComponent]
  /// Reads the part, and stores a valid value in the kiosk.
  let read: (KioskReader, inout Description?) -> Void
}

protocol LinkOwner: SendableMetatype {
  /// Changes the part at the indices of a page and of a control on it, as needed.
  static func change(_ kiosk: inout Description, _ at: [Int], _ change: (inout Self) -> Void)
}

extension Description: LinkOwner {
  static func change(_ kiosk: inout Description, _ at: [Int], _ change: (inout Self) -> Void) {
    change(&kiosk)
  }
}

extension Page: LinkOwner {
  static func change(_ kiosk: inout Description, _ at: [Int], _ change: (inout Self) -> Void) {
    change(&kiosk.pages[at[0]])
  }
}

extension PlacedControl: LinkOwner {
  static func change(_ kiosk: inout Description, _ at: [Int], _ change: (inout Self) -> Void) {
    change(&kiosk.pages[at[0]].controls[at[1]])
  }
}

extension KioskPass {
  /// Postpones reading until all names are known. A wrong kind was already reported.
  func link<Owner: LinkOwner, Value>(
    _ node: Node, _ form: Form<Value>, _ store: @escaping (inout Owner, Value) -> Void
  ) {
    guard form.kinds.contains(node.kind), !node.isUnknown else { return }
    let places = path.compactMap { if case .index(let place) = $0 { place } else { nil } }
    deferred.links.append(
      Link(path: path) { reader, kiosk in
        guard let value = form.read(node, reader), var whole = kiosk else { return }
        // Avoids a copy during the change.
        kiosk = nil
        Owner.change(&whole, places) { store(&$0, value) }
        kiosk = whole
      })
  }
}

extension Form {
  /// Stores the value later, because it may name anything in the file.
  func linked<Owner: LinkOwner>(
    _ store: @escaping @Sendable (inout Owner, Value) -> Void
  ) -> Form<Node> {
    Form<Node>(
      expected, from: kinds, as: valueKind, schema: schema,
      read: { node, reader in
        reader.pass.link(node, self, store)
        return node
      }
    ).as(role)
  }

  func linked<Owner: LinkOwner>(at path: WritableKeyPath<Owner, Value> & Sendable) -> Form<Node> {
    linked { (owner: inout Owner, value) in owner[keyPath: path] = value }
  }

  func linked<Owner: LinkOwner>(at path: WritableKeyPath<Owner, Value?> & Sendable) -> Form<Node> {
    linked { (owner: inout Owner, value) in owner[keyPath: path] = value }
  }
}
