// SPDX-License-Identifier: MIT

internal import Geometry
internal import Glibc
internal import LinuxIO
internal import Presentation
internal import SystemPackage

/// A frame buffer, for people to read.
package struct FramebufferReport: Hashable, Sendable {
  /// The device file.
  package var path: String
  /// Its name, size and depth; nil where they cannot be read.
  package var description: String?
  /// Why nothing can be shown on it; nil where it can.
  package var problem: String?

  /// The reports of all frame buffers of this machine.
  package static func all(in directory: String = "/dev") -> [FramebufferReport] {
    // As many as the kernel has numbers for (FB_MAX).
    (0..<32).map { "\(directory)/fb\($0)" }
      .filter { (path: String) in Folder.isAnythingAt(path) }
      .map { FramebufferReport($0) }
  }

  private init(_ path: String) {
    self.path = path
    do throws(Errno) {
      let info = try KernelFramebuffer(opening: path).readInfo()
      let pictures =
        info.pages.count > 1
        ? "two pictures in turn" : "one picture, which tears where it changes while it is shown"
      description = "\(info.name), \(info.size), \(info.bitsPerPixel) bits, \(pictures)"
      do throws(DisplayError) {
        _ = try info.layout(of: path)
      } catch {
        problem = "\(error)"
      }
    } catch .permissionDenied {
      problem = "no permission to open \(path): \(DeviceAccess.advice(for: path))"
    } catch {
      problem = "\(path) cannot be used: \(error)"
    }
  }
}
