// SPDX-License-Identifier: MIT

package import LinuxIO

/// The folder of kiosks installed from bundles, next to the kiosks:
///
///     lunch.yaml                      → .bundles/lunch/current/lunch.yaml
///     .bundles/lunch/current          → 17
///     .bundles/lunch/17/lunch.yaml    and its attached files
package enum BundleFolder {
  package static let name = ".bundles"

  /// Returns nil if the kiosk file isn't from a bundle.
  package static func version(of path: String) -> Int? {
    guard let parts = (try? Files.realPath(path))?.split(separator: "/"), parts.count >= 4,
      parts[parts.count - 4] == name
    else { return nil }
    return Int(parts[parts.count - 2])
  }

  /// Throws if the file belongs to a signed bundle, because only a new version may change it.
  package static func refuse(_ path: String) throws(Failure) {
    guard let real = try? Files.realPath(path), real.split(separator: "/").contains(name[...])
    else { return }
    throw Failure(
      .didNotHold,
      "cannot save \(path): it was installed from a signed bundle; install a new version instead")
  }
}
