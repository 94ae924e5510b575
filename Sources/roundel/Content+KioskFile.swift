// SPDX-License-Identifier: MIT

import RoundelDeclarations
import RoundelGeometry
import Kiosk
import KioskHost
import LinuxIO
import RoundelRuntime

extension Content {
  /// Writes the diagnostics to the standard error, and throws if there are errors.
  init(kioskFile path: String, panel: PixelSize?, rotation: Rotation? = nil) throws(Failure) {
    let reading = KioskReading(path, panel: panel, rotation: rotation).reviewed()
    for diagnostic in reading.diagnostics { StandardError.write("\(diagnostic)\n") }
    self = try reading.content.get()
  }
}
