// SPDX-License-Identifier: MIT

package import Drawing
package import Geometry
package import LinuxIO
package import Motion
package import Presentation
package import Raster
internal import SystemPackage

/// A panel that the kernel shows memory on without DRM: `/dev/fb0`.
///
/// Where the driver can move the first row that is shown and has memory for two pictures, they are shown
/// in turn, without tearing. Otherwise the one picture is painted while it is shown, and tears.
package final class FramebufferDisplay: PanelDisplay {
  package var onFlip: ((Timestamp, Int) -> Void)?
  package private(set) var shownFrame: Int?
  package let refreshInterval: Double

  private let device: any FramebufferDevice
  private let info: FramebufferInfo
  private var layout: PanelLayout
  /// The rows at which pictures lie, and the frame that each holds.
  private var pages: [(row: Int, frame: Int?)]
  /// The one that is shown.
  private var front = 0
  /// Moves the first row, which may take until the next blank.
  private let worker: Worker
  private var isPanning = false
  private var isAwake = true
  /// Whether the panel is dark, or nil if another program has had it.
  private var isDark: Bool? = false
  /// Whether the panel is dark by itself, and not by a black picture.
  private var isBlanked = false

  /// Opens a frame buffer.
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
    // A driver may report a rate that no panel has, or none.
    refreshInterval = (10...1000).contains(info.refresh) ? 1 / info.refresh : 1.0 / 60
    // A console that was asleep may have left the panel dark.
    try? device.setBlank(false)
  }

  private static func refusal(of path: String, _ error: Errno) -> DisplayError {
    switch error {
    case .permissionDenied, .notPermitted:
      DisplayError(.permission, "no permission to open \(path): \(DeviceAccess.advice(for: path))")
    case .noSuchFileOrDirectory:
      DisplayError(
        .unavailable,
        "there is no frame buffer at \(path): its driver is not loaded, or the panel has"
          + " a DRM card (--display drm)")
    default: DisplayError(.unavailable, "\(path) cannot be used as a frame buffer: \(error)")
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

  /// How pictures follow each other on the panel, for people.
  private var tearing: String {
    pages.count > 1 ? "two pictures in turn" : "one picture, which tears"
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
    precondition(picture.size == canvasSize, "the picture must have the size asked for")
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
        // Many drivers do not know it, and pan at a blank themselves.
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
      // A page lies in the memory: see `FramebufferInfo.pages`.
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
      // The driver claims to pan but does not: from now on the page that is shown is painted.
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
      // A driver that cannot turn its panel off shows black.
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
