// SPDX-License-Identifier: MIT

import Glibc
import SystemPackage

/// Whole files, in and out.
enum Files {
  /// No kiosk file, recording or image is larger than this; what is, is something else.
  private static let greatestSize = 256 << 20

  /// The bytes of a file; `-` is the standard input. It may be a pipe, or a device that never ends.
  static func read(_ path: String, _ what: String) throws(Failure) -> [UInt8] {
    do {
      let descriptor =
        path == "-" ? .standardInput : try FileDescriptor.open(FilePath(path), .readOnly)
      defer { if path != "-" { try? descriptor.close() } }
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = try unsafe chunk.withUnsafeMutableBytes { try unsafe descriptor.read(into: $0) }
        if count == 0 { return bytes }
        bytes += chunk[..<count]
        if bytes.count > greatestSize {
          throw Failure(.badFile, "\(what) \(path) is larger than \(greatestSize >> 20) MB")
        }
      }
    } catch let failure as Failure {
      throw failure
    } catch let error as Errno {
      let code: Failure.Code = error == .permissionDenied ? .permission : .badFile
      throw Failure(code, "cannot read \(what) \(path): \(error)")
    } catch {
      throw Failure(.badFile, "cannot read \(what) \(path): \(error)")
    }
  }

  /// Writes a file beside its place and moves it there, so that nobody sees half of it.
  static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    let draft = FilePath(path + ".part")
    do {
      let descriptor = try FileDescriptor.open(
        draft, .writeOnly, options: [.create, .truncate],
        permissions: [.ownerReadWrite, .groupRead, .otherRead])
      try descriptor.closeAfter { _ = try descriptor.writeAll(bytes) }
      guard unsafe rename(draft.string, path) == 0 else { throw Errno(rawValue: errno) }
    } catch {
      throw Failure(
        (error as? Errno) == .permissionDenied ? .permission : .didNotHold,
        "cannot write \(path): \(error)")
    }
  }

  /// The names of what is in a folder; none where there is no such.
  static func names(in folder: String) -> [String] {
    guard let stream = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    // An entry is valid until the next call, and its name ends with a zero byte.
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// Makes a folder and those above it.
  static func makeFolder(_ path: String) throws(Failure) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += part + "/"
      guard unsafe mkdir(made, 0o755) == 0 || errno == EEXIST else {
        throw Failure(.didNotHold, "cannot make the folder \(made): \(Errno(rawValue: errno))")
      }
    }
  }
}

/// The standard error, unbuffered.
enum StandardError {
  static func write(_ text: String) {
    // Nobody is left to be told where this fails.
    _ = try? FileDescriptor.standardError.writeAll(text.utf8)
  }

  static var isTerminal: Bool { isatty(2) == 1 }
}

/// The standard output; a reader that has gone ends the program without a word, as in any pipe.
enum StandardOutput {
  static var isTerminal: Bool { isatty(1) == 1 }

  static func write(_ text: String) {
    do {
      try FileDescriptor.standardOutput.writeAll(text.utf8)
    } catch {
      Glibc.exit(Failure.Code.didNotHold.rawValue)
    }
  }
}
