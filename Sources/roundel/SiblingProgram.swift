// SPDX-License-Identifier: MIT

import Glibc
import KioskHost
import LinuxIO
import SystemPackage

/// A separately installed program that replaces this one.
enum SiblingProgram {
  /// Searches next to this program and in PATH. Returns only by throwing.
  static func execute(_ name: String, _ arguments: [String]) throws {
    let places = own.map { [Programs.folder(of: $0) + name, name] } ?? [name]
    let failure = replace(with: places, [name] + arguments)
    if failure == .noSuchFileOrDirectory {
      throw Failure(
        .unavailable,
        "\(name) is neither next to this program nor in PATH; install the package \(name)")
    }
    throw Failure(
      failure == .permissionDenied ? .permission : .unavailable, "cannot run \(name): \(failure)")
  }

  /// Executes this program again with other arguments. Returns only by throwing.
  static func executeSelf(_ arguments: [String]) throws {
    try executeFile("/proc/self/exe", arguments)
  }

  /// Executes a program by its path. Returns only by throwing.
  static func executeFile(_ path: String, _ arguments: [String]) throws {
    let failure = replace(with: [path], [path] + arguments)
    throw Failure(.unavailable, "cannot run \(path): \(failure)")
  }

  /// Whether the program is next to this one or in PATH.
  static func isInstalled(_ name: String) -> Bool { path(of: name) != nil }

  static func path(of name: String) -> String? {
    try? Programs.path(of: name, for: own ?? "/dev/null")
  }

  /// The path of this program, or nil without /proc.
  private static var own: String? {
    var link = [CChar](repeating: 0, count: Int(PATH_MAX))
    // The call writes at most `link.count` bytes.
    let count = unsafe readlink("/proc/self/exe", &link, link.count)
    guard count > 0 else { return nil }
    return String(decoding: link[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Replaces this process with the first existing program. Returns only on failure.
  private static func replace(with places: [String], _ arguments: [String]) -> Errno {
    // The new program replaces this process, including the words.
    var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
    var failure = Errno.noSuchFileOrDirectory
    for place in places {
      // Returns only on failure.
      _ = unsafe execvp(place, &words)
      failure = Errno.current
      guard failure == .noSuchFileOrDirectory else { break }
    }
    return failure
  }
}
