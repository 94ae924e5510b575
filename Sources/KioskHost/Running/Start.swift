// SPDX-License-Identifier: MIT

internal import Geometry
internal import Kiosk
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

  private init(_ start: Start, _ opening: Opening, _ content: Content) {
    path = start.path
    ladder = start.ladder
    self.opening = opening
    self.content = content
  }

  /// The start of the same kiosk on a canvas, which is known when the display is open: a file with several sizes
  /// is read again where another of them suits it.
  func laidOut(on canvas: PixelSize, in machine: Machine) -> Start {
    let screen = content.description.screen
    guard screen.size(on: canvas) != screen.size else { return self }
    let opening = ladder?.opening(on: canvas) ?? Opening(KioskReading(path, canvas: canvas))
    // Its mistakes at that size are reported when the file is read after a change.
    guard let content = try? opening.content.get() else { return self }
    return Start(self, opening, content.running(in: machine))
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
