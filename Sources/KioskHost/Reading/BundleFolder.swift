// SPDX-License-Identifier: MIT

package import LinuxIO

/// The folder, beside kiosks that were installed from bundles, that holds their versions:
///
///     lunch.yaml                      → .bundles/lunch/current/lunch.yaml
///     .bundles/lunch/current          → 17
///     .bundles/lunch/17/lunch.yaml    and all that it names
package enum BundleFolder {
  package static let name = ".bundles"

  /// The version of the bundle that the kiosk file at `path` was installed from; nil for another file.
  package static func version(of path: String) -> Int? {
    guard let parts = (try? Files.realPath(path))?.split(separator: "/"), parts.count >= 4,
      parts[parts.count - 4] == name
    else { return nil }
    return Int(parts[parts.count - 2])
  }

  /// Throws if the file at `path` belongs to a signed bundle: only the bundle's next version changes it.
  package static func refuse(_ path: String) throws(Failure) {
    guard let real = try? Files.realPath(path), real.split(separator: "/").contains(name[...])
    else { return }
    throw Failure(
      .didNotHold, "\(path) came in a signed bundle, and is changed by the next version of that")
  }
}
