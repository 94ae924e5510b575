// SPDX-License-Identifier: MIT

internal import LinuxIO
internal import SystemPackage

/// A call that the kernel refused, by the name that it has in drm.h after `DRM_IOCTL_`, and the reason.
struct Refusal: Error, Hashable, CustomStringConvertible {
  let call: String
  let errno: Errno

  var description: String { "\(call): \(errno) (errno \(errno.rawValue))" }

  /// Whether another program is the card's master.
  var isLackOfMaster: Bool { errno == .permissionDenied || errno == .notPermitted }

  /// Calls a function of libdrm. They fail in two ways, with -1 and errno or with the negative error.
  @discardableResult
  static func check(_ call: String, _ body: () -> CInt) throws(Refusal) -> CInt {
    let result = body()
    guard result < 0 else { return result }
    throw Refusal(call: call, errno: result == -1 ? .current : Errno(rawValue: -result))
  }
}
