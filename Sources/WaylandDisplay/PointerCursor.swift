// SPDX-License-Identifier: MIT

internal import RoundelGeometry
internal import LinuxIO
internal import RoundelPresentation
internal import RoundelRaster
internal import SystemPackage

final class PointerCursor {
  private let globals: WaylandGlobals
  private var surface: WaylandProxy?
  private var buffer: SharedBuffer?

  init(_ globals: WaylandGlobals) { self.globals = globals }

  deinit { surface?.destroy(by: "destroy") }

  /// Sets or hides the cursor of a pointer that entered the surface.
  func show(_ isShown: Bool, at pointer: WaylandProxy, _ serial: UInt32) {
    let arrow = isShown ? arrow() : nil
    // The tip is the pixel (1, 1).
    pointer.request(
      "set_cursor", .uint(serial), .object(arrow), .int(isShown ? 1 : 0), .int(isShown ? 1 : 0))
  }

  private func arrow() -> WaylandProxy? {
    if let surface { return surface }
    let layout = PanelLayout(
      size: PixelSize(Self.side, Self.side), pitch: Self.side * 4, format: .xrgb8888,
      rotation: .none)
    // 0 is ARGB8888 in `enum wl_shm_format`.
    guard let buffer = try? SharedBuffer(layout, format: 0, from: globals.shm) else { return nil }
    buffer.fill(with: Self.pixels)
    let surface = globals.compositor.create("create_surface", .surface, .newObject)
    surface.request("attach", .object(buffer.proxy), .int(0), .int(0))
    surface.request("damage", .int(0), .int(0), .int(Self.side), .int(Self.side))
    surface.request("commit")
    self.buffer = buffer
    self.surface = surface
    return surface
  }

  private static let side = 24

  /// Sixteen samples per pixel, premultiplied.
  private static var pixels: [UInt8] {
    var bytes: [UInt8] = []
    for y in 0..<side {
      for x in 0..<side {
        var covered = 0
        var white = 0
        for sample in 0..<16 {
          let px = Double(x) + (Double(sample & 3) + 0.5) / 4
          let py = Double(y) + (Double(sample >> 2) + 0.5) / 4
          // The tip is half a pixel from the corner.
          let arrow = PointerArrow.covers(Vector(px - 0.5, py - 0.5))
          if arrow.isCovered { covered += 1 }
          if arrow.isWhite { white += 1 }
        }
        let light = UInt8(white * 255 / 16)
        bytes += [light, light, light, UInt8(covered * 255 / 16)]
      }
    }
    return bytes
  }
}
