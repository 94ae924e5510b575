// SPDX-License-Identifier: MIT

import Declarations
import Geometry
import Kiosk
import KioskHost
import LinuxIO
import Runtime

extension Content {
  /// Writes the mistakes to the standard error, and throws if there are errors.
  init(kioskFile path: String, panel: PixelSize?, rotation: Rotation? = nil) throws(Failure) {
    let reading = KioskReading(path, panel: panel, rotation: rotation).reviewed()
    for mistake in reading.mistakes { StandardError.write("\(mistake)\n") }
    self = try reading.content.get()
  }
}
