// SPDX-License-Identifier: MIT

internal import RoundelGeometry
internal import Kiosk
package import KioskFile
package import LinuxIO
internal import RoundelMotion
internal import RoundelRaster
package import RoundelRuntime

package struct Start {
  package let path: String
  let source: KioskSource
  package let content: Content
  /// The fallbacks, or nil without a service manager. A kiosk without fallbacks exits.
  let fallback: StartupFallback?
  let initialContent: InitialContent

  /// Only a file has fallbacks.
  package init(
    _ path: String, source: KioskSource = .file, reading: KioskReading? = nil, in machine: Machine
  ) throws(Failure) {
    self.path = path
    self.source = source
    fallback =
      machine.service.isManaged && source.isPlainFile
      ? StartupFallback(for: path, in: machine.folders) : nil
    initialContent =
      fallback?.initialContent()
      ?? InitialContent(reading ?? KioskReading(path, source: source))
    machine.outputs.report(initialContent.diagnostics)
    do throws(Failure) {
      content = try initialContent.content.get().running(in: machine)
    } catch {
      machine.outputs.finish()
      throw error
    }
  }

  private init(_ start: Start, _ initialContent: InitialContent, _ content: Content) {
    path = start.path
    source = start.source
    fallback = start.fallback
    self.initialContent = initialContent
    self.content = content
  }

  /// Reads the file again if another of its sizes fits the display better.
  func laidOut(on canvas: PixelSize, in machine: Machine) -> Start {
    let screen = content.description.screen
    guard screen.size(on: canvas) != screen.size else { return self }
    let initialContent =
      fallback?.initialContent(on: canvas)
      ?? InitialContent(KioskReading(path, canvas: canvas, source: source))
    // The next reading reports diagnostics at that size.
    guard let content = try? initialContent.content.get() else { return self }
    return Start(self, initialContent, content.running(in: machine))
  }
}

extension Content {
  func running(in machine: Machine) -> Content {
    var content = self
    content.imagePreparation = .later
    content.threads = machine.threads
    return content
  }
}
