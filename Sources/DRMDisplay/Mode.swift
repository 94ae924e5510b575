// SPDX-License-Identifier: MIT

internal import CRoundelDRM
package import RoundelGeometry

/// The timings of a display mode, horizontally in pixels, vertically in lines. C:
/// `drmModeModeInfo`, field by field.
package struct Mode: Hashable, Sendable {
  /// In kHz.
  package var pixelClock: UInt32
  package var horizontal: Timing
  package var vertical: Timing
  package var horizontalSkew: UInt16 = 0
  /// The number of times each line is displayed. 0 and 1 both mean once.
  package var lineRepeat: UInt16 = 0
  /// The kernel's rounded refresh rate, or 0 if unknown.
  package var nominalRefresh: UInt32
  package var flags: UInt32 = 0
  package var type: UInt32 = 0
  package var name: String

  /// The ends of the picture, the sync pulse and the whole row or column.
  package struct Timing: Hashable, Sendable {
    package var display: UInt16
    package var syncStart: UInt16
    package var syncEnd: UInt16
    package var total: UInt16

    package init(display: UInt16, syncStart: UInt16, syncEnd: UInt16, total: UInt16) {
      self.display = display
      self.syncStart = syncStart
      self.syncEnd = syncEnd
      self.total = total
    }
  }

  package var size: PixelSize { PixelSize(Int(horizontal.display), Int(vertical.display)) }

  /// Usually a panel's native resolution.
  package var isPreferred: Bool { type & roundel_DRM_MODE_TYPE_PREFERRED != 0 }

  package var isInterlaced: Bool { flags & roundel_DRM_MODE_FLAG_INTERLACE != 0 }

  /// In Hz, from the timings, otherwise the nominal rate or 60. Source: the kernel's
  /// `drm_mode_vrefresh`.
  package var refresh: Double {
    let pixels = Double(horizontal.total) * Double(vertical.total)
    guard pixelClock > 0, pixels > 0 else {
      return nominalRefresh > 0 ? Double(nominalRefresh) : 60
    }
    var rate = Double(pixelClock) * 1000 / pixels
    if isInterlaced { rate *= 2 }
    if flags & roundel_DRM_MODE_FLAG_DBLSCAN != 0 { rate /= 2 }
    return lineRepeat > 1 ? rate / Double(lineRepeat) : rate
  }

  /// In seconds. Implausible rates count as 60 Hz.
  package var frameInterval: Double {
    let rate = refresh
    return (1...1000).contains(rate) ? 1 / rate : 1.0 / 60
  }

  /// Creates a progressive mode without hardware details, for tests.
  package init(size: PixelSize, refresh: UInt32, isPreferred: Bool = false) {
    func timing(_ display: Int) -> Timing {
      let end = UInt16(clamping: display)
      return Timing(display: end, syncStart: end, syncEnd: end, total: end)
    }
    horizontal = timing(size.width)
    vertical = timing(size.height)
    pixelClock = UInt32(clamping: size.width * size.height * Int(refresh) / 1000)
    nominalRefresh = refresh
    type = isPreferred ? roundel_DRM_MODE_TYPE_PREFERRED : 0
    name = size.description
  }
}

extension Mode: CustomStringConvertible {
  /// The format of `--mode`, with at most two decimals: `1280x800@59.81`.
  package var description: String {
    let hundredths = Int((refresh * 100).rounded())
    let (whole, part) = (hundredths / 100, hundredths % 100)
    let decimals =
      part == 0 ? "" : part % 10 == 0 ? ".\(part / 10)" : part < 10 ? ".0\(part)" : ".\(part)"
    return "\(size)@\(whole)\(decimals)\(isInterlaced ? "i" : "")"
  }
}

package struct ModeRequest: Hashable, Sendable, CustomStringConvertible {
  package var size: PixelSize
  /// In Hz, or nil for the preferred or the fastest mode of that size.
  package var refresh: Double?

  package init(size: PixelSize, refresh: Double? = nil) {
    self.size = size
    self.refresh = refresh
  }

  /// Parses `WxH` or `WxH@HZ`. Sides are 1 … 65535, rates above 0 and at most 1000.
  package init?(_ text: String) {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let sides = parts[0].split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = UInt16(sides[0]), let height = UInt16(sides[1]),
      width > 0, height > 0
    else { return nil }
    size = PixelSize(Int(width), Int(height))
    if parts.count == 2 {
      guard let rate = Double(parts[1]), rate > 0, rate <= 1000 else { return nil }
      refresh = rate
    }
  }

  package var description: String { refresh.map { "\(size)@\($0)" } ?? size.description }

  /// Rates may differ by half a hertz, because 59.94 is commonly written as 60.
  func isMet(by mode: Mode) -> Bool {
    mode.size == size && refresh.map { abs($0 - mode.refresh) < 0.5 } ?? true
  }
}

extension Mode {
  init(_ info: drmModeModeInfo) {
    pixelClock = info.clock
    horizontal = Timing(
      display: info.hdisplay, syncStart: info.hsync_start, syncEnd: info.hsync_end,
      total: info.htotal)
    vertical = Timing(
      display: info.vdisplay, syncStart: info.vsync_start, syncEnd: info.vsync_end,
      total: info.vtotal)
    horizontalSkew = info.hskew
    lineRepeat = info.vscan
    nominalRefresh = info.vrefresh
    flags = info.flags
    type = info.type
    name = unsafe withUnsafeBytes(of: info.name) { bytes in
      // The array is inside `info`, which outlives the closure.
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  var info: drmModeModeInfo {
    var info = drmModeModeInfo()
    info.clock = pixelClock
    info.hdisplay = horizontal.display
    info.hsync_start = horizontal.syncStart
    info.hsync_end = horizontal.syncEnd
    info.htotal = horizontal.total
    info.hskew = horizontalSkew
    info.vdisplay = vertical.display
    info.vsync_start = vertical.syncStart
    info.vsync_end = vertical.syncEnd
    info.vtotal = vertical.total
    info.vscan = lineRepeat
    info.vrefresh = nominalRefresh
    info.flags = flags
    info.type = type
    unsafe withUnsafeMutableBytes(of: &info.name) { bytes in
      // One byte remains for the final zero.
      unsafe bytes.copyBytes(from: name.utf8.prefix(bytes.count - 1))
    }
    return info
  }
}
