// SPDX-License-Identifier: MIT

internal import RoundelGeometry

/// A surface with the role of a window, possibly full-screen.
final class WaylandWindow {
  let surface: WaylandProxy
  /// The size requested by the compositor in surface coordinates, or nil if the window may choose.
  private(set) var size: PixelSize?
  private(set) var isConfigured = false
  /// Whether the window is completely hidden. Compositors report this since xdg_wm_base version 6.
  private(set) var isSuspended = false
  /// In 120ths, from fractional-scale-v1.
  private(set) var fractionalScale: Int?
  /// Available since wl_surface version 6.
  private(set) var preferredScale: Int?
  private(set) var preferredTransform: Int?
  private(set) var outputs: [WaylandProxy] = []
  /// Scales buffers to the surface's size, which allows fractional scales.
  let viewport: WaylandProxy?

  /// Called when the compositor changes the window's size or visibility.
  var onConfigure: () -> Void = {}
  /// Called when another of the properties above has changed.
  var onChange: () -> Void = {}
  var onClose: () -> Void = {}

  private let xdgSurface: WaylandProxy
  private let toplevel: WaylandProxy
  private let fractional: WaylandProxy?
  private var pendingSize: PixelSize?
  private var pendingSuspended = false

  /// - Parameter output: The output of a full-screen window, or nil for the compositor's choice.
  init(
    _ globals: WaylandGlobals, title: String, isFullScreen: Bool, on output: WaylandProxy?
  ) {
    surface = globals.compositor.create("create_surface", .surface, .newObject)
    xdgSurface = globals.wmBase.create(
      "get_xdg_surface", .xdgSurface, .newObject, .object(surface))
    toplevel = xdgSurface.create("get_toplevel", .toplevel, .newObject)
    if let manager = globals.fractionalScaleManager, let viewporter = globals.viewporter {
      viewport = viewporter.create("get_viewport", .viewport, .newObject, .object(surface))
      fractional = manager.create(
        "get_fractional_scale", .fractionalScale, .newObject, .object(surface))
    } else {
      viewport = nil
      fractional = nil
    }
    surface.onEvent = { [weak self] in self?.handleSurface($0) }
    toplevel.onEvent = { [weak self] in self?.handleToplevel($0) }
    xdgSurface.onEvent = { [weak self] in self?.configure(serial: $0.uint(0)) }
    fractional?.onEvent = { [weak self] event in
      self?.fractionalScale = event.int(0)
      self?.onChange()
    }
    toplevel.request("set_title", .string(title))
    toplevel.request("set_app_id", .string("roundel"))
    if isFullScreen { toplevel.request("set_fullscreen", .object(output)) }
    // A commit without a buffer requests the configuration.
    surface.request("commit")
  }

  deinit {
    // Objects that refer to the surface must be destroyed first.
    fractional?.destroy(by: "destroy")
    viewport?.destroy(by: "destroy")
    toplevel.destroy(by: "destroy")
    xdgSurface.destroy(by: "destroy")
    surface.destroy(by: "destroy")
  }

  private func handleToplevel(_ event: WaylandEvent) {
    switch event.name {
    case "configure":
      let size = PixelSize(event.int(0), event.int(1))
      pendingSize = size.width > 0 && size.height > 0 ? size : nil
      // The state 9 of `enum xdg_toplevel.state` is `suspended`.
      pendingSuspended = event.words(2).contains(9)
    case "close": onClose()
    default: break
    }
  }

  private func configure(serial: UInt32) {
    xdgSurface.request("ack_configure", .uint(serial))
    size = pendingSize
    isSuspended = pendingSuspended
    isConfigured = true
    onConfigure()
  }

  private func handleSurface(_ event: WaylandEvent) {
    switch event.name {
    case "enter":
      if let output = event.object(0), !outputs.contains(where: { $0 === output }) {
        outputs.append(output)
      }
    case "leave": outputs.removeAll { $0 === event.object(0) }
    case "preferred_buffer_scale": preferredScale = min(max(event.int(0), 1), 16)
    case "preferred_buffer_transform": preferredTransform = event.int(0)
    default: return
    }
    onChange()
  }

  /// The compositor may not send a leave event for a removed output.
  func forget(_ output: WaylandProxy) { outputs.removeAll { $0 === output } }
}
