// SPDX-License-Identifier: MIT

package import Drawing

/// Loads the images, sounds and fonts that a kiosk names, and finds its programs. What passes is there to
/// be used: the part of the program that opens files is another one than that which reads the kiosk.
package protocol AssetLoader {
  /// Loads the image at `path`.
  func loadImage(at path: String) throws(AssetError)

  /// The part of an image's colours that was ignored when it was loaded, as `the colour profile
  /// "Display P3"`; nil for none.
  func ignoredProfile(ofImageAt path: String) -> String?

  /// Loads the sound at `path`.
  func loadSound(at path: String) throws(AssetError)

  /// Loads a face of a font.
  func loadFont(_ face: FaceName) throws(AssetError)

  /// The bytes of the file at `path`, which a kiosk file in `folder` includes: an empty path, or one
  /// with its slash at the end. A file that a link leads to outside of it is not loaded.
  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8]

  /// What the machine lays over the kiosk file at `path`, and the path of that; nil for nothing.
  func loadOverlay(of path: String) throws(AssetError) -> (path: String, text: [UInt8])?

  /// Finds the program that the kiosk file at `kiosk` calls `name`: beside that file, or in PATH.
  func findProgram(_ name: String, for kiosk: String) throws(AssetError)
}

extension AssetLoader {
  package func ignoredProfile(ofImageAt path: String) -> String? { nil }
  package func loadOverlay(of path: String) -> (path: String, text: [UInt8])? { nil }
  /// Whoever plays no sounds need not have them.
  package func loadSound(at path: String) {}
}

/// Why an image cannot be shown, a sound not be played, no text be set in a font, a file not be included,
/// or a program not be started, as `no such file`.
package struct AssetError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
