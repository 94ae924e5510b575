// SPDX-License-Identifier: MIT

package import RoundelDrawing
package import RoundelGeometry
package import LinuxIO
package import RoundelMotion
package import RoundelPresentation
package import RoundelRaster
internal import SystemPackage

/// A panel displayed by the kernel from memory without DRM: `/dev/fb0`.
///
/// With panning and memory for two, pictures alternate without tearing. Otherwise the displayed
/// picture is painted, and tears.
package final class FramebufferDisplay: PanelDisplay {
  package var onFlip: ((Timestamp, Int) -> Void)?
  package private(set) var shownFrame: Int?
  package let refreshInterval: Double

  private let device: any FramebufferDevice
  private let info: FramebufferInfo
  private var layout: PanelLayout
  /// The start rows of the pictures, and the frame in each.
  private var pages: [(row: Int, frame: Int?)]
  private var front = 0
  /// Pans, because this may block until the next blank.
  private let worker: Worker
  private var isPanning = false
  private var isAwake = true
  /// Nil if another program has used the panel.
  private var isDark: Bool? = false
  /// Whether the panel is powered down, not just black.
  private var isBlanked = false

  package convenience init(
    _ path: String = "/dev/fb0", rotation: Rotation = .none, depth: ColorDepth? = nil,
    on loop: EventLoop
  ) throws(DisplayError) {
    let device: KernelFramebuffer
    do throws(Errno) {
      device = try KernelFramebuffer(opening: path)
    } catch {
      throw Self.refusal(of: path, error)
    }
    try self.init(device, rotation: rotation, depth: depth, on: loop)
  }

  package init(
    _ device: any FramebufferDevice, rotation: Rotation = .none, depth: ColorDepth? = nil,
    on loop: EventLoop
  ) throws(DisplayError) {
    let info: FramebufferInfo
    do throws(Errno) {
      info = try device.readInfo()
      worker = try Worker(on: loop)
    } catch {
      throw Self.refusal(of: device.path, error)
    }
    self.device = device
    self.info = info
    layout = try info.layout(of: device.path, rotation: rotation, depth: depth)
    pages = info.pages.map { ($0, nil) }
    front = info.pages.firstIndex(of: info.firstRow) ?? 0
    // Drivers may report no rate or an impossible one.
    refreshInterval = (10...1000).contains(info.refresh) ? 1 / info.refresh : 1.0 / 60
    // A sleeping console may have left the panel dark.
    try? device.setBlank(false)
  }

  private static func refusal(of path: String, _ error: Errno) -> DisplayError {
    switch error {
    case .permissionDenied, .notPermitted:
      DisplayError(.permission, "no permission to open \(path): \(DeviceAccess.advice(for: path))")
    case .noSuchFileOrDirectory:
      DisplayError(
        .unavailable,
        "no frame buffer at \(path): its driver is not loaded, or the panel has a DRM device"
          + " (--display drm)")
    default: DisplayError(.unavailable, "cannot use \(path) as a frame buffer: \(error)")
    }
  }

  package var canvasSize: PixelSize { layout.canvasSize }

  package var rotation: Rotation {
    get { layout.rotation }
    set {
      guard newValue != layout.rotation else { return }
      layout.rotation = newValue
      forgetPictures()
    }
  }

  package var depth: ColorDepth? {
    get { layout.depth }
    set {
      guard newValue != layout.depth else { return }
      layout.depth = newValue
      forgetPictures()
    }
  }

  package var place: DisplayPlace? {
    DisplayPlace(
      card: device.path, output: info.name,
      mode: "\(info.size), \(info.bitsPerPixel) bits, \(tearing)", format: "\(layout.format)")
  }

  private var tearing: String {
    pages.count > 1 ? "double-buffered" : "single-buffered, with tearing"
  }

  package var isInForeground = true {
    didSet {
      guard isInForeground, !oldValue else { return }
      forgetPictures()
      isDark = nil
    }
  }

  package var state: DisplayState {
    if !isInForeground {
      .waiting(.inBackground)
    } else {
      isAwake ? .showing : .asleep
    }
  }
  package var isReady: Bool { isAwake && isInForeground && !isPanning }

  package func present(_ picture: Painter) throws(DisplayError) -> Timestamp? {
    precondition(picture.size == canvasSize, "the picture must have the requested size")
    guard isReady else { return nil }
    let back = (front + 1) % pages.count
    paint(picture, into: back)
    shownFrame = picture.frame
    guard pages.count > 1 else { return MonotonicClock.now }
    isPanning = true
    let row = pages[back].row
    let frame = picture.frame
    worker.run { [device] in
      do throws(Errno) {
        try device.pan(to: row)
        // Many drivers don't support this, and wait for a blank when panning.
        try? device.waitForBlank()
        return true
      } catch {
        return false
      }
    } whenDone: { [weak self] isDone in
      self?.panned(isDone, to: back, frame: frame)
    }
    return nil
  }

  private func paint(_ picture: Painter, into page: Int) {
    let damage = picture.damage(since: pages[page].frame)
    let start = pages[page].row * layout.pitch
    unsafe device.withMemory { memory in
      // A page is inside the memory: see `FramebufferInfo.pages`.
      unsafe layout.paint(
        damage, of: picture,
        to: UnsafeMutableRawBufferPointer(rebasing: memory[start..<(start + layout.byteCount)]))
    }
    pages[page].frame = picture.frame
  }

  private func panned(_ isDone: Bool, to page: Int, frame: Int) {
    isPanning = false
    if isDone {
      front = page
      onFlip?(MonotonicClock.now, frame)
    } else {
      // The driver claims to pan but fails. From now on, the displayed page is painted.
      pages = [pages[front]]
      front = 0
      shownFrame = nil
    }
  }

  package var holdsPower: Bool { !isInForeground || isDark == !isAwake }

  package func setPower(_ on: Bool) throws(DisplayError) {
    isAwake = on
    guard !holdsPower else { return }
    if on { try wake() } else { sleep() }
    isDark = !on
  }

  private func sleep() {
    do throws(Errno) {
      try device.setBlank(true)
      isBlanked = true
    } catch {
      // If the driver can't turn its panel off, show black.
      clear()
    }
  }

  private func wake() throws(DisplayError) {
    do throws(Errno) {
      if isBlanked { try device.setBlank(false) }
    } catch {
      throw DisplayError(
        .failed, "\(device.path) (\(info.name)) refuses to wake the panel: \(error)")
    }
    isBlanked = false
    shownFrame = nil
  }

  private func clear() {
    let rows = pages.map(\.row)
    unsafe device.withMemory { memory in
      for row in rows {
        let start = row * layout.pitch
        // As in `paint`.
        let page = unsafe UnsafeMutableRawBufferPointer(
          rebasing: memory[start..<(start + layout.byteCount)])
        _ = unsafe page.initializeMemory(as: UInt8.self, repeating: 0)
      }
    }
    forgetPictures()
  }

  private func forgetPictures() {
    for page in pages.indices { pages[page].frame = nil }
    shownFrame = nil
  }
}
