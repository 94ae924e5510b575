// SPDX-License-Identifier: MIT

package struct FileIdentity: Hashable, Sendable {
  /// The SHA-256 hash of the file in hexadecimal.
  package let sha256: String
  /// The version of its bundle, or nil if it wasn't installed from a bundle.
  package let bundle: Int?

  package init(sha256: String, bundle: Int?) {
    self.sha256 = sha256
    self.bundle = bundle
  }
}
