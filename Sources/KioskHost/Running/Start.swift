// SPDX-License-Identifier: MIT

package import LinuxIO
internal import Motion
internal import Raster
package import Runtime

/// The start of a kiosk: its file, or the stand-in for it.
package struct Start {
  /// The kiosk file.
  package let path: String
  package let content: Content
  /// The fallbacks; nil where no service manager looks after the kiosk, which then ends.
  let ladder: Ladder?
  let opening: Opening

  /// Reads the kiosk file at `path`; its mistakes go to the log.
  package init(_ path: String, in machine: Machine) throws(Failure) {
    self.path = path
    ladder = machine.service.isManaged ? Ladder(for: path, in: machine.folders) : nil
    opening = ladder?.opening() ?? Opening(KioskReading(path))
    machine.outlets.report(opening.mistakes)
    do throws(Failure) {
      content = try opening.content.get().running(in: machine)
    } catch {
      machine.outlets.finish()
      throw error
    }
  }
}

extension Content {
  /// The same content, for a kiosk that paints and makes images with the machine's threads.
  func running(in machine: Machine) -> Content {
    var content = self
    content.imagePreparation = .later
    content.threads = machine.threads
    return content
  }
}
