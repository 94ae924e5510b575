// SPDX-License-Identifier: MIT

internal import RoundelControls
package import RoundelDeclarations

/// A kiosk's file, its bytes, or a tree that a program builds.
package struct KioskSource: Sendable {
  enum Origin: Sendable {
    case file
    case text([UInt8])
    case tree(@Sendable (Reader) -> Node)
  }

  let origin: Origin
  /// Control types in addition to the built-in ones.
  package let types: [ControlType]

  private init(_ origin: Origin, _ types: [ControlType]) {
    self.origin = origin
    self.types = types
  }

  package static let file = KioskSource(.file, [])

  package static func file(types: [ControlType]) -> KioskSource { KioskSource(.file, types) }

  package static func text(_ text: [UInt8], types: [ControlType] = []) -> KioskSource {
    KioskSource(.text(text), types)
  }

  /// - Parameter tree: Returns the tree. It may report errors and add files for its marks.
  package static func tree(
    types: [ControlType] = [], _ tree: @escaping @Sendable (Reader) -> Node
  ) -> KioskSource {
    KioskSource(.tree(tree), types)
  }

  /// The text, or nil if the file contains it. Empty for a tree.
  package var text: [UInt8]? {
    switch origin {
    case .file: nil
    case .text(let text): text
    case .tree: []
    }
  }

  package var isPlainFile: Bool {
    if case .file = origin { types.isEmpty } else { false }
  }

  func tree(_ reader: Reader) -> Node? {
    if case .tree(let build) = origin { build(reader) } else { nil }
  }
}
