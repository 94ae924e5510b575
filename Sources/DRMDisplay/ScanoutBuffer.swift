// SPDX-License-Identifier: MIT

internal import CRoundelDRM
internal import RoundelDrawing
internal import RoundelGeometry
internal import LinuxIO
internal import RoundelPresentation
internal import RoundelRaster
internal import SystemPackage

/// One of the two buffers that a panel's plane displays alternately.
final class ScanoutBuffer {
  // Destroyed in this order: first the objects that refer to the memory, then the memory.
  private let framebuffer: Framebuffer
  private let memory: MappedMemory
  private let dumb: DumbBuffer

  let layout: PanelLayout
  /// The frame in memory, or nil before the first.
  private(set) var frame: Int?

  init(
    on card: Card, _ output: Output, _ rotation: Rotation, _ depth: ColorDepth?
  ) throws(ScanoutRefusal) {
    let size = output.mode.size
    let dumb = try ScanoutRefusal.when { () throws(Refusal) in
      try DumbBuffer(on: card, size, output.format)
    }
    guard
      let layout = PanelLayout(
        size: size, pitch: dumb.pitch, byteCount: dumb.byteCount, format: output.format,
        rotation: rotation, depth: depth)
    else {
      throw ScanoutRefusal(
        "it reports \(dumb.pitch) bytes per row and \(dumb.byteCount) in total, too few for"
          + " \(size) pixels of \(output.format)")
    }
    let memory = try ScanoutRefusal.when { () throws(Refusal) in
      let offset = try dumb.mapOffset()
      do throws(Errno) {
        return try MappedMemory(card.descriptor, offset: offset, length: dumb.byteCount)
      } catch {
        throw Refusal(call: "mmap", errno: error)
      }
    }
    framebuffer = try ScanoutRefusal.when { () throws(Refusal) in try Framebuffer(of: dumb, layout)
    }
    self.dumb = dumb
    self.memory = memory
    self.layout = layout
  }

  var id: UInt32 { framebuffer.id }

  func update(from picture: Painter) {
    let damage = picture.damage(since: frame)
    // The memory has `layout.byteCount` bytes.
    unsafe memory.withBytes { unsafe layout.paint(damage, of: picture, to: $0) }
    frame = picture.frame
  }
}

struct ScanoutRefusal: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  static func when<Result: ~Copyable>(
    _ body: () throws(Refusal) -> Result
  ) throws(ScanoutRefusal) -> Result {
    do throws(Refusal) {
      return try body()
    } catch {
      throw ScanoutRefusal("\(error)")
    }
  }
}

/// Memory that a display controller can scan out. C: a handle from `DRM_IOCTL_MODE_CREATE_DUMB`.
private struct DumbBuffer: ~Copyable {
  let card: Card
  let handle: UInt32
  /// Bytes from one row to the next, chosen by the driver.
  let pitch: Int
  let byteCount: Int

  init(on card: Card, _ size: PixelSize, _ format: PixelFormat) throws(Refusal) {
    var handle: UInt32 = 0
    var pitch: UInt32 = 0
    var bytes: UInt64 = 0
    // Writes into locals.
    try Refusal.check("MODE_CREATE_DUMB") {
      unsafe drmModeCreateDumbBuffer(
        card.fd, UInt32(size.width), UInt32(size.height),
        UInt32(format.bytesPerPixel * 8), 0, &handle, &pitch, &bytes)
    }
    self.card = card
    self.handle = handle
    self.pitch = Int(pitch)
    byteCount = Int(clamping: bytes)
  }

  deinit {
    drmModeDestroyDumbBuffer(card.fd, handle)
  }

  /// The offset for mapping it from the device file.
  func mapOffset() throws(Refusal) -> Int64 {
    var offset: UInt64 = 0
    try Refusal.check("MODE_MAP_DUMB") {
      unsafe drmModeMapDumbBuffer(card.fd, handle, &offset)
    }
    return Int64(bitPattern: offset)
  }
}

/// A picture in a dumb buffer. C: the id from `drmModeAddFB2`.
private struct Framebuffer: ~Copyable {
  let card: Card
  let id: UInt32

  init(of buffer: borrowing DumbBuffer, _ layout: PanelLayout) throws(Refusal) {
    var id: UInt32 = 0
    let card = buffer.card
    guard let fourcc = layout.format.fourcc else {
      throw Refusal(call: "MODE_ADDFB2", errno: .invalidArgument)
    }
    let handles: [UInt32] = [buffer.handle, 0, 0, 0]
    let pitches: [UInt32] = [UInt32(buffer.pitch), 0, 0, 0]
    let offsets: [UInt32] = [0, 0, 0, 0]
    // Reads four of each and writes the id.
    try Refusal.check("MODE_ADDFB2 of \(layout.format)") {
      unsafe drmModeAddFB2(
        card.fd, UInt32(layout.size.width), UInt32(layout.size.height),
        fourcc, handles, pitches, offsets, &id, 0)
    }
    self.card = card
    self.id = id
  }

  deinit {
    drmModeRmFB(card.fd, id)
  }
}
