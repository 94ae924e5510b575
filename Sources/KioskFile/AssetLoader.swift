// SPDX-License-Identifier: MIT

package import Drawing

/// Loads the images, sounds and fonts that a kiosk names, and finds its programs. An asset that passes is ready
/// for use. Files are opened by another part of the program than the one that reads the kiosk.
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

  /// The machine's overlay for the kiosk file at `path`, and the path of the overlay; nil for none.
  func loadOverlay(of path: String) throws(AssetError) -> (path: String, text: [UInt8])?

  /// Finds the program that the kiosk file at `kiosk` calls `name`: beside that file, or in PATH.
  func findProgram(_ name: String, for kiosk: String) throws(AssetError)
}

extension AssetLoader {
  package func ignoredProfile(ofImageAt path: String) -> String? { nil }
  package func loadOverlay(of path: String) -> (path: String, text: [UInt8])? { nil }
  /// Does nothing: a program that plays no sounds need not load them.
  package func loadSound(at path: String) {}
}

/// The reason why an image, a sound, a font, an included file or a program cannot be used, such as `no such file`.
package struct AssetError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
