// SPDX-License-Identifier: MIT

/// A kiosk file among the versions of it.
package struct FileIdentity: Hashable, Sendable {
  /// The hash of its bytes, in hexadecimal digits.
  package let sha256: String
  /// The version of the bundle that it was installed from; nil where it came from none.
  package let bundle: Int?

  package init(sha256: String, bundle: Int?) {
    self.sha256 = sha256
    self.bundle = bundle
  }
}
