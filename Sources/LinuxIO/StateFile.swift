// SPDX-License-Identifier: MIT

internal import Glibc
package import SystemPackage

/// A small file that survives a power failure: with the content from before or after a write.
package struct StateFile: Sendable {
  package let path: String
  private let maximumBytes: Int
  private let access: FileReplacement.Access

  /// `access` applies to a new file. The default is mode 0600.
  package init(
    _ path: String, maximumBytes: Int, access: FileReplacement.Access = .mode(0o600)
  ) {
    self.path = path
    self.maximumBytes = maximumBytes
    self.access = access
  }

  /// Returns nil if the file doesn't exist. Throws if it exceeds the maximum, or isn't regular.
  package func read() throws(Errno) -> [UInt8]? {
    do {
      let descriptor = try FileDescriptor.open(
        FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
      defer { try? descriptor.close() }
      var status = stat()
      guard unsafe fstat(descriptor.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
      guard status.st_mode & S_IFMT == S_IFREG else { throw Errno.invalidArgument }
      guard status.st_size <= maximumBytes else { throw Errno.fileTooLarge }
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 1 << 14)
      while bytes.count <= maximumBytes {
        let count = try unsafe chunk.withUnsafeMutableBytes { try unsafe descriptor.read(into: $0) }
        if count == 0 { return bytes }
        bytes += chunk[..<count]
      }
      throw Errno.fileTooLarge
    } catch {
      let error = error as? Errno ?? .ioError
      guard error == .noSuchFileOrDirectory else { throw error }
      return nil
    }
  }

  /// Returns after the content is on the disk.
  package func write(_ bytes: [UInt8]) throws(Errno) {
    do {
      try FileReplacement.write(to: path, access: access, isDurable: true) { file in
        _ = try file.writeAll(bytes)
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Renames the file for later inspection, and returns its new path.
  package func setAside() throws(Errno) -> String {
    let other = path + ".bad"
    guard unsafe rename(path, other) == 0 else { throw Errno(rawValue: errno) }
    return other
  }
}
