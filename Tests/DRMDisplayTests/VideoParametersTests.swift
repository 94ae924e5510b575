// SPDX-License-Identifier: MIT

import DRMDisplay
import RoundelGeometry
import Testing

@Suite struct VideoParametersTests {
  private func rotation(_ commandLine: String, of connector: String = "DSI-1") -> Int? {
    VideoParameters(commandLine: commandLine).rotation(of: connector)?.rawValue
  }

  @Test(arguments: [
    ("quiet video=DSI-1:720x1280@60,rotate=90 root=/dev/sda", 270),
    ("video=DSI-1:720x1280@60,rotate=270", 90), ("video=DSI-1:720x1280M@60D,rotate=180", 180),
    ("video=DSI-1:720x1280@60,reflect_x,rotate=0", 0), ("video=720x1280@60,rotate=90", 270),
    ("video=720x1280,rotate=90 video=DSI-1:720x1280,rotate=180", 180),
    ("video=DSI-1:720x1280,rotate=180 video=DSI-1:720x1280,rotate=90\n", 270),
    ("video=DSI-1:panel_orientation=right_side_up", 90),
    ("video=DSI-1:720x1280,panel_orientation=left_side_up", 270),
    ("video=DSI-1:720x1280,panel_orientation=upside_down", 180),
    ("video=\"DSI-1:720x1280,rotate=90\"", 270),
  ])
  func `the console's rotation is counterclockwise, the picture's is clockwise`(
    _ commandLine: String, _ degrees: Int
  ) {
    #expect(rotation(commandLine) == degrees)
  }

  @Test(arguments: [
    "", "video", "video=", "video=DSI-1", "video=DSI-1:", "video=DSI-1:720x1280@60",
    "video=DSI-1:720x1280,rotate=45", "video=DSI-1:720x1280,rotate=", "xvideo=DSI-1:x,rotate=90",
    "video=HDMI-A-1:1920x1080,rotate=90", "video=DSI-1:,,,=,rotate", "rotate=90",
    "video=DSI-1:720x1280,rotate=99999999999999999999",
  ])
  func `parameters that don't apply to this panel are ignored`(_ commandLine: String) {
    #expect(rotation(commandLine) == nil)
  }

  @Test func `the driver's orientation takes precedence`() {
    var connector = Connector(id: 30, name: "DSI-1", consoleRotation: .quarter)
    #expect(connector.uprightRotation == .quarter)
    connector.orientation = Rotation.none
    #expect(connector.uprightRotation == .none)
    connector = Connector(id: 30, name: "DSI-1")
    #expect(connector.uprightRotation == .none)
  }
}
