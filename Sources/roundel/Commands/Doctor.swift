// SPDX-License-Identifier: MIT

import ArgumentParser
import DRMDisplay
import FramebufferDisplay
import Geometry
import Glibc
import InputDevices
import JSON
import Kiosk
import KioskFile
import KioskHost
import LinuxIO
import Presentation
import SoundOutput
import SystemFonts
import SystemPackage
import WaylandDisplay

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
    let (framebuffers, wayland) = (framebuffers, wayland)
    let others =
      (wayland.isUsable ? ["the compositor"] : [])
      + (framebuffers.isUsable ? ["--display fbdev"] : [])
    let findings =
      [
        display(besides: others), backlight, framebuffers, wayland, console, units, input, sound,
        groups, fonts,
      ] + (kiosks.isEmpty ? [] : [images, programs])
    if json {
      StandardOutput.write(
        JSONValue.object(findings.map { JSONValue.Member($0.name, $0.json) }).text + "\n")
    } else {
      for finding in findings { StandardOutput.write(finding.text) }
    }
    let count = findings.reduce(0) { $0 + $1.problems.count }
    if count > 0 {
      throw Failure(
        .didNotHold,
        count == 1 ? "something stands in the way" : "\(count) things stand in the way")
    }
  }

  /// What was found out about one matter.
  private struct Finding {
    var name: String
    /// What there is, a line each.
    var lines: [String] = []
    var json: JSONValue = .null
    /// What stands in the way, and what to do about it.
    var problems: [String] = []
    /// Whether a kiosk can be shown by it.
    var isUsable = false

    /// `members` and the problems as JSON.
    func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
      .object(
        members.map { JSONValue.Member($0.key, $0.value) }
          + [.init("problems", .array(problems.map { .string($0) }))])
    }

    var text: String {
      "\(name)\n" + lines.map { "  \($0)\n" }.joined()
        + problems.map { "  ! \($0)\n" }.joined()
    }
  }

  /// The panels, and by what else a kiosk can be shown.
  private func display(besides others: [String]) -> Finding {
    var finding = Finding(name: "display")
    var cards: [JSONValue] = []
    var hasPanel = false
    for card in CardDisplay.cards() {
      switch card.resources {
      case .failure(let error):
        finding.problems.append("\(error)")
        cards.append(
          .object([.init("path", .string(card.path)), .init("problem", .string("\(error)"))]))
      case .success(let resources):
        let abilities =
          "\(resources.isAtomic ? "atomic" : "legacy"), "
          + "\(resources.hasDumbBuffers ? "" : "no ")dumb buffers"
        finding.lines.append(
          "\(card.path): \(resources.driver), \(abilities)"
            + (card.master.map { ", held by \($0)" } ?? ""))
        var connectors: [JSONValue] = []
        for connector in resources.connectors {
          let isConnected = connector.status != .disconnected && !connector.modes.isEmpty
          hasPanel = hasPanel || (isConnected && resources.hasDumbBuffers)
          let modes = connector.modes.map { "\($0)" }
          let shown = modes.prefix(6).joined(separator: ", ") + (modes.count > 6 ? ", …" : "")
          finding.lines.append("  \(connector.name): \(connector.status) \(shown)")
          connectors.append(
            .object([
              .init("name", .string(connector.name)),
              .init("status", .string("\(connector.status)")),
              .init("modes", .array(modes.map { .string($0) })),
            ]))
        }
        finding.lines += mirroring(card, resources)
        cards.append(
          .object([
            .init("path", .string(card.path)), .init("driver", .string(resources.driver)),
            .init("atomic", .bool(resources.isAtomic)),
            .init("dumb_buffers", .bool(resources.hasDumbBuffers)),
            .init("master", card.master.map { .string($0) } ?? .null),
            .init("connectors", .array(connectors)),
          ]))
      }
    }
    let obstacle: String? =
      cards.isEmpty
      ? "no DRM card in /dev/dri: the kernel has no driver for the graphics device, or it is not loaded"
      : hasPanel ? nil : "no panel is connected to a card that has dumb buffers"
    if let obstacle {
      if others.isEmpty {
        finding.problems.append("\(obstacle); kiosks can be shown in a terminal only")
      } else {
        finding.lines.append(
          "\(obstacle); kiosks can be shown by \(others.joined(separator: " or "))")
      }
    }
    finding.json = finding.object(["cards": .array(cards)])
    return finding
  }

  /// Whether the outputs of a card to which something is connected can show the same picture.
  private func mirroring(_ card: CardReport, _ resources: CardResources) -> [String] {
    let names = resources.connectors.filter { $0.status == .connected && !$0.modes.isEmpty }
      .map(\.name)
    guard names.count > 1, resources.hasDumbBuffers else { return [] }
    let joined = names.joined(separator: ",")
    do throws(DisplayError) {
      let choice = try Output.choose(among: [card], for: OutputRequest(outputs: names))
      guard let mode = choice.outputs.first?.mode else { return [] }
      return choice.leftOut.isEmpty
        ? ["  --output \(joined) shows the same on all of them, in \(mode)"]
        : choice.leftOut.map { "  not all can show the same picture: \($0)" }
    } catch {
      return ["  not all can show the same picture: \(error)"]
    }
  }

  private var console: Finding {
    var finding = Finding(name: "console")
    let report = ConsoleReport()
    finding.lines.append(report.shown.map { "\($0) is shown" } ?? "no virtual console")
    finding.lines += report.advice
    if report.hasSplash {
      finding.lines.append("plymouth shows a splash until the kiosk's first frame")
    }
    finding.problems = report.problems
    finding.json = finding.object([
      "shown": report.shown.map { .string($0) } ?? .null,
      "advice": .array(report.advice.map { .string($0) }),
      "splash": .bool(report.hasSplash),
    ])
    return finding
  }

  private var units: Finding {
    var finding = Finding(name: "units")
    if let reports = UnitReport.all() {
      if reports.isEmpty {
        finding.lines.append(
          "none is loaded; sudo systemctl enable --now roundel@NAME shows /etc/roundel/NAME.yaml")
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
      finding.lines.append("systemd cannot be asked: nothing starts a kiosk again that ends")
      finding.json = finding.object([:])
    }
    return finding
  }

  private var framebuffers: Finding {
    var finding = Finding(name: "fbdev")
    let reports = FramebufferReport.all()
    if reports.isEmpty { finding.lines.append("no frame buffer in /dev") }
    for report in reports {
      if let description = report.description {
        finding.lines.append("\(report.path): \(description)")
        finding.isUsable = finding.isUsable || report.problem == nil
      }
      if let problem = report.problem { finding.problems.append(problem) }
    }
    finding.json = finding.object([
      "framebuffers": .array(
        reports.map {
          .object([
            .init("path", .string($0.path)),
            .init("description", $0.description.map { .string($0) } ?? .null),
          ])
        })
    ])
    return finding
  }

  private var wayland: Finding {
    var finding = Finding(name: "wayland")
    guard CompositorReport.isExpected else {
      finding.lines.append("no compositor: WAYLAND_DISPLAY is not set")
      finding.json = finding.object([:])
      return finding
    }
    do throws(DisplayError) {
      let report = try CompositorReport()
      finding.lines.append("compositor at \(report.place)")
      finding.lines += report.outputs.map { "  \($0)" }
      finding.lines += report.seats.map { "  \($0)" }
      finding.lines.append(
        "  " + report.interfaces.map { "\($0.name) \($0.version)" }.joined(separator: ", "))
      for missing in report.missing {
        if missing.isRequired {
          finding.problems.append(
            "the compositor lacks \(missing.name), which is needed \(missing.consequence)")
        } else {
          finding.lines.append("  without \(missing.name): \(missing.consequence)")
        }
      }
      finding.isUsable = finding.problems.isEmpty
      finding.json = finding.object([
        "compositor": .string(report.place),
        "interfaces": .object(
          report.interfaces.map { JSONValue.Member($0.name, .number(Double($0.version))) }),
        "missing": .array(report.missing.map { .string($0.name) }),
        "outputs": .array(report.outputs.map { .string($0) }),
        "seats": .array(report.seats.map { .string($0) }),
      ])
    } catch {
      finding.problems.append("\(error)")
      finding.json = finding.object([:])
    }
    return finding
  }

  private var input: Finding {
    var finding = Finding(name: "input")
    var devices: [JSONValue] = []
    do {
      let input = try SeatInput(
        mapping: PanelMapping(canvas: PixelSize(1, 1), rotation: .none), on: EventLoop()
      ) { _, _ in }
      for device in input.devices {
        let kinds = device.kinds.map(\.rawValue).sorted()
        var line = "\(device.path): \(device.name) (\(kinds.joined(separator: ", ")))"
        if let fingers = device.fingers { line += ", \(fingers) fingers" }
        if let size = device.millimetres { line += ", \(Int(size.width))×\(Int(size.height)) mm" }
        finding.lines.append(line)
        devices.append(
          .object([
            .init("path", .string(device.path)), .init("name", .string(device.name)),
            .init("kinds", .array(kinds.map { .string($0) })),
            .init("fingers", device.fingers.map { .number(Double($0)) } ?? .null),
          ]))
      }
      finding.problems += input.problems.map(\.description)
      let usable = input.devices.contains {
        $0.kinds.contains(.touch) || $0.kinds.contains(.pointer)
      }
      if !usable { finding.problems.append("no touch panel and no pointer was found") }
    } catch {
      finding.problems.append("\(error)")
    }
    let haptics = HapticDevice.all()
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

  private var backlight: Finding {
    var finding = Finding(name: "backlight")
    let light = Backlight()
    let names = light.names
    finding.lines += names
    if names.isEmpty {
      finding.lines.append("none; a panel that turns dark without a signal needs none")
    }
    for name in names where !light.isWritable(name) {
      finding.problems.append(
        "\(UserGroups.userName) may not set \(name): brightness and sleep leave it as it is;"
          + " the package's udev rule gives it to the group roundel, after sudo udevadm trigger"
          + " --action=add --subsystem-match=backlight")
    }
    finding.json = finding.object([
      "lights": .array(
        names.map {
          .object([.init("name", .string($0)), .init("writable", .bool(light.isWritable($0)))])
        })
    ])
    return finding
  }

  private var sound: Finding {
    var finding = Finding(name: "sound")
    let cards = SoundCards()
    if cards.outputs.isEmpty {
      finding.lines.append(
        cards.problem == nil
          ? "no sound card, but ALSA's default device plays" : "no sound card: `play` is silent")
    }
    for output in cards.outputs {
      finding.lines.append("\(output.path)\(output.name.map { ": \($0)" } ?? "")")
      if !output.isWritable {
        finding.problems.append(
          "\(UserGroups.userName) may not play on \(output.path): "
            + DeviceAccess.advice(for: output.path))
      }
    }
    if let problem = cards.problem, finding.problems.isEmpty, !cards.outputs.isEmpty {
      finding.problems.append(
        "\(problem); another card is chosen in /etc/asound.conf, or by ALSA_CARD in the environment"
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

  private var groups: Finding {
    var finding = Finding(name: "user")
    let names = UserGroups.ofThisProcess
    let user = UserGroups.userName
    finding.lines.append("\(user), in the groups \(names.joined(separator: ", "))")
    if getuid() != 0 {
      for (group, what) in [("video", "show a picture"), ("input", "read touches")]
      where !names.contains(group) {
        finding.problems.append(
          "\(user) is not in the group \(group), which may \(what): usermod -aG \(group) \(user)")
      }
    }
    finding.json = finding.object([
      "user": .string(user), "groups": .array(names.map { .string($0) }),
    ])
    return finding
  }

  private var fonts: Finding {
    var finding = Finding(name: "fonts")
    var families: [String] = []
    do {
      let fonts = try SystemFonts()
      families = fonts.families
      let standard = try fonts.file(for: "sans-serif")
      finding.lines.append("\(families.count) families; sans-serif is \(standard.path)")
    } catch {
      finding.problems.append("\(error); install fonts-dejavu-core")
    }
    finding.json = finding.object(["families": .array(families.map { .string($0) })])
    return finding
  }

  /// The images of kiosk files, and which are not shown in the colours that they claim.
  private var images: Finding {
    var finding = Finding(name: "images")
    var profiles: [JSONValue] = []
    for kiosk in kiosks {
      do throws(Failure) {
        let assets = Assets()
        let reading = try ParsedKiosk(kioskFile: kiosk, assets: assets)
        finding.lines.append("\(kiosk): \(reading.images.count) images")
        if reading.description == nil {
          finding.problems.append("\(kiosk) has mistakes: see roundel check \(kiosk)")
        }
        for image in reading.images {
          guard let profile = assets.ignoredProfile(ofImageAt: image) else { continue }
          finding.problems.append(
            "\(image) has \(profile), which is ignored: export it as sRGB, or convert it with "
              + "ImageMagick: convert \(image) -profile sRGB.icc NEW")
          profiles.append(
            .object([.init("path", .string(image)), .init("profile", .string(profile))]))
        }
      } catch {
        finding.problems.append("\(kiosk): \(error.message)")
      }
    }
    finding.json = finding.object(["ignored_profiles": .array(profiles)])
    return finding
  }

  /// The programs of kiosk files, and what the sandbox of the unit lets them do.
  private var programs: Finding {
    var finding = Finding(name: "programs")
    var kioskPrograms: [JSONValue] = []
    var explained: String?
    for kiosk in kiosks {
      // What is wrong with the file is among its images.
      guard let reading = try? ParsedKiosk(kioskFile: kiosk, assets: Assets()) else { continue }
      let logic = reading.description?.logic.first
      if !reading.programs.isEmpty { explained = explained ?? kiosk }
      finding.lines.append(
        "\(kiosk): "
          + (reading.programs.isEmpty
            ? "no programs"
            : reading.programs.map { $0 == logic ? "\($0) (logic)" : $0 }.joined(separator: ", ")))
      kioskPrograms.append(
        .object([
          .init("kiosk", .string(kiosk)), .init("logic", logic.map { .string($0) } ?? .null),
          .init("programs", .array(reading.programs.map { .string($0) })),
        ]))
    }
    if let explained {
      finding.lines += Self.sandbox(of: FilePath(explained).stem ?? "NAME")
    }
    finding.json = finding.object(["kiosks": .array(kioskPrograms)])
    return finding
  }

  /// As systemd/roundel@.service says.
  private static func sandbox(of name: String) -> [String] {
    [
      "roundel@\(name) runs them in its sandbox, as the user roundel. They may",
      "read what all users may, but nothing in /home and /root;",
      "write in /var/lib/roundel, /run/roundel, and a /tmp that nobody else sees;",
      "use the panel, input devices and sound cards, and no other devices;",
      "take 512 MiB and 128 tasks, together with the kiosk;",
      "not become another user, nor make memory executable that they can write.",
      "They have no network. For those that need it: systemctl edit roundel@\(name), with",
      "  [Service]",
      "  RestrictAddressFamilies=AF_INET AF_INET6",
      "  IPAddressAllow=any",
      "or, in place of \"any\", the address of the one machine that they need.",
    ]
  }
}
