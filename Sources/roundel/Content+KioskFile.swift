// SPDX-License-Identifier: MIT

import Declarations
import Geometry
import Kiosk
import KioskHost
import LinuxIO
import Runtime

extension Content {
  /// Reads the kiosk file at `path`, and all that it shows on a panel; see `KioskReading`. Its mistakes go to the
  /// standard error; with an error among them, the kiosk is bad.
  init(kioskFile path: String, panel: PixelSize?, rotation: Rotation? = nil) throws(Failure) {
    let reading = KioskReading(path, panel: panel, rotation: rotation).reviewed()
    for mistake in reading.mistakes { StandardError.write("\(mistake)\n") }
    self = try reading.content.get()
  }
}
