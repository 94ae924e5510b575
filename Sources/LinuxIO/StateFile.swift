// SPDX-License-Identifier: MIT

internal import CLinux
internal import Glibc
package import SystemPackage

/// A small file that survives a power cut: at any moment it is either as it was before a write or as
/// it is after it.
package struct StateFile: Sendable {
  package let path: String
  private let maximumBytes: Int

  package init(_ path: String, maximumBytes: Int) {
    self.path = path
    self.maximumBytes = maximumBytes
  }

  /// The content; nil where there is no such file. A file that is longer than the maximum, or not a regular
  /// file, is an error.
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

  /// Writes the content, and returns when it is on the disk. The file is written beside its place and
  /// moved there; the folder is synchronised as well, without which the move may be lost.
  package func write(_ bytes: [UInt8]) throws(Errno) {
    let folder = FilePath(path).removingLastComponent()
    let draft = FilePath(path + ".new")
    do {
      let descriptor = try FileDescriptor.open(
        draft, .writeOnly, options: [.create, .truncate, .closeOnExec],
        permissions: .ownerReadWrite)
      try descriptor.closeAfter {
        _ = try descriptor.writeAll(bytes)
        try descriptor.synchronize()
      }
      guard unsafe rename(draft.string, path) == 0 else { throw Errno(rawValue: errno) }
      let parent = try FileDescriptor.open(
        folder.isEmpty ? "." : folder, .readOnly, options: [.closeOnExec, .directory])
      try parent.closeAfter { try parent.synchronize() }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }

  /// Moves the file out of the way, for a person to look at; returns its new place.
  package func setAside() throws(Errno) -> String {
    let other = path + ".bad"
    guard unsafe rename(path, other) == 0 else { throw Errno(rawValue: errno) }
    return other
  }
}

extension FileDescriptor {
  fileprivate func synchronize() throws(Errno) {
    guard fsync(rawValue) == 0 else { throw Errno(rawValue: errno) }
  }
}
