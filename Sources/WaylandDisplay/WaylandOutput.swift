// SPDX-License-Identifier: MIT

internal import RoundelGeometry

/// A monitor, as described by the compositor.
final class WaylandOutput {
  /// The number of the global.
  let global: UInt32
  let proxy: WaylandProxy
  /// The connector's name, such as `HDMI-A-1`, or an empty string if unknown.
  private(set) var name = ""
  private(set) var scale = 1
  /// C: `enum wl_output_transform`.
  private(set) var transform = 0
  private(set) var mode: (size: PixelSize, refresh: Double)?
  var onChange: () -> Void = {}

  /// Reports the name, if wl_output is too old for that.
  private var details: WaylandProxy?

  init(_ global: UInt32, _ proxy: WaylandProxy) {
    self.global = global
    self.proxy = proxy
    proxy.onEvent = { [weak self] in self?.handle($0) }
  }

  deinit {
    details?.destroy(by: "destroy")
    proxy.destroy(by: proxy.version >= 3 ? "release" : nil)
  }

  /// Requests the name, which wl_output reports only since version 4.
  func ask(_ manager: WaylandProxy) {
    guard proxy.version < 4, details == nil else { return }
    let details = manager.create("get_xdg_output", .xdgOutput, .newObject, .object(proxy))
    details.onEvent = { [weak self] event in
      guard event.name == "name" else { return }
      self?.name = event.string(0)
      self?.onChange()
    }
    self.details = details
  }

  private func handle(_ event: WaylandEvent) {
    switch event.name {
    case "geometry": transform = event.int(7)
    case "mode":
      // Bit 0 marks the current mode. The rate is in thousandths.
      guard event.uint(0) & 1 != 0 else { return }
      mode = (PixelSize(event.int(1), event.int(2)), Double(max(event.int(3), 0)) / 1000)
    case "scale": scale = min(max(event.int(0), 1), 16)
    case "name": name = event.string(0)
    default: break
    }
    // Versions before 2 have no `done`.
    if event.name == "done" || proxy.version < 2 { onChange() }
  }

  /// The size in surface coordinates, as mounted, or nil if the mode is unknown. Too small for
  /// fractional scales, whose compositors send a size.
  var size: PixelSize? {
    guard let size = mode?.size, size.isPanelSize else { return nil }
    let upright = SurfaceLayout.turn(forTransform: transform & 3).applied(to: size)
    return PixelSize(max(1, upright.width / scale), max(1, upright.height / scale))
  }

  var description: String {
    var text = name.isEmpty ? "output \(global)" : name
    if let mode { text += " \(mode.size)@\(Int(mode.refresh.rounded()))" }
    if scale != 1 { text += ", scale \(scale)" }
    if transform != 0 { text += ", transform \(transform)" }
    return text
  }
}
