// SPDX-License-Identifier: MIT

package struct FileIdentity: Hashable, Sendable {
  /// The file's hash in hexadecimal.
  package let sha256: String
  /// The bundle's version, or nil if the file wasn't installed from a bundle.
  package let bundle: Int?

  package init(sha256: String, bundle: Int?) {
    self.sha256 = sha256
    self.bundle = bundle
  }
}
