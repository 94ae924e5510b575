// SPDX-License-Identifier: MIT

package import DRMDisplay
package import RoundelDrawing
internal import FramebufferDisplay
package import RoundelGeometry
internal import Kiosk
package import LinuxIO
package import RoundelMotion
package import RoundelPresentation
package import RoundelRuntime
package import RoundelTerminal
internal import WaylandDisplay

package struct BackendChoice {
  package enum Kind: String, CaseIterable, Sendable {
    /// A DRM panel. If there isn't a usable device, the compositor named by the environment, or the
    /// terminal.
    case auto
    case drm, wayland, fbdev, terminal, headless
  }

  package var kind = Kind.auto
  /// The DRM device or the framebuffer, or nil for the first usable one.
  package var card: String?
  /// The connectors, or the compositor's output. If empty, the first connected one.
  package var outputs: [String] = []
  /// The mode of the panel, or nil for its preferred mode.
  package var mode: ModeRequest?
  /// Overrides the kiosk's file.
  package var rotation: Rotation?
  /// Overrides the kiosk's file.
  package var depth: ColorDepth?
  /// The size of a headless panel or a Wayland window. Nil for the design's size, or for a whole
  /// Wayland output.
  package var size: PixelSize?
  /// The pixel graphics of a terminal, or nil for the best available.
  package var graphics: Graphics?
  /// Nil disables shakes and haptics.
  package var shakes: ShakeDetector?
  /// Whether touch positions are predicted for display.
  package var resamplesTouches = true
  /// Whether the user may switch to another virtual console and back.
  package var switchesTerminals = false
  package var forcesLegacy = false
  package var waitsForCard = false

  package init(_ kind: Kind = .auto) { self.kind = kind }

  /// Throws if the display can't be opened. A DRM device without a panel isn't an error, because a
  /// panel may be plugged in.
  ///
  /// - Parameters:
  ///   - store: The descriptor store of a service, or nil for a kiosk started by a user.
  ///   - environment: The environment variables of the process.
  ///   - onEnd: Called with nil when the user closes the display, or with an error if it ended.
  package func makeBackend(
    for content: Content, on loop: EventLoop, store: DescriptorStore? = nil,
    environment: TerminalEnvironment = TerminalEnvironment(Environment.variable),
    onEnd: @escaping (DisplayError?) -> Void, report: @escaping (BackendMessage) -> Void
  ) throws(DisplayError) -> any Backend {
    let turn = content.rotation(rotation)
    let shown = content.depth(depth)
    func makeTerminal() throws(DisplayError) -> any Backend {
      let screen = try TerminalScreen(
        graphics: graphics, isMultiplexed: environment.isMultiplexed, on: loop)
      // A terminal isn't mounted sideways, so the rotation in the kiosk's file doesn't apply.
      return TerminalBackend(screen, rotation: rotation ?? .none, onLeave: { onEnd(nil) })
    }
    func makeWayland() throws(DisplayError) -> any Backend {
      let request = WaylandRequest(
        title: content.description.name, output: outputs.first, window: size)
      let surface = try WaylandDisplay(
        request, rotation: turn, depth: shown, fallbackSize: content.designPanel(turn), on: loop)
      return WaylandBackend(
        surface, fixedRotation: rotation, fixedDepth: depth, resamplesTouches: resamplesTouches,
        on: loop, onEnd: onEnd, report: report)
    }
    func makePanel(_ panel: any PanelDisplay) -> any Backend {
      PanelBackend(
        panel, fixedRotation: rotation, fixedDepth: depth, shakes: shakes,
        takesConsole: store != nil,
        switchesTerminals: switchesTerminals, resamplesTouches: resamplesTouches, on: loop,
        report: report)
    }
    switch kind {
    case .headless:
      return HeadlessBackend(
        size: size ?? content.designPanel(turn), rotation: turn, fixedRotation: rotation,
        depth: shown, fixedDepth: depth, clock: { loop.now })
    case .terminal: return try makeTerminal()
    case .wayland: return try makeWayland()
    case .fbdev:
      return makePanel(
        try FramebufferDisplay(card ?? "/dev/fb0", rotation: turn, depth: shown, on: loop))
    case .auto, .drm:
      let panel = CardDisplay(
        OutputRequest(card: card, outputs: outputs, mode: mode),
        rotation: rotation ?? content.description.screen.rotation, depth: shown,
        forcesLegacy: forcesLegacy,
        canvasSize: content.designPanel(.none), store: store, on: loop)
      guard case .waiting(let obstacle) = panel.state else { return makePanel(panel) }
      let mayNot = obstacle.kind == .permission
      if kind == .auto, CompositorReport.isExpected, !panel.hasCard || mayNot {
        return try makeWayland()
      }
      guard !panel.hasCard, mayNot || !waitsForCard else { return makePanel(panel) }
      guard kind == .auto, obstacle.kind == .unavailable, environment.isInteractive else {
        throw obstacle
      }
      return try makeTerminal()
    }
  }
}
