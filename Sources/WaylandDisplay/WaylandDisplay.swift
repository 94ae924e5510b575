// SPDX-License-Identifier: MIT

package import RoundelDrawing
package import RoundelGeometry
package import RoundelInput
package import LinuxIO
package import RoundelMotion
package import RoundelPresentation
package import RoundelRaster
internal import SystemPackage

/// The user's request for a surface. The compositor decides if a value is nil.
package struct WaylandRequest: Hashable, Sendable {
  /// The output for a full-screen picture.
  package var output: String?
  /// The size of a window in surface coordinates, or nil for full screen.
  package var window: PixelSize?
  package var title: String

  package init(title: String, output: String? = nil, window: PixelSize? = nil) {
    self.title = title
    self.output = output
    self.window = window
  }
}

/// A surface of a Wayland compositor, painted into shared memory.
///
/// A frame starts when the compositor requests one, not while the surface is invisible. An
/// unplugged output, a new size or scale are states, not errors. If the compositor exits, the
/// display ends: see `onEnd`.
package final class WaylandDisplay: Display {
  package var onFlip: ((Timestamp, Int) -> Void)?
  /// Receives touch and pointer input with its time. Positions are relative to the surface, 0 … 1.
  package var onInput: (InputEvent, Timestamp) -> Void = { _, _ in }
  /// Receives keys, and rotations of a mouse wheel.
  package var onKey: (KeyInput, Timestamp) -> Void = { _, _ in }
  /// Called with an error, or with nil if the user closed the window.
  package var onEnd: (DisplayError?) -> Void = { _ in }
  /// Called when the compositor puts the picture on another output than requested.
  package var onMisplacement: (String) -> Void = { _ in }

  package private(set) var shownFrame: Int?
  package private(set) var refreshInterval = 1.0 / 60

  private let request: WaylandRequest
  private let fallbackSize: PixelSize
  private let connection: WaylandConnection
  private let registry: WaylandRegistry
  private let globals: WaylandGlobals
  private let pool: BufferPool
  private let cursor: PointerCursor
  private var outputs: [WaylandOutput] = []
  private var outputDetails: WaylandProxy?
  private var seats: [WaylandSeat] = []
  /// C: a `clockid_t`.
  private var presentationClock: CInt?

  private var window: WaylandWindow?
  private var wasOnRequested = false
  private var reportedMisplacement: String?
  private var layout: SurfaceLayout
  /// The layout last sent to the compositor, or nil before the first picture.
  private var committedLayout: SurfaceLayout?
  private var isAwake = true
  private var isBlack = false
  /// Reports that the compositor wants the next frame. Nil if it already does.
  private var frameCallback: WaylandProxy?
  private var feedbacks: [(frame: Int, proxy: WaylandProxy)] = []
  private static let maximumFeedbacks = 8

  /// Seconds to wait for the compositor to choose a size at startup.
  private static let configureTimeout = 2.0

  /// Connects to the compositor named by the environment.
  ///
  /// - Parameters:
  ///   - rotation: The clockwise rotation of the picture on the surface.
  ///   - depth: The panel's colour depth, or nil for full depth.
  ///   - fallbackSize: The size if neither the request nor the compositor provides one.
  package init(
    _ request: WaylandRequest, rotation: Rotation = .none, depth: ColorDepth? = nil,
    fallbackSize: PixelSize,
    on loop: EventLoop
  ) throws(DisplayError) {
    self.request = request
    self.rotation = rotation
    self.depth = depth
    self.fallbackSize = fallbackSize
    connection = try WaylandConnection()
    registry = try WaylandRegistry(connection)
    globals = try WaylandGlobals(registry)
    pool = BufferPool(globals.shm)
    cursor = PointerCursor(globals)
    layout = SurfaceLayout(size: request.window ?? fallbackSize)
    outputDetails = registry.bind(.xdgOutputManager, 3)
    globals.presentation?.onEvent = { [weak self] event in
      if event.name == "clock_id" {
        self?.presentationClock = CInt(truncatingIfNeeded: event.int(0))
      }
    }
    for global in registry.globals { add(global) }
    registry.onAdd = { [weak self] in self?.add($0) }
    registry.onRemove = { [weak self] in self?.remove($0) }
    // Outputs and seats send their descriptions.
    try registry.synchronize()
    place()
    _ = try connection.wait(seconds: Self.configureTimeout) {
      window == nil || window?.isConfigured == true
    }
    try connection.attach(to: loop)
    connection.onFailure = { [weak self] in self?.onEnd($0) }
  }

  package var rotation: Rotation {
    didSet { if rotation != oldValue { redraw() } }
  }

  package var depth: ColorDepth? {
    didSet { if depth != oldValue { redraw() } }
  }

  package var canvasSize: PixelSize { rotation.applied(to: layout.uprightSize) }

  /// The mapping from surface positions to the canvas.
  package var mapping: PanelMapping { PanelMapping(canvas: canvasSize, rotation: rotation) }

  package var inputs: [String] { seats.map(\.description) }

  /// Human-readable, or nil if the picture isn't shown anywhere.
  package var output: (compositor: String, output: String, mode: String)? {
    guard let output = shownOn else { return nil }
    let mode = output.mode.map { "\($0.size)@\(Int($0.refresh.rounded()))" } ?? ""
    return (
      connection.place, output.name.isEmpty ? "output \(output.global)" : output.name,
      mode + (layout.scale == 120 ? "" : " at scale \(Double(layout.scale) / 120)")
    )
  }

  /// A message about a picture on another output than requested.
  package var misplacement: String? {
    guard let name = request.output, let window, !window.outputs.isEmpty, let shownOn,
      !isOnRequested
    else { return nil }
    return
      "the compositor at \(connection.place) shows the picture on \(shownOn.name), not on \(name):"
      + " Weston's kiosk shell, for example, needs app-ids=roundel in the [output] section of weston.ini"
      + " for \(name)"
  }

  private var isOnRequested: Bool {
    outputs.contains { output in
      output.name == request.output && window?.outputs.contains { $0 === output.proxy } == true
    }
  }

  package var state: DisplayState {
    if let failure = connection.failure { return .waiting(failure) }
    guard let window else { return .waiting(missingOutput) }
    guard window.isConfigured else {
      return .waiting(
        DisplayError(
          .unavailable, "the compositor at \(connection.place) has not shown the window yet"))
    }
    guard !window.isSuspended else {
      return .waiting(
        DisplayError(
          .unavailable,
          "the compositor at \(connection.place) hides the window: another window is"
            + " in front, the session is locked, or the output is off"))
    }
    return isAwake ? .showing : .asleep
  }

  package var isReady: Bool { state == .showing && frameCallback == nil && pool.hasRoom }

  private var missingOutput: DisplayError {
    let found = outputs.map(\.description).joined(separator: "; ")
    return DisplayError(
      .unavailable,
      "the compositor at \(connection.place) has no output \(request.output ?? ""), only"
        + " \(found.isEmpty ? "none" : found); specify one of these with --output, or connect it")
  }

  // MARK: - Frames

  package func present(_ picture: Painter) throws(DisplayError) -> Timestamp? {
    precondition(picture.size == canvasSize, "the picture must have the requested size")
    guard isReady, let window else { return nil }
    let panel = panelLayout
    let buffer = try takeBuffer(panel)
    buffer.update(from: picture)
    let whole = PixelRect(size: panel.canvasSize)
    let damage = picture.damage(since: shownFrame).clipped(to: whole).rects
    show(buffer, damaged: damage.map { panel.panelRect($0) }, in: window)
    isBlack = false
    let callback = window.surface.create("frame", .callback, .newObject)
    let frame = picture.frame
    callback.onEvent = { [weak self] _ in self?.wantsFrame(after: frame) }
    frameCallback = callback
    follow(frame, of: window.surface)
    window.surface.request("commit")
    connection.flush()
    shownFrame = frame
    return nil
  }

  /// The surface of a sleeping kiosk is black.
  package var holdsPower: Bool {
    isAwake || isBlack && committedLayout == layout || window?.isConfigured != true
      || connection.failure != nil
  }

  package func setPower(_ on: Bool) throws(DisplayError) {
    if on != isAwake {
      isAwake = on
      redraw()
    }
    guard !holdsPower, let window else { return }
    let panel = panelLayout
    let buffer = try takeBuffer(panel)
    buffer.clear()
    show(buffer, damaged: [PixelRect(size: panel.size)], in: window)
    isBlack = true
    window.surface.request("commit")
    connection.flush()
  }

  private var panelLayout: PanelLayout {
    let size = layout.bufferSize
    return PanelLayout(
      size: size, pitch: size.width * PixelFormat.xrgb8888.bytesPerPixel, format: .xrgb8888,
      rotation: rotation.followed(by: layout.turn), depth: depth)
  }

  private func takeBuffer(_ panel: PanelLayout) throws(DisplayError) -> SharedBuffer {
    do throws(Errno) {
      return try pool.take(panel)
    } catch {
      throw DisplayError(.failed, "cannot allocate a buffer of \(panel.size): \(error)")
    }
  }

  /// Attaches a buffer for the surface's next commit.
  private func show(_ buffer: SharedBuffer, damaged: [PixelRect], in window: WaylandWindow) {
    let surface = window.surface
    if committedLayout != layout {
      if surface.version >= 2 { surface.request("set_buffer_transform", .int(layout.transform)) }
      if let viewport = window.viewport {
        viewport.request(
          "set_destination", .int(layout.size.width), .int(layout.size.height))
      } else if surface.version >= 3 {
        surface.request("set_buffer_scale", .int(layout.scale / 120))
      }
      committedLayout = layout
    }
    surface.request("attach", .object(buffer.proxy), .int(0), .int(0))
    if surface.version >= 4 {
      for rect in damaged {
        surface.request(
          "damage_buffer", .int(rect.x0), .int(rect.y0), .int(rect.width), .int(rect.height))
      }
    } else if !damaged.isEmpty {
      // Damage in surface coordinates might be fractional, so the whole surface is damaged.
      surface.request(
        "damage", .int(0), .int(0), .int(layout.size.width), .int(layout.size.height))
    }
    buffer.isBusy = true
  }

  private func wantsFrame(after frame: Int) {
    frameCallback = nil
    // Without presentation feedback, this is the best estimate of when the frame was shown.
    if globals.presentation == nil { onFlip?(MonotonicClock.now, frame) }
  }

  /// Requests feedback on when the frame of the next commit is shown.
  private func follow(_ frame: Int, of surface: WaylandProxy) {
    guard let presentation = globals.presentation else { return }
    let feedback = presentation.create(
      "feedback", .presentationFeedback, .object(surface), .newObject)
    feedback.onEvent = { [weak self, weak feedback] event in
      guard let self, event.name != "sync_output" else { return }
      // Both other events destroy the object.
      feedbacks.removeAll { $0.proxy === feedback }
      if event.name == "presented" { presented(frame, event) }
    }
    if feedbacks.count == Self.maximumFeedbacks { feedbacks.removeFirst() }
    feedbacks.append((frame, feedback))
  }

  private func presented(_ frame: Int, _ event: WaylandEvent) {
    let seconds = Int64(event.uint(0) & 0x7fff) << 32 | Int64(event.uint(1))
    let stamp = Timestamp(
      microseconds: min(seconds, 1 << 40) * 1_000_000 + Int64(event.uint(2)) / 1000)
    if event.uint(3) > 0 {
      refreshInterval = min(max(Double(event.uint(3)) / 1e9, 1.0 / 1000), 1)
    }
    let now = MonotonicClock.now
    // The clocks run at the same rate, but have different origins.
    let offset = presentationClock.flatMap { MonotonicClock.now(of: $0) }
    var instant = offset.map { now + (stamp - $0) } ?? stamp
    // A time in the future or long ago can't be this frame's.
    if instant > now || now - instant > 1 { instant = now }
    onFlip?(instant, frame)
  }

  /// Shows the whole picture again, immediately.
  private func redraw() {
    shownFrame = nil
    frameCallback?.destroy()
    frameCallback = nil
  }

  // MARK: - Outputs, seats and the window

  private func add(_ global: WaylandGlobals.Global) {
    switch global.interface {
    case WaylandInterface.output.name:
      let output = WaylandOutput(global.number, registry.bind(global, .output, 4))
      output.onChange = { [weak self] in
        self?.place()
        self?.updateLayout()
      }
      outputs.append(output)
      outputDetails.map { output.ask($0) }
    case WaylandInterface.seat.name:
      let seat = WaylandSeat(global.number, registry.bind(global, .seat, 5))
      seat.surfaceSize = layout.size
      seat.onInput = { [weak self] in self?.onInput($0, $1) }
      seat.onKey = { [weak self] in self?.onKey($0, $1) }
      seat.onEnter = { [weak self, weak seat] pointer, serial in
        self?.cursor.show(seat?.hasTouch == false, at: pointer, serial)
      }
      seats.append(seat)
    default: break
    }
  }

  private func remove(_ number: UInt32) {
    if let index = outputs.firstIndex(where: { $0.global == number }) {
      window?.forget(outputs.remove(at: index).proxy)
      place()
      updateLayout()
    }
    if let index = seats.firstIndex(where: { $0.global == number }) {
      seats.remove(at: index).cancel()
    }
  }

  /// Creates or removes the window, depending on the outputs.
  private func place() {
    let chosen = request.output.map { name in outputs.first { $0.name == name } }
    if let chosen, chosen == nil {
      // A picture that the compositor put on another output stays there.
      guard let placed = window, wasOnRequested || placed.outputs.isEmpty else { return }
      for seat in seats { seat.cancel() }
      redraw()
      window = nil
      committedLayout = nil
    } else if window == nil {
      let window = WaylandWindow(
        globals, title: request.title, isFullScreen: request.window == nil, on: chosen??.proxy)
      window.onConfigure = { [weak self] in self?.configured() }
      window.onChange = { [weak self] in self?.updateLayout() }
      window.onClose = { [weak self] in self?.onEnd(nil) }
      self.window = window
      wasOnRequested = false
      connection.flush()
    }
  }

  private func configured() {
    updateLayout()
    guard let window else { return }
    if window.isSuspended {
      // The last frame may never be answered. The next one may start when the surface is visible
      // again.
      frameCallback?.destroy()
      frameCallback = nil
    } else if committedLayout == layout {
      // The picture stays. The commit acknowledges the compositor's configuration.
      window.surface.request("commit")
    }
  }

  /// The output that shows the picture, or probably will.
  private var shownOn: WaylandOutput? {
    if let last = window?.outputs.last { return outputs.first { $0.proxy === last } }
    if let name = request.output { return outputs.first { $0.name == name } }
    return outputs.count == 1 ? outputs.first : nil
  }

  private func reportMisplacement() {
    let misplacement = misplacement
    guard misplacement != reportedMisplacement else { return }
    reportedMisplacement = misplacement
    if let misplacement { onMisplacement(misplacement) }
  }

  private func updateLayout() {
    guard let window else { return }
    wasOnRequested = wasOnRequested || isOnRequested
    reportMisplacement()
    let showing = outputs.filter { output in window.outputs.contains { $0 === output.proxy } }
    let scale = showing.map(\.scale).max() ?? shownOn?.scale ?? 1
    let transform = window.preferredTransform ?? shownOn?.transform ?? 0
    let size = window.size ?? request.window ?? shownOn?.size ?? fallbackSize
    let new = SurfaceLayout(
      size: size,
      scale: window.viewport == nil
        ? 120 * (window.preferredScale ?? scale) : window.fractionalScale ?? 120 * scale,
      turn: SurfaceLayout.turn(forTransform: transform))
    if let refresh = shownOn?.mode?.refresh, refresh > 1, feedbacks.isEmpty, shownFrame == nil {
      refreshInterval = 1 / refresh
    }
    guard new != layout else { return }
    layout = new
    for seat in seats { seat.surfaceSize = new.size }
    // The compositor waits for a picture of the new size, even if it hasn't requested a frame.
    redraw()
  }
}
