// SPDX-License-Identifier: MIT

internal import Glibc
package import RoundelText

/// A font installed on this machine.
package struct FontFile: Hashable, Sendable {
  package var path: String
  /// The upper 16 bits select an instance of a variable font, as in FreeType.
  package var faceIndex: Int
  /// False if a requested bold face doesn't exist.
  package var isBold: Bool

  /// Whether the file is compressed for web pages.
  var isForWeb: Bool { path.hasSuffix(".woff") || path.hasSuffix(".woff2") }

  package init(path: String, faceIndex: Int = 0, isBold: Bool = false) {
    self.path = path
    self.faceIndex = faceIndex
    self.isBold = isBold
  }

  /// Reads a font file. Throws if the path isn't a regular file (a directory, a pipe, a device).
  /// Never blocks.
  package static func read(
    _ path: String, maximumBytes: Int = 256 << 20
  ) throws(FontFileError) -> [UInt8] {
    try withFile(path, maximumBytes: maximumBytes) { (descriptor, size) throws(FontFileError) in
      var isRead = true
      // `read` writes at most as many bytes as the rest of the buffer has.
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        while count < size {
          let rest = unsafe UnsafeMutableBufferPointer(rebasing: buffer[count...])
          let got = unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
          if got < 0, errno == EINTR { continue }
          isRead = got >= 0
          // A file that shrinks while it is read ends early.
          if got <= 0 { return }
          count += got
        }
      }
      guard isRead else { throw .failure(path) }
      return bytes
    }
  }

  /// Maps an installed font file, so that only the used pages take memory.
  ///
  /// Package managers replace files, and the old file stays while it is mapped. Use `read` for
  /// files that other users may write to.
  package static func map(_ path: String) throws(FontFileError) -> FontData {
    try withFile(path, maximumBytes: .max) { (descriptor, size) throws(FontFileError) in
      // The mapping outlives the descriptor.
      guard size > 0, let start = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0),
        unsafe start != MAP_FAILED
      else { throw .failure(path) }
      return unsafe FontData(
        UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: size)
      ) { bytes in
        _ = unsafe munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
      }
    }
  }

  private static func withFile<Result>(
    _ path: String, maximumBytes: Int,
    _ body: (_ descriptor: Int32, _ size: Int) throws(FontFileError) -> Result
  ) throws(FontFileError) -> Result {
    // Opening a device may have side effects.
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw .failure(path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    // Safe: open reads the path until its end and keeps nothing.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .failure(path) }
    defer { _ = close(descriptor) }
    // The path may have been replaced before `open`.
    guard unsafe fstat(descriptor, &status) == 0 else { throw .failure(path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    let size = Int(status.st_size)
    guard size <= maximumBytes else { throw .tooLarge(path: path, maximumBytes: maximumBytes) }
    return try body(descriptor, size)
  }
}

/// An error that occurs when a font file is read.
package enum FontFileError: Error, Hashable, CustomStringConvertible {
  case unreadable(path: String, reason: String)
  case notAFile(path: String)
  case tooLarge(path: String, maximumBytes: Int)

  fileprivate static func failure(_ path: String) -> FontFileError {
    // Safe: the string returned by strerror is valid until the next call, and is copied here.
    unsafe .unreadable(path: path, reason: String(cString: strerror(errno)))
  }

  package var description: String {
    switch self {
    case .unreadable(let path, let reason): "cannot read the font file \(path): \(reason)"
    case .notAFile(let path): "\(path) is not a regular file"
    case .tooLarge(let path, let maximumBytes):
      "the font file \(path) is larger than the \(maximumBytes >> 10) KiB left for fonts"
    }
  }
}
