// SPDX-License-Identifier: MIT

internal import DRMDisplay
internal import FramebufferDisplay
internal import RoundelGeometry
internal import RoundelJSON
internal import LinuxIO
internal import RoundelPresentation
internal import WaylandDisplay

extension Finding {
  static func display(_ reports: [CardReport], otherDisplays others: [String]) -> Finding {
    var finding = Finding("display")
    var cards: [JSONValue] = []
    var hasPanel = false
    for card in reports {
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
          if let turn = turn(of: connector) { finding.lines.append("    \(turn)") }
          connectors.append(
            .object([
              .init("name", .string(connector.name)),
              .init("status", .string("\(connector.status)")),
              .init("modes", .array(modes.map { .string($0) })),
              .init("rotate", .number(Double(connector.uprightRotation.rawValue))),
            ]))
        }
        finding.lines += resources.refusals.map { "  the driver refuses \($0)" }
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
    finding.lines += mirroring(reports)
    let obstacle: String? =
      cards.isEmpty
      ? "no DRM device in /dev/dri: the kernel has no driver for the graphics card, or hasn't loaded it"
      : hasPanel ? nil : "no panel is connected to a DRM device with dumb buffers"
    if let obstacle {
      if others.isEmpty {
        finding.problems.append("\(obstacle); kiosks run only in a terminal")
      } else {
        finding.lines.append(
          "\(obstacle); kiosks run with \(others.joined(separator: " or "))")
      }
    }
    finding.json = finding.object(["cards": .array(cards)])
    return finding
  }

  /// Returns nil if nothing specifies `rotate: auto`.
  private static func turn(of connector: Connector) -> String? {
    switch (connector.orientation, connector.consoleRotation) {
    case (nil, nil): nil
    case (let driver?, nil): "rotate: auto is \(driver.rawValue), from the driver"
    case (nil, let console?):
      "rotate: auto is \(console.rawValue), from the kernel's command line"
    case (let driver?, let console?) where driver == console:
      "rotate: auto is \(driver.rawValue), from the driver and the kernel's command line"
    case (let driver?, let console?):
      "rotate: auto is \(driver.rawValue), from the driver; the console is rotated by"
        + " \(console.rawValue), from rotate= or panel_orientation= on the kernel's command line"
    }
  }

  private static func mirroring(_ cards: [CardReport]) -> [String] {
    let names = cards.compactMap { try? $0.resources.get() }.filter(\.hasDumbBuffers)
      .flatMap(\.connectors).filter { $0.status == .connected && !$0.modes.isEmpty }.map(\.name)
    guard names.count > 1 else { return [] }
    do throws(DisplayError) {
      let choice = try Output.choose(among: cards, for: OutputRequest(outputs: names))
      return choice.leftOut.isEmpty
        ? ["--output \(names.joined(separator: ",")) shows the same picture on all"]
        : choice.leftOut.map { "not all outputs can show the same picture: \($0)" }
    } catch {
      return ["not all outputs can show the same picture: \(error)"]
    }
  }

  static func backlight(_ light: Backlight, of user: String) -> Finding {
    var finding = Finding("backlight")
    let names = light.names
    finding.lines += names
    if names.isEmpty {
      finding.lines.append("none; not needed if the panel turns dark without a signal")
    }
    for name in names where !light.isWritable(name) {
      finding.problems.append(
        "\(user) has no permission to set \(name), so brightness and sleep don't affect it;"
          + " run sudo udevadm trigger --action=add --subsystem-match=backlight to apply the"
          + " package's udev rule for the group roundel")
    }
    finding.json = finding.object([
      "lights": .array(
        names.map {
          .object([.init("name", .string($0)), .init("writable", .bool(light.isWritable($0)))])
        })
    ])
    return finding
  }

  static func framebuffers(_ reports: [FramebufferReport]) -> Finding {
    var finding = Finding("fbdev")
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

  /// Reports the compositor. Nil means that there isn't one.
  static func wayland(_ found: Result<CompositorReport, DisplayError>?) -> Finding {
    var finding = Finding("wayland")
    guard let found else {
      finding.lines.append("no compositor: WAYLAND_DISPLAY is not set")
      finding.json = finding.object([:])
      return finding
    }
    do throws(DisplayError) {
      let report = try found.get()
      finding.lines.append("compositor at \(report.place)")
      finding.lines += report.outputs.map { "  \($0)" }
      finding.lines += report.seats.map { "  \($0)" }
      finding.lines.append(
        "  " + report.interfaces.map { "\($0.name) \($0.version)" }.joined(separator: ", "))
      for missing in report.missing {
        if missing.isRequired {
          finding.problems.append(
            "the compositor lacks \(missing.name), needed \(missing.consequence)")
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

  static func console(_ report: ConsoleReport) -> Finding {
    var finding = Finding("console")
    finding.lines.append(report.shown.map { "\($0) is active" } ?? "no virtual console")
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
}
