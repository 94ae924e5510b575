// SPDX-License-Identifier: MIT

package import RoundelDrawing
package import RoundelGeometry
package import RoundelPresentation
internal import RoundelRaster

/// The properties of a framebuffer. C: `struct fb_var_screeninfo` and `struct fb_fix_screeninfo`.
package struct FramebufferInfo: Hashable, Sendable {
  /// The bits of a colour in a pixel. C: `struct fb_bitfield`.
  package struct Field: Hashable, Sendable {
    package var offset: Int
    package var length: Int
    /// Whether the highest bit is on the right.
    package var isReversed = false

    package init(_ offset: Int, _ length: Int, isReversed: Bool = false) {
      self.offset = offset
      self.length = length
      self.isReversed = isReversed
    }

    fileprivate var channel: ChannelLayout.Channel {
      ChannelLayout.Channel(offset: offset, length: length)
    }
  }

  package var name = ""
  package var size: PixelSize
  /// Rows in memory. The panel displays `size.height` of them.
  package var virtualHeight: Int
  package var firstRow = 0
  /// In rows, or 0 if panning isn't supported.
  package var panStep = 0
  /// Bytes from one row to the next.
  package var pitch: Int
  package var byteCount: Int
  package var bitsPerPixel: Int
  package var red: Field
  package var green: Field
  package var blue: Field
  package var alpha = Field(0, 0)
  /// Whether pixels contain colours, not indices or bits of several planes.
  package var isTrueColor = true
  /// In frames per second, or 0 if unknown.
  package var refresh = 0.0

  package init(
    size: PixelSize, virtualHeight: Int? = nil, pitch: Int, byteCount: Int? = nil,
    bitsPerPixel: Int,
    red: Field, green: Field, blue: Field
  ) {
    self.size = size
    self.virtualHeight = virtualHeight ?? size.height
    self.pitch = pitch
    self.byteCount = byteCount ?? pitch * (virtualHeight ?? size.height)
    self.bitsPerPixel = bitsPerPixel
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Returns the layout of pictures. Throws if they can't be painted.
  package func layout(
    of path: String, rotation: Rotation = .none, depth: ColorDepth? = nil
  ) throws(DisplayError) -> PanelLayout {
    func unusable(_ why: String) -> DisplayError {
      DisplayError(.unavailable, "\(path) (\(name)) \(why)")
    }
    guard size.isPanelSize else {
      throw unusable(
        "has \(size) pixels: its driver has found no panel; see its messages in dmesg, or specify"
          + " another frame buffer with --card")
    }
    let format = ChannelLayout(
      bitsPerPixel: bitsPerPixel, red: red.channel, green: green.channel, blue: blue.channel,
      alpha: alpha.channel)
    guard isTrueColor, let format, ![red, green, blue].contains(where: \.isReversed) else {
      let colors = isTrueColor ? "" : " without true colour"
      throw unusable(
        "has pixels of \(bitsPerPixel) bits\(colors), but needs 16, 24 or 32 bits in a usual order of"
          + " red, green and blue; set another mode with fbset -depth 32, or with the driver's options"
      )
    }
    guard
      let layout = PanelLayout(
        size: size, pitch: pitch, byteCount: byteCount, format: PixelFormat(format),
        rotation: rotation, depth: depth)
    else {
      throw unusable(
        "reports \(pitch) bytes per row and \(byteCount) in total, too few for \(size) pixels of"
          + " \(bitsPerPixel) bits")
    }
    return layout
  }

  /// Two if panning is possible and there is memory for both, otherwise the displayed one.
  package var pages: [Int] {
    let (rows, overflow) = size.height.multipliedReportingOverflow(by: 2)
    let canPan = panStep > 0 && size.height % panStep == 0
    let space = pitch > 0 ? max(0, min(virtualHeight, byteCount / pitch)) : 0
    if canPan, !overflow, rows <= space { return [0, size.height] }
    return firstRow >= 0 && firstRow <= space - size.height ? [firstRow] : [0]
  }
}
