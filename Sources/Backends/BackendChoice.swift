// SPDX-License-Identifier: MIT

package import DRMDisplay
package import Drawing
internal import FramebufferDisplay
package import Geometry
internal import Kiosk
package import LinuxIO
package import Motion
package import Presentation
package import Runtime
package import Terminal
internal import WaylandDisplay

/// The choice of the backend that a kiosk is shown on.
package struct BackendChoice {
  package enum Kind: String, CaseIterable, Sendable {
    /// A DRM panel; where no card can be used, the compositor that WAYLAND_DISPLAY names, or the terminal.
    case auto
    case drm, wayland, fbdev, terminal, headless
  }

  package var kind = Kind.auto
  /// The DRM card, or the frame buffer; nil for the first that can be used.
  package var card: String?
  /// The connectors, or the compositor's output; empty for the first that is connected.
  package var outputs: [String] = []
  /// The mode of the panel; nil for its preferred one.
  package var mode: ModeRequest?
  /// How far the picture is turned, whatever the kiosk's file says; nil where the file decides.
  package var rotation: Rotation?
  /// The colour depth of the panel, whatever the kiosk's file says; nil where the file decides.
  package var depth: ColorDepth?
  /// The pixels of a headless panel; on Wayland those of a window; nil for the design's, and all of an
  /// output.
  package var size: PixelSize?
  /// How a terminal shows pixels; nil for the best that it can.
  package var graphics: Graphics?
  /// Detects shakes of the panel; nil for neither shakes nor haptics.
  package var shakes: ShakeDetector?
  /// Whether a thing that follows a finger is drawn where the finger is expected to be.
  package var resamplesTouches = true
  /// Whether people may switch to another console and back.
  package var switchesTerminals = false
  /// Whether atomic commits are avoided.
  package var forcesLegacy = false
  /// Whether a machine without a card waits for one.
  package var waitsForCard = false

  package init(_ kind: Kind = .auto) { self.kind = kind }

  /// Makes the backend for a kiosk. A display that may not be opened is an error; a card without a panel
  /// is not: one will be plugged in.
  ///
  /// - Parameters:
  ///   - store: the descriptors of a service; nil for a kiosk that a person has started.
  ///   - environment: the variables of the process.
  ///   - onEnd: called when the display is closed, or with the reason why it has ended.
  ///   - report: called with messages for people.
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
      // A terminal is not mounted sideways, whatever the kiosk's file says of its panel.
      return TerminalBackend(screen, rotation: rotation ?? .none, onLeave: { onEnd(nil) })
    }
    func makeWayland() throws(DisplayError) -> any Backend {
      let request = WaylandRequest(
        title: content.description.name, output: outputs.first, window: size)
      let surface = try WaylandDisplay(
        request, rotation: turn, depth: shown, fallbackSize: content.designPanel(turn), on: loop)
      return WaylandBackend(
        surface, fixedRotation: rotation, fixedDepth: depth, resamplesTouches: resamplesTouches,
        onEnd: onEnd, report: report)
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
      guard kind == .auto, obstacle.kind == .unavailable, environment.isUsedByPerson else {
        throw obstacle
      }
      return try makeTerminal()
    }
  }
}
