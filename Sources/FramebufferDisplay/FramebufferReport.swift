// SPDX-License-Identifier: MIT

internal import RoundelGeometry
internal import Glibc
internal import LinuxIO
internal import RoundelPresentation
internal import SystemPackage

package struct FramebufferReport: Hashable, Sendable {
  package var path: String
  /// The name, size and depth, or nil if they can't be read.
  package var description: String?
  package var problem: String?

  package static func all(in directory: String = "/dev") -> [FramebufferReport] {
    // The kernel's maximum number (FB_MAX).
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
        ? "double-buffered" : "single-buffered, with tearing"
      description = "\(info.name), \(info.size), \(info.bitsPerPixel) bits, \(pictures)"
      do throws(DisplayError) {
        _ = try info.layout(of: path)
      } catch {
        problem = "\(error)"
      }
    } catch .permissionDenied {
      problem = "no permission to open \(path): \(DeviceAccess.advice(for: path))"
    } catch {
      problem = "cannot use \(path): \(error)"
    }
  }
}
