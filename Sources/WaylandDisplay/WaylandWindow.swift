// SPDX-License-Identifier: MIT

internal import Geometry

/// A surface with its role: a window, or all of an output.
final class WaylandWindow {
  let surface: WaylandProxy
  /// The size that the compositor wants, in its units; nil where that is left to the window.
  private(set) var size: PixelSize?
  /// Whether the compositor has said where and how large it is to be shown.
  private(set) var isConfigured = false
  /// Whether nothing of it can be seen, which compositors say from xdg_wm_base 6 on.
  private(set) var isSuspended = false
  /// By fractional-scale-v1, in 120ths; nil where it was not told.
  private(set) var fractionalScale: Int?
  /// By wl_surface 6.
  private(set) var preferredScale: Int?
  private(set) var preferredTransform: Int?
  /// The outputs that show it.
  private(set) var outputs: [WaylandProxy] = []
  /// How buffers become the surface's size, where they may have another scale than a whole number.
  let viewport: WaylandProxy?

  /// Called after the compositor has said how large it is to be, or that it can or cannot be seen.
  var onConfigure: () -> Void = {}
  /// Called after something else of the above has changed.
  var onChange: () -> Void = {}
  /// Called when it is to be closed.
  var onClose: () -> Void = {}

  private let xdgSurface: WaylandProxy
  private let toplevel: WaylandProxy
  private let fractional: WaylandProxy?
  private var pendingSize: PixelSize?
  private var pendingSuspended = false

  /// Asks for a window, on all of `output` if it `isFullScreen`, or of one that the compositor chooses.
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
    // Without a buffer: the compositor answers with a size.
    surface.request("commit")
  }

  deinit {
    // Objects that refer to the surface come first.
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

  /// An output has gone; the compositor need not report that the surface has left it.
  func forget(_ output: WaylandProxy) { outputs.removeAll { $0 === output } }
}
