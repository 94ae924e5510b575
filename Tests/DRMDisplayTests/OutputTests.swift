// SPDX-License-Identifier: MIT

import DRMDisplay
import Geometry
import Presentation
import Testing

private let full = Mode(size: PixelSize(1920, 1080), refresh: 60)
private let small = Mode(size: PixelSize(1280, 800), refresh: 60, isPreferred: true)
private let fast = Mode(size: PixelSize(1280, 800), refresh: 75)

/// A card of one connector, one CRTC and one primary plane, to be changed by each row.
private func card(
  _ connectors: [Connector]? = nil, path: String = "/dev/dri/card0", driver: String = "vc4",
  crtcs: [UInt32] = [40], planes: [Plane]? = nil, hasDumbBuffers: Bool = true
) -> CardReport {
  let resources = CardResources(
    path: path, driver: driver, hasDumbBuffers: hasDumbBuffers,
    connectors: connectors ?? [Connector(id: 30, name: "HDMI-A-1", modes: [small])],
    crtcs: crtcs.map { CRTC(id: $0) },
    planes: planes ?? crtcs.indices.map { Plane(id: 50 + UInt32($0), possibleCRTCs: 1 << $0) })
  return CardReport(path: path, resources: .success(resources))
}

private struct Case: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var cards: [CardReport]
  var request = OutputRequest()
  /// card connector crtc plane mode format, or the words of the error.
  var expected: String
}

private let cases: [Case] = [
  Case(
    testDescription: "the only output of the only card",
    cards: [card()],
    expected: "/dev/dri/card0 HDMI-A-1 40 50 1280x800@60 xrgb8888"),
  Case(
    testDescription: "a pure 3D engine is passed over",
    cards: [
      card([], driver: "v3d", crtcs: [], hasDumbBuffers: false), card(path: "/dev/dri/card1"),
    ],
    expected: "/dev/dri/card1 HDMI-A-1 40 50 1280x800@60 xrgb8888"),
  Case(
    testDescription: "a card that could not be opened is passed over",
    cards: [
      CardReport(path: "/dev/dri/card0", resources: .failure(DisplayError(.permission, "no"))),
      card(path: "/dev/dri/card1"),
    ],
    expected: "/dev/dri/card1 HDMI-A-1 40 50 1280x800@60 xrgb8888"),
  Case(
    testDescription: "the first connected connector, not the first",
    cards: [
      card([
        Connector(id: 30, name: "HDMI-A-1", status: .disconnected, modes: [small]),
        Connector(id: 31, name: "DSI-1", modes: [full]),
      ])
    ],
    expected: "/dev/dri/card0 DSI-1 40 50 1920x1080@60 xrgb8888"),
  Case(
    testDescription: "a connected connector without modes is passed over",
    cards: [
      card([Connector(id: 30, name: "HDMI-A-1"), Connector(id: 31, name: "DSI-1", modes: [full])])
    ],
    expected: "/dev/dri/card0 DSI-1 40 50 1920x1080@60 xrgb8888"),
  Case(
    testDescription: "the output asked for, on whichever card",
    cards: [
      card(), card([Connector(id: 31, name: "DSI-1", modes: [full])], path: "/dev/dri/card1"),
    ],
    request: OutputRequest(output: "DSI-1"),
    expected: "/dev/dri/card1 DSI-1 40 50 1920x1080@60 xrgb8888"),
  Case(
    testDescription: "a connector that cannot tell counts when asked for",
    cards: [card([Connector(id: 30, name: "VGA-1", status: .unknown, modes: [full])])],
    request: OutputRequest(output: "VGA-1"),
    expected: "/dev/dri/card0 VGA-1 40 50 1920x1080@60 xrgb8888"),
  Case(
    testDescription: "a connector that cannot tell does not count by itself",
    cards: [card([Connector(id: 30, name: "VGA-1", status: .unknown, modes: [full])])],
    expected: "unavailable: VGA-1 is not connected"),
  Case(
    testDescription: "the preferred mode before larger ones",
    cards: [card([Connector(id: 30, name: "HDMI-A-1", modes: [full, fast, small])])],
    expected: "/dev/dri/card0 HDMI-A-1 40 50 1280x800@60 xrgb8888"),
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
    expected: "/dev/dri/card0 HDMI-A-1 40 50 1920x1080@60 xrgb8888"),
  Case(
    testDescription: "the mode asked for",
    cards: [card([Connector(id: 30, name: "HDMI-A-1", modes: [small, full, fast])])],
    request: OutputRequest(mode: ModeRequest("1280x800@75")),
    expected: "/dev/dri/card0 HDMI-A-1 40 50 1280x800@75 xrgb8888"),
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
    expected: "/dev/dri/card0 DSI-1 42 52 1280x800@60 xrgb8888"),
  Case(
    testDescription: "a CRTC that feeds no other connector",
    cards: [
      card(
        [
          Connector(id: 30, name: "HDMI-A-1", possibleCRTCs: 0b11, currentCRTC: 40),
          Connector(id: 31, name: "DSI-1", modes: [small], possibleCRTCs: 0b11),
        ], crtcs: [40, 41])
    ],
    expected: "/dev/dri/card0 DSI-1 41 51 1280x800@60 xrgb8888"),
  Case(
    testDescription: "only CRTCs that can feed the connector",
    cards: [
      card(
        [Connector(id: 30, name: "DSI-1", modes: [small], possibleCRTCs: 0b10)], crtcs: [40, 41])
    ],
    expected: "/dev/dri/card0 DSI-1 41 51 1280x800@60 xrgb8888"),
  Case(
    testDescription: "never an overlay or a cursor plane",
    cards: [
      card(planes: [
        Plane(id: 50, kind: .overlay), Plane(id: 51, kind: .cursor, formats: [.argb8888]),
        Plane(id: 52),
      ])
    ],
    expected: "/dev/dri/card0 HDMI-A-1 40 52 1280x800@60 xrgb8888"),
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
    expected: "/dev/dri/card0 DSI-1 41 52 1280x800@60 xrgb8888"),
  Case(
    testDescription: "XRGB8888 before ARGB8888",
    cards: [card(planes: [Plane(id: 50, formats: [.rgb565, .argb8888, .xrgb8888])])],
    expected: "/dev/dri/card0 HDMI-A-1 40 50 1280x800@60 xrgb8888"),
  Case(
    testDescription: "ARGB8888 before RGB565",
    cards: [card(planes: [Plane(id: 50, formats: [.rgb565, .argb8888])])],
    expected: "/dev/dri/card0 HDMI-A-1 40 50 1280x800@60 argb8888"),
  Case(
    testDescription: "RGB565 where there is nothing else",
    cards: [card(planes: [Plane(id: 50, formats: [.rgb565])])],
    expected: "/dev/dri/card0 HDMI-A-1 40 50 1280x800@60 rgb565"),
  Case(
    testDescription: "a plane of unknown formats only",
    cards: [card(planes: [Plane(id: 50, formats: [])])],
    expected: "unavailable: HDMI-A-1 has no CRTC and primary plane of a known format left"),
  Case(
    testDescription: "a kernel that tells nothing of planes",
    cards: [card(planes: [])],
    expected: "/dev/dri/card0 HDMI-A-1 40 0 1280x800@60 xrgb8888"),
  Case(
    testDescription: "an output that no card has",
    cards: [card()], request: OutputRequest(output: "DSI-2"),
    expected: "unavailable: no output DSI-2, only HDMI-A-1"),
  Case(testDescription: "no card", cards: [], expected: "unavailable: no DRM card found"),
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
  private func `the choice`(_ row: Case) {
    let chosen: String
    do {
      let output = try Output(among: row.cards, for: row.request)
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

  @Test func `an error names everything that was looked at`() throws {
    let error = #expect(throws: DisplayError.self) {
      try Output(
        among: [
          card([], driver: "v3d", crtcs: [], hasDumbBuffers: false),
          card(
            [Connector(id: 30, name: "HDMI-A-1", status: .disconnected)], path: "/dev/dri/card1"),
        ], for: OutputRequest())
    }
    #expect(
      error?.description == """
        no display to show the picture on; looked at:
          /dev/dri/card0 (v3d): no memory to paint into
          /dev/dri/card1 (vc4): HDMI-A-1 is not connected
        """)
  }
}

@Suite struct ModeTests {
  @Test func `the refresh rate comes from the timings`() {
    // CTA-861 mode 4, 1280x720 at 60 Hz, and what television makes of it.
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
  func `a mode is asked for by size and rate`(_ text: String, _ expected: ModeRequest) {
    #expect(ModeRequest(text) == expected)
  }

  @Test(arguments: [
    "", "x", "1280", "1280x", "x800", "0x800", "1280x0", "1280x800@", "1280x800@0", "1280x800@-5",
    "1280x800@nan", "1280x800@inf", "1280x800@99999", "70000x800", "1280x800x2", "1280X800", "@60",
    "1280x800@60@60", " 1280x800",
  ])
  func `anything else is no mode`(_ text: String) {
    #expect(ModeRequest(text) == nil)
  }
}
