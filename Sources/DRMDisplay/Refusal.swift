// SPDX-License-Identifier: MIT

internal import LinuxIO
internal import SystemPackage

/// A failed call, by its name in drm.h after `DRM_IOCTL_`, with its error.
struct Refusal: Error, Hashable, CustomStringConvertible {
  let call: String
  let errno: Errno

  var description: String { "\(call): \(errno) (errno \(errno.rawValue))" }

  var isLackOfMaster: Bool { errno == .permissionDenied || errno == .notPermitted }

  /// libdrm reports errors as -1 with errno, or as negative values.
  @discardableResult
  static func check(_ call: String, _ body: () -> CInt) throws(Refusal) -> CInt {
    let result = body()
    guard result < 0 else { return result }
    throw Refusal(call: call, errno: result == -1 ? .current : Errno(rawValue: -result))
  }
}
