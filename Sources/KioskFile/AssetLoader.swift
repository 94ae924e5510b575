// SPDX-License-Identifier: MIT

package import Drawing

/// Loads the images, sounds and fonts of a kiosk, and finds its programs. A loaded asset is ready for use. The
/// parser doesn't open files itself.
package protocol AssetLoader {
  /// Loads the image at `path`.
  func loadImage(at path: String) throws(AssetError)

  /// Returns the colour information that was ignored in an image, such as `the colour profile "Display P3"`, or nil
  /// if nothing was ignored.
  func ignoredProfile(ofImageAt path: String) -> String?

  /// Loads the sound at `path`.
  func loadSound(at path: String) throws(AssetError)

  /// Loads a font face.
  func loadFont(_ face: FaceName) throws(AssetError)

  /// Returns the bytes of the file at `path`, which a kiosk file in `folder` includes. `folder` is empty or ends
  /// with a slash. Throws if a link leads outside the folder.
  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8]

  /// Returns the path and the bytes of the machine's overlay for the kiosk file at `path`, or nil if there isn't
  /// one.
  func loadOverlay(of path: String) throws(AssetError) -> (path: String, text: [UInt8])?

  /// Checks that the program `name` exists, next to the kiosk file at `kiosk` or in PATH.
  func findProgram(_ name: String, for kiosk: String) throws(AssetError)
}

extension AssetLoader {
  package func ignoredProfile(ofImageAt path: String) -> String? { nil }
  package func loadOverlay(of path: String) -> (path: String, text: [UInt8])? { nil }
  /// Does nothing. Programs that play no sounds need not load them.
  package func loadSound(at path: String) {}
}

/// An error that prevents using an image, a sound, a font, an included file or a program, such as `no such file`.
package struct AssetError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
