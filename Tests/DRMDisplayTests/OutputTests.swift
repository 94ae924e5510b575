// SPDX-License-Identifier: MIT

import DRMDisplay
import RoundelGeometry
import LinuxIO
import RoundelPresentation
import RoundelRaster
import Testing

private let argb8888 = PixelFormat(fourcc: 0x3432_5241) ?? .xrgb8888
private let full = Mode(size: PixelSize(1920, 1080), refresh: 60)
private let small = Mode(size: PixelSize(1280, 800), refresh: 60, isPreferred: true)
private let fast = Mode(size: PixelSize(1280, 800), refresh: 75)

/// A device with one connector, one CRTC and one primary plane. Each row changes some of it.
private func card(
  _ connectors: [Connector]? = nil, path: String = "/dev/dri/card0", driver: String = "vc4",
  crtcs: [UInt32] = [40], planes: [Plane]? = nil, hasDumbBuffers: Bool = true,
  depth: Int = 0
) -> CardReport {
  let resources = CardResources(
    path: path, driver: driver, hasDumbBuffers: hasDumbBuffers, preferredDepth: depth,
    connectors: connectors ?? [Connector(id: 30, name: "HDMI-A-1", modes: [small])],
    crtcs: crtcs.map { CRTC(id: $0) },
    planes: planes ?? crtcs.indices.map { Plane(id: 50 + UInt32($0), possibleCRTCs: 1 << $0) })
  return CardReport(path: path, resources: .success(resources))
}

private struct Case: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var cards: [CardReport]
  var request = OutputRequest()
  /// The device, connector, CRTC, plane, mode and format, or the error.
  var expected: String
}

private let cases: [Case] = [
  Case(
    testDescription: "the only output of the only card",
    cards: [card()],
    expected: "/dev/dri/card0 HDMI-A-1 40 50 1280x800@60 XRGB8888"),
  Case(
    testDescription: "a pure 3D engine is passed over",
    cards: [
      card([], driver: "v3d", crtcs: [], hasDumbBuffers: false), card(path: "/dev/dri/card1"),
    ],
    expected: "/dev/dri/card1 HDMI-A-1 40 50 1280x800@60 XRGB8888"),
  Case(
    testDescription: "a card that could not be opened is passed over",
    cards: [
      CardReport(path: "/dev/dri/card0", resources: .failure(DisplayError(.permission, "no"))),
      card(path: "/dev/dri/card1"),
    ],
    expected: "/dev/dri/card1 HDMI-A-1 40 50 1280x800@60 XRGB8888"),
  Case(
    testDescription: "the first connected connector, not the first",
    cards: [
      card([
        Connector(id: 30, name: "HDMI-A-1", status: .disconnected, modes: [small]),
        Connector(id: 31, name: "DSI-1", modes: [full]),
      ])
    ],
    expected: "/dev/dri/card0 DSI-1 40 50 1920x1080@60 XRGB8888"),
  Case(
    testDescription: "a connected connector without modes is passed over",
    cards: [
      card([Connector(id: 30, name: "HDMI-A-1"), Connector(id: 31, name: "DSI-1", modes: [full])])
    ],
    expected: "/dev/dri/card0 DSI-1 40 50 1920x1080@60 XRGB8888"),
  Case(
    testDescription: "the output asked for, on whichever card",
    cards: [
      card(), card([Connector(id: 31, name: "DSI-1", modes: [full])], path: "/dev/dri/card1"),
    ],
    request: OutputRequest(outputs: ["DSI-1"]),
    expected: "/dev/dri/card1 DSI-1 40 50 1920x1080@60 XRGB8888"),
  Case(
    testDescription: "a connector that cannot tell counts when asked for",
    cards: [card([Connector(id: 30, name: "VGA-1", status: .unknown, modes: [full])])],
    request: OutputRequest(outputs: ["VGA-1"]),
    expected: "/dev/dri/card0 VGA-1 40 50 1920x1080@60 XRGB8888"),
  Case(
    testDescription: "a connector that cannot tell does not count by itself",
    cards: [card([Connector(id: 30, name: "VGA-1", status: .unknown, modes: [full])])],
    expected: "unavailable: VGA-1 is not connected"),
  Case(
    testDescription: "the preferred mode before larger ones",
    cards: [card([Connector(id: 30, name: "HDMI-A-1", modes: [full, fast, small])])],
    expected: "/dev/dri/card0 HDMI-A-1 40 50 1280x800@60 XRGB8888"),
  Case(
    testDescription: "the largest and then the fastest where none is preferred",
    cards: [
      card([
        Connector(
          id: 30, name: "HDMI-A-1",
          modes: [
            fast, Mode(size: PixelSize(1920, 1080), refresh: 50), full,
            Mode(size: PixelSize(1920, 1080), refresh: 30),
          ])
      ])
    ],
    expected: "/dev/dri/card0 HDMI-A-1 40 50 1920x1080@60 XRGB8888"),
  Case(
    testDescription: "the mode asked for",
    cards: [card([Connector(id: 30, name: "HDMI-A-1", modes: [small, full, fast])])],
    request: OutputRequest(mode: ModeRequest("1280x800@75")),
    expected: "/dev/dri/card0 HDMI-A-1 40 50 1280x800@75 XRGB8888"),
  Case(
    testDescription: "a mode that the panel lacks",
    cards: [card([Connector(id: 30, name: "HDMI-A-1", modes: [small, full])])],
    request: OutputRequest(mode: ModeRequest("800x600")),
    expected: "unavailable: HDMI-A-1 has no mode 800x600, only 1280x800@60, 1920x1080@60"),
  Case(
    testDescription: "the CRTC that feeds the connector already",
    cards: [
      card(
        [Connector(id: 30, name: "DSI-1", modes: [small], possibleCRTCs: 0b111, currentCRTC: 42)],
        crtcs: [40, 41, 42])
    ],
    expected: "/dev/dri/card0 DSI-1 42 52 1280x800@60 XRGB8888"),
  Case(
    testDescription: "a CRTC that feeds no other connector",
    cards: [
      card(
        [
          Connector(id: 30, name: "HDMI-A-1", possibleCRTCs: 0b11, currentCRTC: 40),
          Connector(id: 31, name: "DSI-1", modes: [small], possibleCRTCs: 0b11),
        ], crtcs: [40, 41])
    ],
    expected: "/dev/dri/card0 DSI-1 41 51 1280x800@60 XRGB8888"),
  Case(
    testDescription: "only CRTCs that can feed the connector",
    cards: [
      card(
        [Connector(id: 30, name: "DSI-1", modes: [small], possibleCRTCs: 0b10)], crtcs: [40, 41])
    ],
    expected: "/dev/dri/card0 DSI-1 41 51 1280x800@60 XRGB8888"),
  Case(
    testDescription: "never an overlay or a cursor plane",
    cards: [
      card(planes: [
        Plane(id: 50, kind: .overlay), Plane(id: 51, kind: .cursor, formats: [argb8888]),
        Plane(id: 52),
      ])
    ],
    expected: "/dev/dri/card0 HDMI-A-1 40 52 1280x800@60 XRGB8888"),
  Case(
    testDescription: "the plane that shows something on the CRTC already, then a free one",
    cards: [
      card(
        [Connector(id: 30, name: "DSI-1", modes: [small], possibleCRTCs: 0b10)], crtcs: [40, 41],
        planes: [
          Plane(id: 50, possibleCRTCs: 0b11, currentCRTC: 40),
          Plane(id: 51, possibleCRTCs: 0b11),
          Plane(id: 52, possibleCRTCs: 0b11, currentCRTC: 41),
        ])
    ],
    expected: "/dev/dri/card0 DSI-1 41 52 1280x800@60 XRGB8888"),
  Case(
    testDescription: "XRGB8888 before ARGB8888",
    cards: [card(planes: [Plane(id: 50, formats: [argb8888, .rgb565, .xrgb8888])])],
    expected: "/dev/dri/card0 HDMI-A-1 40 50 1280x800@60 XRGB8888"),
  Case(
    testDescription: "ARGB8888 before RGB565",
    cards: [card(planes: [Plane(id: 50, formats: [argb8888, .rgb565])])],
    expected: "/dev/dri/card0 HDMI-A-1 40 50 1280x800@60 ARGB8888"),
  Case(
    testDescription: "RGB565 where there is nothing else",
    cards: [card(planes: [Plane(id: 50, formats: [.rgb565])])],
    expected: "/dev/dri/card0 HDMI-A-1 40 50 1280x800@60 RGB565"),
  Case(
    testDescription: "a panel that is built in, before what is plugged in",
    cards: [
      card([Connector(id: 30, name: "HDMI-A-1", modes: [full])]),
      card(
        [
          Connector(id: 30, name: "DSI-1", status: .disconnected, modes: [small]),
          Connector(id: 31, name: "DSI-2", modes: [small]),
        ], path: "/dev/dri/card1", driver: "drm-rp1-dsi"),
    ],
    expected: "/dev/dri/card1 DSI-2 40 50 1280x800@60 XRGB8888"),
  Case(
    testDescription: "what is plugged in, where the panel that is built in has no such mode",
    cards: [
      card([Connector(id: 30, name: "HDMI-A-1", modes: [full])]),
      card([Connector(id: 30, name: "eDP-1", modes: [small])], path: "/dev/dri/card1"),
    ],
    request: OutputRequest(mode: ModeRequest("1920x1080")),
    expected: "/dev/dri/card0 HDMI-A-1 40 50 1920x1080@60 XRGB8888"),
  Case(
    testDescription: "the driver's order: what its panel takes comes first",
    cards: [
      card(driver: "panel-mipi-dbi", planes: [Plane(id: 50, formats: [.rgb565, .xrgb8888])])
    ],
    expected: "/dev/dri/card0 HDMI-A-1 40 50 1280x800@60 RGB565"),
  Case(
    testDescription: "the depth that the driver recommends",
    cards: [
      card(driver: "cirrus", planes: [Plane(id: 50, formats: [.xrgb8888, .rgb565])], depth: 16)
    ],
    expected: "/dev/dri/card0 HDMI-A-1 40 50 1280x800@60 RGB565"),
  Case(
    testDescription: "a depth of 32 is one of 24",
    cards: [card(planes: [Plane(id: 50, formats: [.rgb565, .xrgb8888])], depth: 32)],
    expected: "/dev/dri/card0 HDMI-A-1 40 50 1280x800@60 XRGB8888"),
  Case(
    testDescription: "a depth that no format has",
    cards: [card(planes: [Plane(id: 50, formats: [.rgb565, .xrgb8888])], depth: 8)],
    expected: "/dev/dri/card0 HDMI-A-1 40 50 1280x800@60 RGB565"),
  Case(
    testDescription: "an alphabetical list begins with few bits",
    cards: [
      card(planes: [
        Plane(
          id: 50,
          formats: ["ARGB4444", "XRGB2101010", "XRGB1555", "BGR888"].compactMap {
            PixelFormat(named: $0)
          })
      ])
    ],
    expected: "/dev/dri/card0 HDMI-A-1 40 50 1280x800@60 BGR888"),
  Case(
    testDescription: "a plane of unknown formats only",
    cards: [card(planes: [Plane(id: 50, formats: [])])],
    expected: "unavailable: HDMI-A-1 has no free CRTC with a primary plane of a known format"),
  Case(
    testDescription: "a kernel that tells nothing of planes",
    cards: [card(planes: [])],
    expected: "/dev/dri/card0 HDMI-A-1 40 0 1280x800@60 XRGB8888"),
  Case(
    testDescription: "an output that no card has",
    cards: [card()], request: OutputRequest(outputs: ["DSI-2"]),
    expected: "unavailable: no output DSI-2, only HDMI-A-1"),
  Case(testDescription: "no card", cards: [], expected: "unavailable: no DRM device found"),
  Case(
    testDescription: "cards that may not be opened",
    cards: [
      CardReport(
        path: "/dev/dri/card0",
        resources: .failure(DisplayError(.permission, "no permission to open /dev/dri/card0"))),
      card([Connector(id: 30, name: "HDMI-A-1", status: .disconnected)], path: "/dev/dri/card1"),
    ],
    expected: "permission: no permission to open /dev/dri/card0"),
]

@Suite struct OutputTests {
  @Test(arguments: cases)
  private func `outputs are chosen by the table`(_ row: Case) {
    let chosen: String
    do {
      let output = try Output.choose(among: row.cards, for: row.request).outputs[0]
      chosen =
        "\(output.card) \(output.connector.name) \(output.crtc.id) \(output.plane?.id ?? 0)"
        + " \(output.mode) \(output.format)"
      #expect(chosen == row.expected)
    } catch {
      #expect("\(error.kind): \(error)".hasPrefix(row.expected.prefix { $0 != ":" }), "\(error)")
      let words = row.expected.drop { $0 != " " }.dropFirst()
      #expect(error.description.contains(words), "\(error)")
    }
  }

  /// Two connectors that share two CRTCs with one plane each.
  private func pair(_ first: Connector, _ second: Connector, formats: [PixelFormat])
    -> CardReport
  {
    card(
      [first, second], crtcs: [40, 41],
      planes: [
        Plane(id: 50, possibleCRTCs: 0b01), Plane(id: 51, possibleCRTCs: 0b10, formats: formats),
      ])
  }

  private func choice(_ cards: CardReport..., names: [String], mode: String? = nil) throws
    -> (shown: [String], leftOut: [String])
  {
    let (outputs, leftOut) = try Output.choose(
      among: cards, for: OutputRequest(outputs: names, mode: mode.flatMap { ModeRequest($0) }))
    return (
      outputs.map { "\($0.connector.name) \($0.crtc.id) \($0.plane?.id ?? 0) \($0.mode)" },
      leftOut.map(\.description)
    )
  }

  @Test func `named outputs show the same picture, each in its own mode and format`() throws {
    let card = pair(
      Connector(id: 30, name: "HDMI-A-1", modes: [full, small], possibleCRTCs: 0b11),
      Connector(id: 31, name: "DSI-1", modes: [fast], possibleCRTCs: 0b11),
      formats: [.rgb565])
    let both = ["DSI-1", "HDMI-A-1"]
    #expect(
      try choice(card, names: both).shown
        == ["DSI-1 40 50 1280x800@75", "HDMI-A-1 41 51 1280x800@60"])
    #expect(try choice(card, names: ["HDMI-A-1"]).shown == ["HDMI-A-1 40 50 1280x800@60"])
    let outputs = try Output.choose(among: [card], for: OutputRequest(outputs: both)).outputs
    #expect(outputs.map(\.format) == [.xrgb8888, .rgb565])
    // An output without the requested mode uses its own, unless it is the only output.
    let large = try choice(card, names: both + ["DSI-1"], mode: "1920x1080")
    #expect(large.shown == ["DSI-1 40 50 1280x800@75", "HDMI-A-1 41 51 1920x1080@60"])
    #expect(large.leftOut == [])
    #expect(throws: DisplayError.self) {
      try choice(card, names: ["DSI-1"], mode: "1920x1080")
    }
  }

  @Test func `named outputs on several devices show the same picture`() throws {
    func dsi(_ status: Connector.Status) -> CardReport {
      card(
        [Connector(id: 30, name: "DSI-1", status: status, modes: [small])], path: "/dev/dri/card1",
        driver: "drm-rp1-dsi")
    }
    let names = ["DSI-1", "HDMI-A-1"]
    let hdmi = card()
    let outputs = try Output.choose(
      among: [hdmi, dsi(.connected)], for: OutputRequest(outputs: names)
    ).outputs
    #expect(outputs.map(\.card) == ["/dev/dri/card1", "/dev/dri/card0"])
    let (shown, leftOut) = try choice(hdmi, dsi(.disconnected), names: names)
    #expect(shown == ["HDMI-A-1 40 50 1280x800@60"])
    #expect(leftOut == ["/dev/dri/card1 (drm-rp1-dsi): DSI-1 is not connected"])
    let away = CardReport(
      path: "/dev/dri/card1", resources: .failure(DisplayError(.permission, "no permission")))
    #expect(
      try choice(hdmi, away, names: names).leftOut
        == ["no output DSI-1, only HDMI-A-1", "no permission"])
  }

  @Test func `a missing output leaves the picture to the others`() throws {
    var away = Connector(id: 30, name: "HDMI-A-1", modes: [small], possibleCRTCs: 0b11)
    away.status = .disconnected
    let there = Connector(id: 31, name: "DSI-1", modes: [small], possibleCRTCs: 0b11)
    let (shown, leftOut) = try choice(
      pair(away, there, formats: [.xrgb8888]), names: ["HDMI-A-1", "DSI-1", "DP-1"])
    #expect(shown == ["DSI-1 40 50 1280x800@60"])
    #expect(
      leftOut == [
        "/dev/dri/card0 (vc4): HDMI-A-1 is not connected",
        "no output DP-1, only HDMI-A-1, DSI-1",
      ])
  }

  @Test func `the error for a missing output includes the driver's refusals`() throws {
    let resources = CardResources(
      path: "/dev/dri/card0", driver: "vc4",
      refusals: ["MODE_GETCONNECTOR: Cannot allocate memory (errno 12)"])
    let error = #expect(throws: DisplayError.self) {
      try Output.choose(
        among: [CardReport(path: resources.path, resources: .success(resources))],
        for: OutputRequest())
    }
    #expect(
      error?.description.contains("(vc4): the driver refuses MODE_GETCONNECTOR: Cannot") == true)
  }

  @Test func `any driver data leads to an existing output or an error`() {
    var chance = SystemRandomNumberGenerator()
    func number() -> UInt32 {
      [0, 1, 2, 3, 40, 41, .max, chance.next()].randomElement(using: &chance)!
    }
    func side() -> UInt16 { [0, 1, 480, 800, .max].randomElement(using: &chance)! }
    for _ in 0..<2000 {
      let connectors = (0..<number() % 4).map { index in
        var modes: [Mode] = []
        for _ in 0..<number() % 4 {
          var mode = Mode(size: PixelSize(Int(side()), Int(side())), refresh: number() % 1000)
          mode.pixelClock = number()
          mode.horizontal.total = side()
          mode.vertical.total = side()
          mode.lineRepeat = side()
          mode.flags = number()
          modes.append(mode)
        }
        return Connector(
          id: number(), name: "DP-\(index)",
          status: [.connected, .disconnected, .unknown].randomElement()!,
          modes: modes, possibleCRTCs: number(), currentCRTC: number(),
          millimetres: PixelSize(Int(side()), Int(side())))
      }
      let card = CardResources(
        path: "/dev/dri/card0", driver: "", connectors: connectors,
        crtcs: (0..<number() % 40).map { _ in CRTC(id: number()) },
        planes: (0..<number() % 4).map { _ in
          Plane(
            id: number(), possibleCRTCs: number(), currentCRTC: number(),
            formats: number() % 2 == 0 ? [] : [.rgb565])
        })
      let request = OutputRequest(outputs: number() % 2 == 0 ? [] : ["DP-1", "DP-0", "DP-1"])
      let chosen = try? Output.choose(
        among: [CardReport(path: card.path, resources: .success(card))], for: request
      ).outputs
      for output in chosen ?? [] {
        #expect(output.mode.size.width > 0 && output.mode.size.height > 0)
        #expect((0.001...1).contains(output.mode.frameInterval))
        #expect(!"\(output.mode)".isEmpty)
      }
      if let chosen { #expect(Set(chosen.map(\.crtc)).count == chosen.count) }
    }
  }

  @Test func `an error names every inspected device`() throws {
    let error = #expect(throws: DisplayError.self) {
      try Output.choose(
        among: [
          card([], driver: "v3d", crtcs: [], hasDumbBuffers: false),
          card(
            [Connector(id: 30, name: "HDMI-A-1", status: .disconnected)], path: "/dev/dri/card1"),
        ], for: OutputRequest())
    }
    #expect(
      error?.description == """
        no usable display:
          /dev/dri/card0 (v3d): no memory to paint into
          /dev/dri/card1 (vc4): HDMI-A-1 is not connected
        """)
  }
}

@Suite struct ModeTests {
  @Test func `the refresh rate is computed from the timings`() {
    // CTA-861 mode 4: 1280x720 at 60 Hz, and its television variant.
    var mode = Mode(size: PixelSize(1280, 720), refresh: 60)
    mode.horizontal.total = 1650
    mode.vertical.total = 750
    mode.pixelClock = 74250
    #expect(mode.refresh == 60)
    #expect(mode.description == "1280x720@60")
    mode.pixelClock = 74176
    #expect(mode.description == "1280x720@59.94")
    mode.pixelClock = 0
    #expect(mode.refresh == 60)
  }

  @Test(arguments: [
    ("1280x800", ModeRequest(size: PixelSize(1280, 800))),
    ("1280x800@60", ModeRequest(size: PixelSize(1280, 800), refresh: 60)),
    ("800x480@59.94", ModeRequest(size: PixelSize(800, 480), refresh: 59.94)),
  ])
  func `a mode is requested by size and rate`(_ text: String, _ expected: ModeRequest) {
    #expect(ModeRequest(text) == expected)
  }

  @Test(arguments: [
    "", "x", "1280", "1280x", "x800", "0x800", "1280x0", "1280x800@", "1280x800@0", "1280x800@-5",
    "1280x800@nan", "1280x800@inf", "1280x800@99999", "70000x800", "1280x800x2", "1280X800", "@60",
    "1280x800@60@60", " 1280x800",
  ])
  func `any other text is rejected as a mode`(_ text: String) {
    #expect(ModeRequest(text) == nil)
  }

  @Test func `formats have the numbers of DRM`() throws {
    let bytes = try Files.read(
      "/usr/include/libdrm/drm_fourcc.h", Files.Kind("the header", maximumBytes: 1 << 20))
    let header = String(decoding: bytes, as: UTF8.self)
    for format in PixelFormat.named {
      let line = try #require(
        header.split(separator: "\n").first { $0.hasPrefix("#define DRM_FORMAT_\(format)\t") })
      let letters = line.split(separator: "'").enumerated().filter { $0.offset % 2 == 1 }
        .map { String($0.element) }.joined()
      #expect(letters == format.code, "\(line)")
      #expect(format.fourcc.flatMap { PixelFormat(fourcc: $0) } == format)
    }
  }
}
