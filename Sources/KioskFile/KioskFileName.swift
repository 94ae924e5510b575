// SPDX-License-Identifier: MIT

/// The name of a kiosk's file, such as `lunch.yaml` or `lunch.roundel.yaml`. Editors recognise the
/// second form without reading the file.
package struct KioskFileName {
  /// The name without its extensions, such as `lunch`.
  package let stem: String
  private let marker: String
  private let ending: String

  private static let marker = ".roundel"

  /// Parses the last component of a path.
  package init(_ path: String) {
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    let rest = name[..<dot]
    ending = String(name[dot...])
    // The name of a hidden file is not a marker.
    marker = rest.hasSuffix(Self.marker) && rest.count > Self.marker.count ? Self.marker : ""
    stem = String(rest.dropLast(marker.count))
  }

  /// Whether the name says that the file is a kiosk.
  package var isMarked: Bool {
    !marker.isEmpty && [".yaml", ".yml", ".json"].contains(ending)
  }

  /// The name without the marker, as units expect it, such as `lunch.yaml`.
  package var plain: String { stem + ending }
}
