// SPDX-License-Identifier: MIT

import Glibc
import KioskHost
import LinuxIO
import SystemPackage

/// A separately installed program that replaces this one.
enum SiblingProgram {
  /// Searches next to this program and in PATH. Returns only by throwing.
  static func execute(_ name: String, _ arguments: [String]) throws {
    var places = [name]
    var link = [CChar](repeating: 0, count: Int(PATH_MAX))
    // The call writes at most `link.count` bytes.
    let count = unsafe readlink("/proc/self/exe", &link, link.count)
    if count > 0 {
      let own = String(decoding: link[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      places.insert(Programs.folder(of: own) + name, at: 0)
    }
    // The new program replaces this process, including the words.
    var words = unsafe ([name] + arguments).map { unsafe strdup($0) } + [nil]
    var failure = Errno.noSuchFileOrDirectory
    for place in places {
      // Returns only on failure.
      _ = unsafe execvp(place, &words)
      failure = Errno.current
      guard failure == .noSuchFileOrDirectory else { break }
    }
    if failure == .noSuchFileOrDirectory {
      throw Failure(
        .unavailable,
        "\(name) is neither next to this program nor in PATH; install the package \(name)")
    }
    throw Failure(
      failure == .permissionDenied ? .permission : .unavailable, "cannot run \(name): \(failure)")
  }
}
