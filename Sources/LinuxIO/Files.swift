// SPDX-License-Identifier: MIT

internal import Glibc
package import SystemPackage

package enum Files {
  package enum Excess: Hashable, Sendable {
    case refused(Failure.Code)
    /// Returns one byte more than the maximum, so that the caller can report the size.
    case cut
  }

  package struct Kind {
    /// A name such as `the kiosk file`.
    package let name: String
    package let maximumBytes: Int
    /// Pipes are read until their other end is closed.
    package let mayBePipe: Bool
    package let excess: Excess

    package init(
      _ name: String, maximumBytes: Int, mayBePipe: Bool = false,
      excess: Excess = .refused(.badFile)
    ) {
      self.name = name
      self.maximumBytes = maximumBytes
      self.mayBePipe = mayBePipe
      self.excess = excess
    }
  }

  /// Reads a file. `-` is the standard input, of any type.
  ///
  /// Only regular files and, if permitted, pipes: a pipe without a writer must not delay a reload,
  /// and opening a device may have side effects.
  package static func read(_ path: String, _ kind: Kind) throws(Failure) -> [UInt8] {
    do {
      guard path != "-" else { return try read(.standardInput, path, kind, size: 0) }
      try check(try status { unsafe stat(path, &$0) }, path, kind)
      let descriptor = try FileDescriptor.open(
        FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
      defer { try? descriptor.close() }
      // The path may have been replaced before `open`.
      let status = try status { unsafe fstat(descriptor.rawValue, &$0) }
      try check(status, path, kind)
      if status.isPipe { try waitForWriter(of: descriptor) }
      return try read(descriptor, path, kind, size: Int(status.st_size))
    } catch let failure as Failure {
      throw failure
    } catch let error as Errno {
      let code: Failure.Code = error == .permissionDenied ? .permission : .badFile
      throw Failure(code, "cannot read \(kind.name) \(path): \(error)")
    } catch {
      throw Failure(.badFile, "cannot read \(kind.name) \(path): \(error)")
    }
  }

  /// Ignores errors. C: `unlink`.
  package static func remove(_ path: String) { _ = unsafe unlink(path) }

  /// Follows links.
  package static func isRegular(_ path: String) -> Bool {
    (try? status { unsafe stat(path, &$0) })?.isRegular == true
  }

  package static func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

  /// Whether the file can be written to, or the directory can get new entries.
  package static func isWritable(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }

  /// Whether the file can be executed, or the directory searched.
  package static func isExecutable(_ path: String) -> Bool { unsafe access(path, X_OK) == 0 }

  /// The first 4096 bytes of a kernel file, or empty if it can't be read.
  package static func kernelText(_ path: String) -> String {
    guard let file = try? OwnedDescriptor(opening: path, O_RDONLY),
      let bytes = try? file.receive(upTo: 4096)
    else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  package static func realPath(_ path: String) throws(Errno) -> String {
    guard let real = unsafe realpath(path, nil) else { throw Errno(rawValue: errno) }
    defer { unsafe free(real) }
    // The result ends with a zero byte.
    return unsafe String(cString: real)
  }

  /// The text of a symbolic link, or nil. C: `readlink`.
  package static func target(ofLink path: String) -> String? {
    var text = [UInt8](repeating: 0, count: Int(PATH_MAX))
    // The kernel writes as many bytes as fit, without a final zero.
    let count = unsafe text.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return -1 }
      return unsafe readlink(path, start, bytes.count)
    }
    guard count > 0 else { return nil }
    return String(decoding: text.prefix(count), as: UTF8.self)
  }

  /// Makes a path absolute without resolving links.
  package static func absolutePath(_ path: String) -> String {
    let absolute = path.hasPrefix("/") ? path : "\((try? realPath(".")) ?? "/")/\(path)"
    return FilePath(absolute).lexicallyNormalized().string
  }

  /// Blocks until a pipe has or had a writer. Before, it seems to be at its end. Afterwards, reads
  /// block.
  private static func waitForWriter(of pipe: FileDescriptor) throws(Errno) {
    var entry = pollfd(fd: pipe.rawValue, events: Int16(POLLIN), revents: 0)
    _ = try retryingOnInterrupt { unsafe poll(&entry, 1, -1) }
    _ = fcntl(pipe.rawValue, F_SETFL, 0)
  }

  private static func status(_ call: (inout stat) -> CInt) throws(Errno) -> stat {
    var status = stat()
    guard call(&status) == 0 else { throw Errno(rawValue: errno) }
    return status
  }

  private static func check(_ status: stat, _ path: String, _ kind: Kind) throws(Failure) {
    if status.isRegular || (kind.mayBePipe && status.isPipe) { return }
    let what =
      switch status.st_mode & S_IFMT {
      case S_IFDIR: "a folder"
      case S_IFIFO: "a pipe"
      case S_IFSOCK: "a socket"
      default: "a device"
      }
    throw Failure(
      .badFile, "cannot read \(kind.name) \(path): it is \(what) (expected a regular file)")
  }

  private static func read(
    _ descriptor: FileDescriptor, _ path: String, _ kind: Kind, size: Int
  ) throws -> [UInt8] {
    let code: Failure.Code = if case .refused(let code) = kind.excess { code } else { .badFile }
    let tooLarge = Failure(
      code, "\(kind.name) \(path) is larger than \(kind.maximumBytes >> 20) MiB")
    guard size <= kind.maximumBytes || kind.excess == .cut else { throw tooLarge }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(size, kind.maximumBytes))
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try unsafe chunk.withUnsafeMutableBytes { try unsafe descriptor.read(into: $0) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      // The file may grow while it is read.
      guard bytes.count <= kind.maximumBytes else {
        guard kind.excess == .cut else { throw tooLarge }
        return Array(bytes.prefix(kind.maximumBytes + 1))
      }
    }
  }

  /// Uses `FileReplacement`. A replaced file keeps its access. If `isDurable`, the file survives a
  /// power failure.
  package static func write(
    _ bytes: [UInt8], to path: String, access: FileReplacement.Access = .byUmask,
    isDurable: Bool = true
  ) throws(Failure) {
    try write(to: path, access: access, isDurable: isDurable) { append in try append(bytes) }
  }

  /// Writes a file in parts.
  package static func write(
    to path: String, access: FileReplacement.Access = .byUmask, isDurable: Bool = true,
    _ contents: (_ append: ([UInt8]) throws -> Void) throws -> Void
  ) throws(Failure) {
    do {
      try FileReplacement.write(to: path, access: access, isDurable: isDurable) { file in
        try contents { part in _ = try file.writeAll(part) }
      }
    } catch {
      throw Failure(error, "cannot write \(path)")
    }
  }

  package static func makeFolder(
    _ path: String, access: FileReplacement.Access = .byUmask
  ) throws(Failure) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += part + "/"
      do throws(Errno) {
        guard unsafe mkdir(made, 0o755) == 0 else {
          guard errno == EEXIST else { throw .current }
          continue
        }
        let folder = try OwnedDescriptor(opening: made, O_RDONLY | O_DIRECTORY)
        try FileReplacement.give(access, to: FileDescriptor(rawValue: folder.rawValue))
      } catch {
        throw Failure(error, "cannot create the folder \(made)")
      }
    }
  }
}

extension stat {
  fileprivate var isPipe: Bool { st_mode & S_IFMT == S_IFIFO }
  fileprivate var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
}
