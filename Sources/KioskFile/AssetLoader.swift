// SPDX-License-Identifier: MIT

package import RoundelDrawing

/// Loads the images, sounds and fonts of a kiosk, and finds its programs. The parser doesn't open files itself.
package protocol AssetLoader {
  func loadImage(at path: String) throws(AssetError)

  /// Returns the ignored colour information in an image, such as `the colour profile "Display P3"`, or nil.
  func ignoredProfile(ofImageAt path: String) -> String?

  func loadSound(at path: String) throws(AssetError)

  func loadFont(_ face: FaceName) throws(AssetError)

  /// Returns the bytes of an included file. `folder` is empty or ends with a slash. Throws if a
  /// link leads outside the folder.
  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8]

  /// Returns the path and the bytes of the machine's overlay for a kiosk file, or nil if there isn't one.
  func loadOverlay(of path: String) throws(AssetError) -> (path: String, text: [UInt8])?

  /// Checks that a program exists, next to the kiosk file at `kiosk` or in PATH.
  func findProgram(_ name: String, for kiosk: String) throws(AssetError)
}

extension AssetLoader {
  package func ignoredProfile(ofImageAt path: String) -> String? { nil }
  package func loadOverlay(of path: String) -> (path: String, text: [UInt8])? { nil }
  /// Does nothing. Programs that play no sounds need not load them.
  package func loadSound(at path: String) {}
}

/// An error that prevents using an asset or an included file, such as `no such file`.
package struct AssetError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
