// SPDX-License-Identifier: MIT

internal import CRoundelLinux
internal import RoundelGeometry
internal import Glibc
internal import LinuxIO
package import SystemPackage

/// A framebuffer of the kernel, or a simulation for tests.
package protocol FramebufferDevice: AnyObject, Sendable {
  var path: String { get }
  func readInfo() throws(Errno) -> FramebufferInfo
  /// May block until a vertical blank, so it is called on a worker thread. C: FBIOPAN_DISPLAY.
  func pan(to row: Int) throws(Errno)
  /// C: FBIO_WAITFORVSYNC.
  func waitForBlank() throws(Errno)
  /// Turns the panel off or on. C: FBIOBLANK.
  func setBlank(_ isBlank: Bool) throws(Errno)
  /// The memory is valid only during the call.
  func withMemory(_ body: (UnsafeMutableRawBufferPointer) -> Void)
}

// Unchecked: the ioctls may be called on any thread, and the memory is used only on the event
// loop's.
@safe package final class KernelFramebuffer: FramebufferDevice, @unchecked Sendable {
  package let path: String
  private let descriptor: OwnedDescriptor
  private let memory: MappedMemory

  package init(opening path: String) throws(Errno) {
    self.path = path
    let descriptor = try OwnedDescriptor(opening: path, O_RDWR)
    let info = try Self.readInfo(descriptor)
    guard info.byteCount > 0 else { throw .noSuchAddressOrDevice }
    memory = try MappedMemory(descriptor, offset: 0, length: info.byteCount)
    self.descriptor = descriptor
  }

  package func readInfo() throws(Errno) -> FramebufferInfo { try Self.readInfo(descriptor) }

  private static func variable(
    _ descriptor: borrowing OwnedDescriptor
  ) throws(Errno) -> fb_var_screeninfo {
    var information = fb_var_screeninfo()
    // Both requests fill a local of the type that the kernel expects.
    try retryingOnInterrupt {
      unsafe ioctl(descriptor.rawValue, UInt(FBIOGET_VSCREENINFO), &information)
    }
    return information
  }

  private static func readInfo(
    _ descriptor: borrowing OwnedDescriptor
  ) throws(Errno) -> FramebufferInfo {
    let variable = try variable(descriptor)
    var fixed = fb_fix_screeninfo()
    try retryingOnInterrupt {
      unsafe ioctl(descriptor.rawValue, UInt(FBIOGET_FSCREENINFO), &fixed)
    }
    func field(_ bits: fb_bitfield) -> FramebufferInfo.Field {
      FramebufferInfo.Field(Int(bits.offset), Int(bits.length), isReversed: bits.msb_right != 0)
    }
    var info = FramebufferInfo(
      size: PixelSize(Int(variable.xres), Int(variable.yres)),
      virtualHeight: Int(variable.yres_virtual), pitch: Int(fixed.line_length),
      byteCount: Int(fixed.smem_len), bitsPerPixel: Int(variable.bits_per_pixel),
      red: field(variable.red), green: field(variable.green), blue: field(variable.blue))
    info.alpha = field(variable.transp)
    info.firstRow = Int(variable.yoffset)
    info.panStep = Int(fixed.ypanstep)
    info.isTrueColor =
      fixed.type == UInt32(FB_TYPE_PACKED_PIXELS)
      && [UInt32(FB_VISUAL_TRUECOLOR), UInt32(FB_VISUAL_DIRECTCOLOR)].contains(
        fixed.visual)
      && variable.grayscale == 0
    info.name = unsafe withUnsafeBytes(of: fixed.id) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    info.refresh = refresh(variable)
    return info
  }

  /// A pixel takes `pixclock` picoseconds, and a frame includes its margins.
  private static func refresh(_ mode: fb_var_screeninfo) -> Double {
    let columns = [mode.xres, mode.left_margin, mode.right_margin, mode.hsync_len]
    let rows = [mode.yres, mode.upper_margin, mode.lower_margin, mode.vsync_len]
    let pixels =
      columns.reduce(0) { $0 + Double($1) } * rows.reduce(0) { $0 + Double($1) }
    let seconds = pixels * Double(mode.pixclock) * 1e-12
    return seconds > 0 ? 1 / seconds : 0
  }

  package func pan(to row: Int) throws(Errno) {
    var information = try Self.variable(descriptor)
    information.xoffset = 0
    information.yoffset = UInt32(clamping: row)
    try retryingOnInterrupt {
      unsafe ioctl(descriptor.rawValue, UInt(FBIOPAN_DISPLAY), &information)
    }
  }

  package func waitForBlank() throws(Errno) {
    var screen: UInt32 = 0
    try retryingOnInterrupt {
      unsafe ioctl(descriptor.rawValue, roundel_FBIO_WAITFORVSYNC, &screen)
    }
  }

  package func setBlank(_ isBlank: Bool) throws(Errno) {
    let level = isBlank ? CInt(FB_BLANK_POWERDOWN) : CInt(FB_BLANK_UNBLANK)
    // The argument is an integer.
    try retryingOnInterrupt { ioctl(descriptor.rawValue, UInt(FBIOBLANK), level) }
  }

  package func withMemory(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
    unsafe memory.withBytes { unsafe body($0) }
  }
}
