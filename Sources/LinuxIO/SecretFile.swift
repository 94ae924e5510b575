// SPDX-License-Identifier: MIT

internal import Glibc
internal import SystemPackage

/// Files that contain a password or a token as their first line.
package enum SecretFile {
  private static let maximumBytes = 4096

  /// - Parameters:
  ///   - secret: The kind of secret for messages, such as "the password".
  ///   - isPrivate: Whether only the file's owner may have access.
  package static func firstLine(
    of file: String, _ secret: String, isPrivate: Bool = false
  ) throws(Failure) -> String {
    func fail(_ reason: String, _ code: Failure.Code = .usage) -> Failure {
      Failure(code, "cannot read \(secret) in \(file): \(reason)")
    }
    let bytes: [UInt8]
    var status = stat()
    do throws(Errno) {
      let descriptor = try OwnedDescriptor(opening: file, O_RDONLY)
      // The call fills a local.
      try retryingOnInterrupt { unsafe fstat(descriptor.rawValue, &status) }
      bytes = try descriptor.receive(upTo: maximumBytes)
    } catch {
      throw fail("\(error)", error == .permissionDenied ? .permission : .usage)
    }
    guard !isPrivate || status.st_mode & (S_IRWXG | S_IRWXO) == 0 else {
      let mode = String(status.st_mode & 0o777, radix: 8)
      throw fail(
        "other users may have access (mode 0\(mode), expected 0600); run chmod 600 \(file)",
        .permission)
    }
    guard let line = String(validating: bytes.prefix { $0 != 10 && $0 != 13 }, as: UTF8.self),
      !line.isEmpty
    else { throw fail("its first line is empty or not UTF-8") }
    return line
  }
}
