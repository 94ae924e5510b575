// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import KioskHost
import LinuxIO
import SystemPackage

struct BridgeToMQTT: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mqtt",
    abstract: "Make the running kiosk a device of Home Assistant, by MQTT.",
    discussion: """
      Executes the program roundel-mqtt, which stands beside this one or in PATH, so that
      this one needs no network. roundel mqtt --help lists its options.

      Example:
        roundel mqtt --broker homeassistant.local --user kiosk --password-file ~/.mqtt
      """)

  @Argument(parsing: .captureForPassthrough, help: "The arguments of roundel-mqtt.")
  var arguments: [String] = []

  func run() throws {
    let name = "roundel-mqtt"
    var places = [name]
    var link = [CChar](repeating: 0, count: Int(PATH_MAX))
    // Writes at most as many bytes as there is room for.
    let count = unsafe readlink("/proc/self/exe", &link, link.count)
    if count > 0 {
      let own = String(decoding: link[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      places.insert(Programs.folder(of: own) + name, at: 0)
    }
    // The program that takes this one's place frees the words.
    var words = unsafe ([name] + arguments).map { unsafe strdup($0) } + [nil]
    var failure = Errno.noSuchFileOrDirectory
    for place in places {
      // Comes back only where it fails.
      _ = unsafe execvp(place, &words)
      failure = Errno.current
      guard failure == .noSuchFileOrDirectory else { break }
    }
    if failure == .noSuchFileOrDirectory {
      throw Failure(
        .unavailable,
        "\(name) is neither beside this program nor in PATH; install the package \(name)")
    }
    throw Failure(
      failure == .permissionDenied ? .permission : .unavailable, "cannot run \(name): \(failure)")
  }
}
