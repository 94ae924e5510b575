// SPDX-License-Identifier: MIT

import Testing

@testable import RoundelDiagnosis

@Suite struct FaultReportTests {
  @Test func `a report contains no secrets`() {
    let planted = [
      "kiosk-of-jane", "0123456789abcdef0123456789abcdef", "10000000a1b2c3d4", "janedoe",
    ]
    let text = """
      host kiosk-of-jane and again kiosk-of-jane.lan
      machine 0123456789abcdef0123456789abcdef, board 10000000a1b2c3d4
      held by shell of janedoe (17)
      dc:a6:32:01:02:03 192.168.178.20 fe80::dea6:32ff:fe01:203 2001:db8:0:1:2:3:4:5
      disk 4c4c4544-0051-3610-8052-b4c04f593232 serial 00000000deadbeef0000
      """
    let report = FaultReport.withoutSecrets(text, planted)
    for secret in planted + [
      "dc:a6", "192.168", "fe80", "2001:db8", "4c4c4544", "deadbeef",
    ] { #expect(!report.contains(secret), "\(secret) in \(report)") }
    #expect(report.contains("held by shell of … (17)"))
  }

  @Test func `a report keeps the identification of panels`() {
    let text = """
      /dev/dri/card1: drm-rp1-dsi, atomic, 1280x800@59.81 XRGB8888 16.67 ms
      kernel 6.12.48+deb13-rt-arm64 aarch64, 49500 kHz, 1:2:3, facade, 3.6 V
      """
    #expect(FaultReport.withoutSecrets(text, ["root", "pi", "roundel", ""]) == text)
  }

  @Test func `a redacted kernel command line keeps its display parameters`() {
    #expect(
      FaultReport.commandLine(
        "quiet video=DSI-1:720x1280@60,rotate=90 root=UUID=1234 systemd.set_credential=wifi:hunter2"
          + " drm.debug=0x4 fbcon=rotate:1 password=x -- --password hunter2\n")
        == "quiet video=DSI-1:720x1280@60,rotate=90 root=… systemd.set_credential=…"
        + " drm.debug=0x4 fbcon=rotate:1 password=…")
  }

  @Test func `a report describes the machine and its panels, but no person`() {
    let text = FaultReport(version: "roundel 2.0.0", running: "display {}\n").text
    for title in [
      "== roundel\n", "== machine\nkernel ", "== cards\n", "== running kiosk\ndisplay {}",
    ] {
      #expect(text.contains(title), "\(title) in \(text)")
    }
    #expect(!text.contains("== doctor: user"))
  }
}
