// SPDX-License-Identifier: MIT

import ArgumentParser
import Diagnosis
import JSON
import LinuxIO

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say what this machine offers a kiosk, and what stands in the way.",
    discussion: """
      Looks at the DRM cards, their connectors and who is their master, at the
      frame buffers, at the Wayland compositor that WAYLAND_DISPLAY names, at the
      console and the splash, at the units of kiosks, at the input devices and sound
      cards, at the user's groups and at the fonts; with kiosk files, also at their
      images, and at what the unit lets their programs do. Exit code 1 says that
      something stands in the way, marked with !.

      Examples:
        roundel doctor
        roundel doctor shop.yaml
        sudo -u roundel roundel doctor
        roundel doctor --json
      """)

  @Argument(help: "Kiosk files whose images and programs are looked at.", completion: .file())
  var kiosks: [String] = []

  @Flag(help: "One JSON object.")
  var json = false

  func run() throws {
    let examination = Examination(for: kiosks)
    StandardOutput.write(json ? examination.json.text + "\n" : examination.text)
    let count = examination.problemCount
    if count > 0 {
      throw Failure(
        .didNotHold,
        count == 1 ? "something stands in the way" : "\(count) things stand in the way")
    }
  }
}
