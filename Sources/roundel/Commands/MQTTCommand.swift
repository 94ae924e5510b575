// SPDX-License-Identifier: MIT

import ArgumentParser

struct MQTTCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mqtt",
    abstract: "Make the running kiosk a device of Home Assistant, by MQTT.",
    discussion: """
      Executes the program roundel-mqtt, which stands beside this one or in PATH, so that \
      this one needs no network. roundel mqtt --help lists its options.

      Example:
        roundel mqtt --broker homeassistant.local --user kiosk --password-file ~/.mqtt
      """)

  @Argument(parsing: .captureForPassthrough, help: "The arguments of roundel-mqtt.")
  var arguments: [String] = []

  func run() throws { try SiblingProgram.execute("roundel-mqtt", arguments) }
}
