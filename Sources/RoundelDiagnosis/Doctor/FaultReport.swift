// SPDX-License-Identifier: MIT

internal import DRMDisplay
internal import RoundelDrawing
internal import FramebufferDisplay
internal import RoundelGeometry
internal import Glibc
internal import InputDevices
internal import LinuxIO
internal import RoundelMotion
internal import RoundelPresentation
internal import RoundelRaster
internal import SystemPackage
internal import RoundelText

/// A report for finding out why a panel doesn't work.
///
/// It doesn't identify the machine: no host names, serial numbers or addresses, and only display
/// parameters of the kernel command line.
package struct FaultReport {
  package let text: String

  /// `running` is a running kiosk's report. If it is nil, a hundred frames are timed.
  package init(version: String, running: String?) {
    var parts: [(title: String, lines: [String])] = []
    parts.append(("roundel", [version]))
    parts.append(("machine", Self.machine))
    let cards = CardDisplay.cards()
    parts.append(("cards", cards.flatMap(Self.lines)))
    let examination = Examination(for: [])
    for finding in examination.findings where finding.name != "user" && finding.name != "units" {
      parts.append(
        ("doctor: \(finding.name)", finding.lines + finding.problems.map { "! \($0)" }))
    }
    parts.append(("axes of input devices", InputAxes.all().flatMap(\.lines)))
    if let running {
      parts.append(
        ("running kiosk", running.split(separator: "\n").map(String.init)))
    } else {
      parts.append(("flips", Self.flips))
    }
    let text = parts.map { part in
      "== \(part.title)\n" + part.lines.map { "\($0)\n" }.joined()
    }.joined(separator: "\n")
    self.text = Self.withoutSecrets(text, Self.secrets)
  }

  // MARK: The machine

  private static var machine: [String] {
    var name = utsname()
    // The call fills a local.
    unsafe uname(&name)
    func text<Field>(_ field: Field) -> String {
      unsafe withUnsafeBytes(of: field) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
    }
    let system =
      Files.kernelText("/etc/os-release").split(separator: "\n")
      .first { $0.hasPrefix("PRETTY_NAME=") }.map { $0.dropFirst("PRETTY_NAME=".count) }
      ?? "unknown"
    let board = ["/proc/device-tree/model", "/sys/class/dmi/id/product_name"]
      .map { Files.kernelText($0).filter { $0 != "\0" && $0 != "\n" } }.first { !$0.isEmpty }
    return [
      "kernel \(text(name.release)) \(text(name.machine))", "system \(system)",
      "board \(board ?? "unknown")",
      "command line \(commandLine(Files.kernelText("/proc/cmdline")))",
    ]
  }

  /// Keeps only display parameters' values. Others may be passwords or disks' numbers.
  static func commandLine(_ text: String) -> String {
    let shown = ["video", "drm", "fbcon", "vt", "console", "logo", "panel", "consoleblank"]
    // The arguments after -- are for the first program, and may be anything.
    return text.split(whereSeparator: \.isWhitespace).prefix { $0 != "--" }.map { word -> String in
      let key = word.prefix { $0 != "=" }
      guard key.count < word.count else { return String(word) }
      let family = key.split(separator: ".").first.map(String.init) ?? ""
      return shown.contains(family) ? String(word) : "\(key)=…"
    }.joined(separator: " ")
  }

  // MARK: DRM devices

  private static func lines(_ report: CardReport) -> [String] {
    switch report.resources {
    case .failure(let error): return ["\(report.path): \(error)"]
    case .success(let card):
      let depth = card.preferredDepth
      var lines = [
        "\(card.path): \(card.driver), \(card.isAtomic ? "atomic" : "legacy"),"
          + " dumb buffers \(card.hasDumbBuffers), preferred depth \(depth)"
      ]
      lines += card.refusals.map { "  refuses \($0)" }
      for connector in card.connectors {
        let size = connector.millimetres
        lines.append(
          "  connector \(connector.id) \(connector.name): \(connector.status),"
            + " \(size.width)x\(size.height) mm, CRTC \(connector.currentCRTC) of bits"
            + " \(String(connector.possibleCRTCs, radix: 2)), orientation"
            + " \(connector.orientation.map { "\($0.rawValue)" } ?? "unknown"), command line"
            + " \(connector.consoleRotation.map { "\($0.rawValue)" } ?? "unknown"),"
            + " link \(connector.hasBadLink ? "bad" : "good")")
        for mode in connector.modes {
          lines.append(
            "    mode \(mode)\(mode.isPreferred ? ", preferred" : ""), \(mode.pixelClock) kHz,"
              + " \(mode.horizontal.total)x\(mode.vertical.total) in all")
        }
      }
      for plane in card.planes {
        lines.append(
          "  plane \(plane.id) \(plane.kind), CRTCs \(String(plane.possibleCRTCs, radix: 2)):"
            + " \(plane.formats.map(\.description).joined(separator: " "))")
        if plane.kind == .primary, let first = plane.formats(depth: depth).first {
          lines.append("    painted in \(first)")
        }
      }
      return lines
    }
  }

  // MARK: Flips

  private static let flipCount = 100
  private static let flipSeconds = 10.0

  /// The intervals between frames.
  private static var flips: [String] {
    do throws(any Error) {
      let loop = try EventLoop()
      let display = CardDisplay(canvasSize: PixelSize(64, 64), on: loop)
      let place = display.place.map { "\($0.card) \($0.output) \($0.mode) \($0.format)" }
      var times: [Double] = []
      var shown: Timestamp?
      func flipped(_ time: Timestamp) {
        if let shown { times.append(time - shown) }
        shown = time
      }
      display.onFlip = { time, _ in flipped(time) }
      let end = MonotonicClock.now + flipSeconds
      var number = 0
      var painter: Painter?
      while times.count < flipCount, MonotonicClock.now < end {
        if case .waiting(let obstacle) = display.state {
          return ["cannot show frames: \(obstacle)"]
        }
        if display.isReady {
          let size = display.canvasSize
          let current =
            if let painter, painter.size == size { painter } else {
              Painter(
                size: size, viewport: Viewport(scale: 1, offset: Vector(0, 0)), fonts: FontLibrary()
              )
            }
          painter = current
          number += 1
          var list = DisplayList()
          list.add(
            .roundedRect(
              RoundedRect(
                Rect(x0: 0, y0: 0, x1: Double(size.width), y1: Double(size.height)))),
            number % 2 == 0 ? .black : Color(hex: 0x101010))
          current.show(list)
          if let time = try display.present(current) { flipped(time) }
        }
        try loop.turn(until: min(end, MonotonicClock.now + 0.1))
      }
      guard !times.isEmpty else { return ["no flip reported within \(Int(flipSeconds)) s"] }
      let sorted = times.sorted()
      func milliseconds(_ seconds: Double) -> String { "\((seconds * 1e5).rounded() / 100) ms" }
      return [
        place ?? "nothing shown",
        "\(times.count) flips: median \(milliseconds(sorted[sorted.count / 2])), least"
          + " \(milliseconds(sorted[0])), most \(milliseconds(sorted[sorted.count - 1])), blanks of"
          + " \(display.blanks.rawValue)",
        "each: " + times.map { milliseconds($0) }.joined(separator: ", "),
      ]
    } catch {
      return ["cannot show frames: \(error)"]
    }
  }

  // MARK: Secrets

  /// Names and numbers that identify this machine or its user.
  private static var secrets: [String] {
    var name = [CChar](repeating: 0, count: 256)
    // The call leaves the last byte zero.
    unsafe gethostname(&name, name.count - 1)
    let host = String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let numbers = [
      "/etc/machine-id", "/proc/device-tree/serial-number", "/sys/class/dmi/id/product_serial",
      "/sys/class/dmi/id/board_serial", "/sys/class/dmi/id/product_uuid",
    ].map { Files.kernelText($0).filter { $0 != "\0" && $0 != "\n" } }
    return [host, UserGroups.userName] + numbers
  }

  static func withoutSecrets(_ text: String, _ secrets: [String]) -> String {
    var text = text
    // A short name might also be a word.
    for secret in secrets where secret.count > 3 && secret != "root" && secret != "roundel" {
      text = text.replacing(secret, with: "…")
    }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var result = ""
      var word = ""
      func flush() {
        result += isNumber(word) ? "…" : word
        word = ""
      }
      for letter in line {
        if letter.isASCII,
          letter.isHexDigit || letter == ":" || letter == "-" || letter == "."
            || letter.isLetter
        {
          word.append(letter)
        } else {
          flush()
          result.append(letter)
        }
      }
      flush()
      return result
    }.joined(separator: "\n")
  }

  /// Whether a word looks like a MAC address, an IP address, a UUID, or a number of at least
  /// sixteen digits.
  private static func isNumber(_ word: String) -> Bool {
    let bytes = word.split(separator: ":", omittingEmptySubsequences: false)
    if bytes.count == 6, bytes.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isHexDigit) }) {
      return true
    }
    if bytes.count >= 4, word.contains("::") || bytes.count == 8,
      bytes.allSatisfy({ $0.count <= 4 && $0.allSatisfy(\.isHexDigit) })
    {
      return true
    }
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count == 4, parts.allSatisfy({ Int($0).map { (0...255).contains($0) } ?? false }) {
      return true
    }
    let digits = word.filter { $0 != "-" }
    return digits.count >= 16 && digits.allSatisfy(\.isHexDigit)
      && digits.contains(where: \.isNumber)
  }
}
