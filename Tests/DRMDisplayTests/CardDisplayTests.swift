// SPDX-License-Identifier: MIT

@testable import RoundelDrawing
import RoundelGeometry
import LinuxIO
import RoundelPresentation
import RoundelRaster
import TestSupport
import Testing

@testable import DRMDisplay

@Suite struct CardDisplayTests {
  @Test func `a machine without a DRM device causes no failure`() throws {
    let loop = try EventLoop()
    let display = CardDisplay(
      canvasSize: PixelSize(64, 48), on: loop, directory: "/nonexistent")
    guard case .waiting(let error) = display.state else {
      Issue.record("\(display.state)")
      return
    }
    #expect(error.kind == .unavailable)
    #expect(!display.isReady && display.shownFrame == nil && display.readyAt == nil)
    #expect(display.canvasSize == PixelSize(64, 48))
    let bitmap = Canvas(size: display.canvasSize).bitmap()
    #expect(try display.present(Painter(showing: bitmap)) == nil)
    try display.setPower(false)
    try display.setPower(true)
  }

  @Test func `a file that isn't a DRM device is reported`() throws {
    let loop = try EventLoop()
    let display = CardDisplay(
      OutputRequest(card: "/dev/null"), canvasSize: PixelSize(64, 48), on: loop)
    #expect(
      display.state
        == .waiting(
          DisplayError(
            .unavailable,
            "no usable display:\n  /dev/null is not a DRM device")))
  }

  @Test func `a missing DRM device is reported`() throws {
    let loop = try EventLoop()
    let display = CardDisplay(
      OutputRequest(card: "/nonexistent/card7"), canvasSize: PixelSize(64, 48), on: loop)
    guard case .waiting(let error) = display.state else {
      Issue.record("\(display.state)")
      return
    }
    #expect(error.description.contains("cannot open /nonexistent/card7: No such file"))
  }

  @Test func `the picture is rotated for a rotated panel`() {
    // The kernel's values: normal, upside down, left side up, right side up, and a future one.
    let rotations = [0, 1, 2, 3, 4].map { Rotation(panelOrientation: $0) }
    #expect(rotations == [.none, .half, .threeQuarters, .quarter, .none])
    // The top of the picture is then at the panel's upper side: (0, 5) is on the left.
    let canvas = Rotation.threeQuarters.canvasPoint(Point(0, 5), panel: PixelSize(20, 10))
    #expect(canvas == Point(5, 0))
  }

  @Test func `the master is read from the kernel's table`() {
    let table = """
                   command  tgid dev master a   uid      magic
            systemd-logind   400   0   y    y     0          0
             gnome shell 2  1234   0   n    y  1000          3
      """
    #expect(Card.master(inClients: table) == "systemd-logind (400)")
    let other = """
      command  tgid dev master a   uid      magic
      a b c  12   0   n    y     0          0
      my kiosk  13   0   y    y     0          0
      """
    #expect(Card.master(inClients: other) == "my kiosk (13)")
    for broken in ["", "y", "\n\n y y y y", "h\n1 2 3 4 5 6"] {
      #expect(Card.master(inClients: broken) == nil)
    }
  }
}
