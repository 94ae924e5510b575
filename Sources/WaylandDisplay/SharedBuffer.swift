// SPDX-License-Identifier: MIT

internal import RoundelDrawing
internal import RoundelGeometry
internal import LinuxIO
internal import RoundelPresentation
internal import RoundelRaster
internal import SystemPackage

/// A picture in memory shared with the compositor.
final class SharedBuffer {
  let layout: PanelLayout
  /// Nil if the buffer has no frame.
  private(set) var frame: Int?
  /// Whether the compositor may still read the buffer.
  var isBusy = false

  let proxy: WaylandProxy
  private let memory: MappedMemory

  /// - Parameter format: The code in the protocol.
  init(_ layout: PanelLayout, format: UInt32, from shm: WaylandProxy) throws(Errno) {
    let length = layout.byteCount
    let descriptor = try OwnedDescriptor(memoryOf: length, named: "roundel")
    memory = try MappedMemory(descriptor, offset: 0, length: length)
    self.layout = layout
    // The library sends a copy of the descriptor.
    let pool = shm.create(
      "create_pool", .shmPool, .newObject, .descriptor(descriptor.rawValue), .int(length))
    proxy = pool.create(
      "create_buffer", .buffer, .newObject, .int(0), .int(layout.size.width),
      .int(layout.size.height), .int(layout.pitch), .uint(format))
    pool.destroy(by: "destroy")
    proxy.onEvent = { [weak self] _ in self?.isBusy = false }
  }

  deinit { proxy.destroy(by: "destroy") }

  func update(from picture: Painter) {
    let damage = picture.damage(since: frame)
    // The memory has `layout.byteCount` bytes.
    unsafe memory.withBytes { unsafe layout.paint(damage, of: picture, to: $0) }
    frame = picture.frame
  }

  func fill(with bytes: [UInt8]) {
    precondition(bytes.count == layout.byteCount, "the bytes must fill the buffer")
    unsafe memory.withBytes { unsafe $0.copyBytes(from: bytes) }
    frame = nil
  }

  func clear() {
    unsafe memory.withBytes {
      _ = unsafe $0.initializeMemory(as: UInt8.self, repeating: 0)
    }
    frame = nil
  }
}

/// A surface's buffers: one if the compositor copies pictures, two or three if it displays them
/// directly.
final class BufferPool {
  private let shm: WaylandProxy
  private var buffers: [SharedBuffer] = []

  /// If all are in use, the display waits until the compositor releases a buffer.
  private static let maximumBuffers = 4
  /// XRGB8888 in `enum wl_shm_format`, which every compositor supports.
  private static let format: UInt32 = 1

  init(_ shm: WaylandProxy) { self.shm = shm }

  var hasRoom: Bool { buffers.count { $0.isBusy } < Self.maximumBuffers }

  /// The free buffer with the newest frame, or a new one. Frees unused buffers of other layouts.
  func take(_ layout: PanelLayout) throws(Errno) -> SharedBuffer {
    buffers.removeAll { !$0.isBusy && $0.layout != layout }
    let free = buffers.filter { !$0.isBusy }.max { ($0.frame ?? -1) < ($1.frame ?? -1) }
    if let free { return free }
    let made = try SharedBuffer(layout, format: Self.format, from: shm)
    buffers.append(made)
    return made
  }
}
