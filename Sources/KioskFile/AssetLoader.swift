// SPDX-License-Identifier: MIT

package import RoundelDrawing

/// Loads a kiosk's images, sounds and fonts, and finds its programs. The parser opens no files.
package protocol AssetLoader {
  func loadImage(at path: String) throws(AssetError)

  /// Returns an image's ignored colour information, or nil; see `IgnoredProfile`.
  func ignoredProfile(ofImageAt path: String) -> String?

  func loadSound(at path: String) throws(AssetError)

  func loadFont(_ face: FaceName) throws(AssetError)

  /// Checks that the icon font has a symbol with this name.
  func findIcon(_ name: String) throws(AssetError)

  /// `folder` is empty or ends with a slash. Throws if a link leads outside of it.
  func loadText(at path: String, inside folder: String) throws(AssetError) -> [UInt8]

  /// Returns the machine's overlay for a kiosk file, or nil.
  func loadOverlay(of path: String) throws(AssetError) -> (path: String, text: [UInt8])?

  /// Checks that a program exists, next to the kiosk file at `kiosk` or in PATH.
  func findProgram(_ name: String, for kiosk: String) throws(AssetError)
}

extension AssetLoader {
  package func ignoredProfile(ofImageAt path: String) -> String? { nil }
  package func loadOverlay(of path: String) -> (path: String, text: [UInt8])? { nil }
  /// Does nothing. Programs that draw nothing need not know the icons.
  package func findIcon(_ name: String) {}
  /// Does nothing. Programs that play no sounds need not load them.
  package func loadSound(at path: String) {}
}

/// An error that prevents using an asset or an included file, such as `no such file`.
package struct AssetError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
  /// The correction, or nil for a usable file of the right type.
  package let expected: String?

  /// The error if the icon font isn't installed.
  package static let noIcons = AssetError(
    "the icon font isn't installed; install fonts-material-design-icons-iconfont")

  package init(_ description: String, expected: String? = nil) {
    self.description = description
    self.expected = expected
  }
}
