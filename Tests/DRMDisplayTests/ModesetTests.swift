// SPDX-License-Identifier: MIT

import RoundelGeometry
import RoundelPresentation
import Testing

@testable import DRMDisplay

/// The properties that each output's commit sets, as `object.property=value`.
private func modesets(_ card: CardResources, _ names: [String] = []) throws -> [Set<String>] {
  let outputs = try Output.choose(
    among: [CardReport(path: card.path, resources: .success(card))],
    for: OutputRequest(outputs: names)
  ).outputs
  return outputs.enumerated().map { modeset($1, blob: 9 + UInt32($0), on: card) }
}

private func modeset(_ output: Output, blob: UInt32, on card: CardResources) -> Set<String> {
  let assignments = output.modeset(showing: 7, modeBlob: blob, on: card)
  #expect(Set(assignments.map { "\($0.object).\($0.property)" }).count == assignments.count)
  return Set(assignments.map { "\($0.object).\($0.property)=\($0.value)" })
}

private func modeset(_ card: CardResources) throws -> Set<String> { try modesets(card)[0] }

@Suite struct ModesetTests {
  private var card = CardResources(
    path: "/dev/dri/card0", driver: "vc4",
    connectors: [
      Connector(
        id: 30, name: "HDMI-A-1", modes: [Mode(size: PixelSize(800, 480), refresh: 60)],
        possibleCRTCs: 0b11, currentCRTC: 40)
    ], crtcs: [CRTC(id: 40), CRTC(id: 41)],
    planes: [Plane(id: 50, possibleCRTCs: 0b11, currentCRTC: 40)])

  @Test func `the picture fills the panel unrotated`() throws {
    #expect(
      try modeset(card) == [
        "30.CRTC_ID=40", "30.link-status=0", "40.MODE_ID=9", "40.ACTIVE=1", "50.FB_ID=7",
        "50.CRTC_ID=40", "50.SRC_X=0", "50.SRC_Y=0", "50.SRC_W=52428800", "50.SRC_H=31457280",
        "50.CRTC_X=0", "50.CRTC_Y=0", "50.CRTC_W=800", "50.CRTC_H=480", "50.rotation=1",
      ])
  }

  @Test mutating func `planes that others left on the CRTC are disabled`() throws {
    card.planes += [
      Plane(id: 51, kind: .cursor, currentCRTC: 40), Plane(id: 52, kind: .overlay),
      Plane(id: 53, kind: .overlay, currentCRTC: 41),
    ]
    let set = try modeset(card)
    #expect(set.isSuperset(of: ["51.FB_ID=0", "51.CRTC_ID=0"]))
    #expect(!set.contains { $0.hasPrefix("52.") || $0.hasPrefix("53.") })
  }

  @Test mutating func `another connector on the CRTC is detached`() throws {
    card.connectors.append(Connector(id: 31, name: "DSI-1", currentCRTC: 40))
    #expect(try modeset(card).contains("31.CRTC_ID=0"))
  }

  @Test mutating func `a CRTC without a connector is disabled`() throws {
    // This CRTC is unusable: its only plane supports no known format.
    card.planes = [
      Plane(id: 50, possibleCRTCs: 0b01, currentCRTC: 40, formats: []),
      Plane(id: 51, possibleCRTCs: 0b10),
    ]
    let set = try modeset(card)
    #expect(set.isSuperset(of: ["30.CRTC_ID=41", "40.ACTIVE=0", "40.MODE_ID=0", "50.FB_ID=0"]))
  }

  @Test mutating func `mirrored outputs have one CRTC each`() throws {
    // The firmware feeds both from one CRTC.
    card.connectors.append(
      Connector(
        id: 31, name: "DSI-1", modes: [Mode(size: PixelSize(800, 480), refresh: 50)],
        possibleCRTCs: 0b11, currentCRTC: 40))
    card.planes.append(Plane(id: 51, possibleCRTCs: 0b10))
    let sets = try modesets(card, ["HDMI-A-1", "DSI-1"])
    #expect(
      sets[0].isSuperset(of: ["30.CRTC_ID=40", "31.CRTC_ID=0", "40.MODE_ID=9", "50.FB_ID=7"]))
    #expect(
      sets[1].isSuperset(of: ["31.CRTC_ID=41", "41.MODE_ID=10", "41.ACTIVE=1", "51.FB_ID=7"]))
    #expect(!sets[1].contains("40.ACTIVE=0"))
    // With separate CRTCs, neither output touches the other's.
    card.connectors[1].currentCRTC = 41
    card.planes[1].currentCRTC = 41
    for set in try modesets(card, ["HDMI-A-1", "DSI-1"]) {
      #expect(!set.contains { $0.hasSuffix("CRTC_ID=0") || $0.hasSuffix("ACTIVE=0") })
    }
  }

  @Test mutating func `a CRTC that also feeds another connector stays enabled`() throws {
    card.planes = [
      Plane(id: 50, possibleCRTCs: 0b01, currentCRTC: 40, formats: []),
      Plane(id: 51, possibleCRTCs: 0b10),
    ]
    card.connectors.append(Connector(id: 31, name: "DSI-1", currentCRTC: 40))
    #expect(try !modeset(card).contains("40.ACTIVE=0"))
  }
}
