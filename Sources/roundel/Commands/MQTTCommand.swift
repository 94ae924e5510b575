// SPDX-License-Identifier: MIT

import ArgumentParser

struct MQTTCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mqtt",
    abstract: "Make the running kiosk a Home Assistant device, by MQTT.",
    discussion: """
      Executes roundel-mqtt, which must be next to this program or in PATH. roundel mqtt --help \
      lists its options.

      Example:
        roundel mqtt --broker homeassistant.local --user kiosk --password-file ~/.mqtt
      """)

  @Argument(parsing: .captureForPassthrough, help: "The arguments of roundel-mqtt.")
  var arguments: [String] = []

  func run() throws { try SiblingProgram.execute("roundel-mqtt", arguments) }
}
