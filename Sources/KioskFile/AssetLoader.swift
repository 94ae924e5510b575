// SPDX-License-Identifier: MIT

/// Loads the files and fonts that a kiosk names, so that what passes is there to be shown; whoever
/// reads the kiosk file knows how to open them. What was loaded once is there.
public protocol AssetLoader {
  /// Loads the image at `path`.
  func loadImage(at path: String) throws(AssetError)

  /// Loads a font. `family` is a family's name, or the path of a file if it ends as font files do: in
  /// `.ttf`, `.otf`, `.ttc` or `.woff`.
  func loadFont(_ family: String, bold: Bool) throws(AssetError)
}

/// Why an image cannot be shown, or no text be set in a font, as `no such file`.
public struct AssetError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}
