// SPDX-License-Identifier: MIT

import DRMDisplay
import RoundelGeometry
import InputDevices
import RoundelJSON
import LinuxIO
import RoundelPresentation
import SoundOutput
import SystemFonts
import Testing

@testable import RoundelDiagnosis
import RoundelDeclarations

@Suite struct FindingTests {
  private func card(
    _ connectors: [Connector] = [], hasDumbBuffers: Bool = true, master: String? = nil
  ) -> CardReport {
    CardReport(
      path: "/dev/dri/card0",
      resources: .success(
        CardResources(
          path: "/dev/dri/card0", driver: "vc4", hasDumbBuffers: hasDumbBuffers,
          connectors: connectors)), master: master)
  }

  private func panel(_ status: Connector.Status = .connected) -> Connector {
    Connector(
      id: 1, name: "HDMI-A-1", status: status,
      modes: [Mode(size: PixelSize(1280, 800), refresh: 60)], possibleCRTCs: 1)
  }

  // MARK: Display

  @Test func `a DRM device with a connected panel is sufficient`() {
    let finding = Finding.display([card([panel()], master: "Xorg (7)")], otherDisplays: [])
    #expect(finding.problems.isEmpty)
    #expect(finding.lines[0] == "/dev/dri/card0: vc4, atomic, dumb buffers, held by Xorg (7)")
    #expect(finding.lines[1].hasPrefix("  HDMI-A-1: connected 1280x800"))
    guard case .array(let cards)? = finding.json["cards"] else {
      Issue.record("no cards")
      return
    }
    #expect(cards[0]["driver"]?.string == "vc4" && cards[0]["master"]?.string == "Xorg (7)")
  }

  @Test func `without a panel a kiosk needs a terminal`() {
    for cards in [
      [], [card()], [card([panel(.disconnected)])], [card([panel()], hasDumbBuffers: false)],
    ] {
      let finding = Finding.display(cards, otherDisplays: [])
      #expect(finding.problems.count == 1)
      #expect(finding.problems[0].hasSuffix("kiosks run only in a terminal"))
    }
  }

  @Test func `without a panel a compositor or frame buffer is sufficient`() {
    let finding = Finding.display([], otherDisplays: ["the compositor", "--display fbdev"])
    #expect(finding.problems.isEmpty)
    #expect(finding.lines[0].hasSuffix("kiosks run with the compositor or --display fbdev"))
  }

  @Test func `an inaccessible DRM device is a problem`() {
    let report = CardReport(
      path: "/dev/dri/card1", resources: .failure(DisplayError(.permission, "no permission")))
    let finding = Finding.display([card([panel()]), report], otherDisplays: [])
    #expect(finding.problems == ["no permission"])
  }

  @Test func `a missing compositor isn't a problem, an inaccessible one is`() {
    #expect(Finding.wayland(nil).problems.isEmpty && !Finding.wayland(nil).isUsable)
    let refused = Finding.wayland(.failure(DisplayError(.unavailable, "nobody listens")))
    #expect(refused.problems == ["nobody listens"] && !refused.isUsable)
  }

  @Test func `a missing frame buffer is reported, but isn't a problem`() {
    let finding = Finding.framebuffers([])
    #expect(finding.lines == ["no frame buffer in /dev"] && finding.problems.isEmpty)
    #expect(!finding.isUsable)
  }

  // MARK: Units

  private func unit(_ changes: [String: String] = [:]) -> UnitReport {
    var properties = [
      "Id": "roundel@shop.service", "ActiveState": "active", "StatusText": "showing",
      "Restart": "always", "WatchdogUSec": "15s", "FileDescriptorStoreMax": "4",
      "StartLimitIntervalUSec": "10min", "StartLimitBurst": "20", "StartLimitAction": "reboot",
    ]
    properties.merge(changes) { $1 }
    return UnitReport(properties.map { "\($0)=\($1)" }.joined(separator: "\n"))
  }

  @Test func `a unit as installed by the package has no problems`() {
    let finding = Finding.units([unit()])
    #expect(finding.problems.isEmpty)
    #expect(
      finding.lines == [
        "roundel@shop.service: active, showing", "  after 20 starts within 10min: reboot",
      ])
  }

  @Test(arguments: [
    (["ActiveState": "failed"], "has failed"),
    (["FileDescriptorStoreMax": "0"], "does not keep the DRM device open"),
    (["WatchdogUSec": "0"], "has no watchdog"), (["WatchdogUSec": "infinity"], "has no watchdog"),
    (["Restart": "on-failure"], "is not always restarted (Restart=on-failure)"),
    (["StartLimitIntervalUSec": "0"], "never reaches StartLimitAction=reboot"),
    (["StartLimitAction": "none"], "stays stopped after 20 starts within 10min"),
  ])
  func `a harmful setting of a unit is reported`(changes: [String: String], problem: String) {
    let problems = unit(changes).problems
    #expect(problems.count == 1 && problems[0].contains(problem), "\(problems)")
  }

  @Test func `a machine without systemd or units is reported`() {
    #expect(Finding.units(nil).lines[0].hasPrefix("systemd does not answer"))
    #expect(Finding.units([]).lines[0].hasPrefix("no unit is loaded"))
  }

  // MARK: Devices and users

  @Test func `a touch panel is sufficient, a keyboard alone isn't`() {
    let touch = InputDevice(
      name: "Goodix", path: "/dev/input/event0", kinds: [.touch], millimetres: Size(217, 136),
      fingers: 10)
    let keyboard = InputDevice(name: "Keys", path: "/dev/input/event1", kinds: [.keyboard])
    let finding = Finding.input(
      .success(([touch, keyboard], [])), haptics: [("/dev/input/event2", "Motor")])
    #expect(finding.problems.isEmpty)
    #expect(
      finding.lines == [
        "/dev/input/event0: Goodix (touch), 10 fingers, 217×136 mm",
        "/dev/input/event1: Keys (keyboard)", "/dev/input/event2: Motor (haptic)",
      ])
    #expect(
      Finding.input(.success(([keyboard], [])), haptics: []).problems
        == ["no touchscreen or pointer found"])
  }

  @Test func `a user outside the required groups gets a remedy`() {
    #expect(Finding.user("roundel", in: ["video", "input"], isRoot: false).problems.isEmpty)
    #expect(Finding.user("root", in: ["root"], isRoot: true).problems.isEmpty)
    #expect(
      Finding.user("anna", in: ["video"], isRoot: false).problems == [
        "anna cannot read touches without the group input: usermod -aG input anna"
      ])
  }

  @Test func `a machine without sound cards has no problem`() {
    let finding = Finding.sound(SoundCards(in: "/nowhere"), of: "anna")
    #expect(finding.problems.isEmpty && finding.lines.count == 1)
  }

  @Test func `a backlight without write permission is a problem`() {
    #expect(Finding.backlight(Backlight(in: "/nowhere"), of: "anna").problems.isEmpty)
  }

  // MARK: Reports

  @Test func `problems are marked in the text and listed in JSON`() {
    var finding = Finding("user")
    finding.lines = ["anna"]
    finding.problems = ["may not"]
    #expect(finding.text == "user\n  anna\n  ! may not\n")
    #expect(finding.object(["user": "anna"]).text == #"{"user":"anna","problems":["may not"]}"#)
  }

  @Test func `an examination covers each subject once`() {
    let examination = Examination(for: [])
    #expect(
      examination.findings.map(\.name) == [
        "display", "backlight", "fbdev", "wayland", "console", "units", "input", "sound", "user",
        "fonts",
      ])
    #expect(Examination(for: ["/none.yaml"]).findings.last?.name == "programs")
    #expect(examination.text.hasPrefix("display\n"))
  }
}
