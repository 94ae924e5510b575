// SPDX-License-Identifier: MIT

internal import RoundelGeometry
internal import RoundelInput
internal import InputDevices
internal import RoundelJSON
internal import LinuxIO
internal import SoundOutput
internal import SystemFonts

extension Finding {
  /// Reports units, or the absence of systemd if `reports` is nil.
  static func units(_ reports: [UnitReport]?) -> Finding {
    var finding = Finding("units")
    if let reports {
      if reports.isEmpty {
        finding.lines.append(
          "no unit is loaded; sudo systemctl enable --now roundel@NAME shows /etc/roundel/NAME.yaml"
        )
      }
      for report in reports {
        finding.lines += [report.description, "  " + report.lastResort]
        finding.problems += report.problems
      }
      finding.json = finding.object([
        "units": .array(
          reports.map {
            .object([.init("name", .string($0.name)), .init("state", .string($0.state))])
          })
      ])
    } else {
      finding.lines.append("systemd does not answer: no service manager restarts the kiosk")
      finding.json = finding.object([:])
    }
    return finding
  }

  /// Reports the usable input devices and why others can't be used, or an error.
  static func input(
    _ found: Result<(devices: [InputDevice], problems: [String]), InputError>,
    haptics: [(path: String, name: String)],
    settings: DeviceSettings = DeviceSettings("", path: DeviceSettings.path)
  ) -> Finding {
    var finding = Finding("input")
    var devices: [JSONValue] = []
    do throws(InputError) {
      let input = try found.get()
      for device in input.devices {
        let kinds = device.kinds.map(\.rawValue).sorted()
        var line = "\(device.path): \(device.name) (\(kinds.joined(separator: ", ")))"
        if let fingers = device.fingers { line += ", \(fingers) fingers" }
        if let size = device.millimetres { line += ", \(Int(size.width))×\(Int(size.height)) mm" }
        finding.lines.append(line)
        if let calibration = device.calibration {
          finding.lines.append("  calibration: \(calibration)")
        }
        devices.append(
          .object([
            .init("path", .string(device.path)), .init("name", .string(device.name)),
            .init("kinds", .array(kinds.map { .string($0) })),
            .init("fingers", device.fingers.map { .number(Double($0)) } ?? .null),
            .init(
              "calibration",
              device.calibration.map { .array($0.coefficients.map { .number($0) }) } ?? .null),
          ]))
      }
      finding.problems += input.problems + settings.problems
      let usable = input.devices.contains {
        $0.isTouchscreen || $0.kinds.contains(.pointer)
      }
      if !usable { finding.problems.append("no touchscreen or pointer found") }
    } catch {
      finding.problems.append("\(error)")
    }
    finding.lines += haptics.map { "\($0.path): \($0.name) (haptic)" }
    finding.json = finding.object([
      "devices": .array(devices),
      "haptics": .array(
        haptics.map {
          .object([.init("path", .string($0.path)), .init("name", .string($0.name))])
        }),
    ])
    return finding
  }

  static func sound(_ cards: SoundCards, of user: String) -> Finding {
    var finding = Finding("sound")
    if cards.outputs.isEmpty {
      finding.lines.append(
        cards.problem == nil
          ? "no sound card, but ALSA's default device works" : "no sound card: `play` is silent")
    }
    for output in cards.outputs {
      finding.lines.append("\(output.path)\(output.name.map { ": \($0)" } ?? "")")
      if !output.isWritable {
        finding.problems.append(
          "\(user) has no permission to use \(output.path): "
            + DeviceAccess.advice(for: output.path))
      }
    }
    if let problem = cards.problem, finding.problems.isEmpty, !cards.outputs.isEmpty {
      finding.problems.append(
        "\(problem); choose another sound card in /etc/asound.conf, or with ALSA_CARD in the environment"
      )
    }
    finding.json = finding.object([
      "outputs": .array(
        cards.outputs.map {
          .object([
            .init("path", .string($0.path)), .init("name", $0.name.map { .string($0) } ?? .null),
            .init("writable", .bool($0.isWritable)),
          ])
        }),
      "playable": .bool(cards.problem == nil),
    ])
    return finding
  }

  /// Reports the user. Root needs no groups.
  static func user(_ user: String, in names: [String], isRoot: Bool) -> Finding {
    var finding = Finding("user")
    finding.lines.append("\(user), in the groups \(names.joined(separator: ", "))")
    if !isRoot {
      for (group, what) in [("video", "use the display"), ("input", "read touches")]
      where !names.contains(group) {
        finding.problems.append(
          "\(user) cannot \(what) without the group \(group): usermod -aG \(group) \(user)")
      }
    }
    finding.json = finding.object([
      "user": .string(user), "groups": .array(names.map { .string($0) }),
    ])
    return finding
  }

  /// Reports the default font, or why it is missing.
  static func fonts(_ found: Result<(families: [String], usual: String), SystemFontError>)
    -> Finding
  {
    var finding = Finding("fonts")
    var families: [String] = []
    do throws(SystemFontError) {
      let fonts = try found.get()
      families = fonts.families
      finding.lines.append("\(families.count) families; sans-serif is \(fonts.usual)")
    } catch {
      finding.problems.append("\(error); install fonts-dejavu-core")
    }
    finding.json = finding.object(["families": .array(families.map { .string($0) })])
    return finding
  }
}
