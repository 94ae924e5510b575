// SPDX-License-Identifier: MIT

package import LinuxIO

/// A bundle on a server, downloaded by curl because the kiosk's program has no network access.
package struct Download: Sendable {
  private let address: String
  /// Additional trusted certificates, or nil for only the system's.
  package var authorities: String?
  /// Seconds for the whole download.
  package var timeout = 600.0
  /// The file for the last version's ETag, or nil.
  package var tag: String?

  /// In seconds. A server or cache might treat an older tag as current for ever.
  private static let maximumTagAge = 86400.0
  /// The minimum in bytes per second. A slower download is aborted.
  private static let minimumSpeed = 1024
  private static let maximumTagBytes = 4096

  /// Accepts `https://…`, or `http://…` on this machine.
  package init?(_ address: String) {
    guard address.hasPrefix("https://") || Self.isLocal(address),
      address.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f })
    else { return nil }
    self.address = address
  }

  /// Whether an address is `http://` and this machine, optionally with a port.
  private static func isLocal(_ address: String) -> Bool {
    let scheme = "http://"
    guard address.hasPrefix(scheme) else { return false }
    let authority = address.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
    return localHosts.contains { host in
      guard authority.hasPrefix(host) else { return false }
      let port = authority.dropFirst(host.count)
      return port.isEmpty
        || port.first == ":" && port.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
    }
  }

  private static let localHosts = ["localhost", "127.0.0.1", "[::1]"]

  /// Returns nil if the server has no newer version.
  package func callAsFunction() throws(Failure) -> (bytes: [UInt8], tag: [UInt8])? {
    let folder = try ScratchFolder()
    let newTag = "\(folder.path)/tag"
    let isLocal = Self.isLocal(address)
    var words = [
      "curl", "--disable", "--silent", "--show-error", "--fail", "--globoff", "--location",
      "--max-redirs", "5", "--proto", isLocal ? "=http" : "=https", "--proto-redir", "=https",
      "--connect-timeout",
      "\(min(30, timeout))", "--max-time", "\(timeout)", "--speed-limit", "\(Self.minimumSpeed)",
      "--speed-time", "\(max(1, Int(min(30, timeout))))", "--max-filesize",
      "\(Bundle.kind.maximumBytes)", "--etag-save", newTag, "--write-out",
      "%{stderr}\n%{http_code}",
    ]
    // A proxy would be another machine.
    if isLocal { words += ["--noproxy", "localhost,127.0.0.1,::1"] }
    if let authorities { words += ["--cacert", authorities] }
    let knownTag = tag.flatMap { file in
      Folder.age(of: file).flatMap { 0...Self.maximumTagAge ~= $0 ? file : nil }
    }
    if let knownTag { words += ["--etag-compare", knownTag] }
    let done = try SystemProgram(words + ["--url", address]).run(
      maximumBytes: Bundle.kind.maximumBytes)
    guard !done.isTooLong else {
      throw Failure(.didNotHold, "\(address) is larger than \(Bundle.kind.maximumBytes >> 20) MiB")
    }
    let lines = done.errors.split(separator: "\n")
    guard done.exit == .status(0) else {
      let words = lines.first { $0.hasPrefix("curl: ") }.map(String.init)
      throw Failure(.unavailable, "cannot fetch \(address): \(words ?? "curl \(done.exit)")")
    }
    if lines.last == "304" {
      guard knownTag != nil else {
        throw Failure(
          .unavailable, "\(address) answers 304, not modified, to a request without a version")
      }
      return nil
    }
    let tag = try? Files.read(newTag, Files.Kind("the tag", maximumBytes: Self.maximumTagBytes))
    return (done.bytes, tag ?? [])
  }
}
