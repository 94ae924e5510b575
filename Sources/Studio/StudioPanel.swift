// SPDX-License-Identifier: MIT

internal import Declarations
internal import Drawing
internal import Geometry
internal import JSON
internal import Kiosk
internal import Raster
internal import Runtime

/// The studio's panel for a kiosk.
struct StudioPanel: Hashable {
  /// The size, or nil to use the kiosk's design size.
  private var size: PixelSize?
  private var rotation = Rotation.none
  /// The colour depth, or nil to use the file's.
  private var depth: ColorDepth?
  /// Whether the panel is round, or nil to use the file's setting.
  private var isRound: Bool?

  private static let sides = 16...3840

  /// Applies the choices of a page. An impossible choice selects the default.
  mutating func take(_ given: PanelParameters) {
    if let width = given.width, let height = given.height {
      let isPossible = Self.sides.contains(width) && Self.sides.contains(height)
      size = isPossible ? PixelSize(width, height) : nil
    }
    if let angle = given.rotation { rotation = Rotation(rawValue: angle) ?? .none }
    if let bits = given.depth { depth = ColorDepth(bits: bits) }
    if let shape = given.shape { isRound = Self.shapes.first { $0.value == shape }.map { $0.key } }
  }

  /// The name of the shape, or an empty string for the file's shape.
  var shape: String { isRound.flatMap { Self.shapes[$0] } ?? "" }
  private static let shapes = [true: "round", false: "rectangle"]

  /// The choices for pages.
  var choices: KioskState.Panel {
    .init(
      size: size.map { "\($0)" } ?? "design", rotation: rotation.rawValue, depth: depth?.bits,
      shape: shape)
  }

  /// Returns a kiosk for a panel of this shape.
  func shown(_ content: Content) -> Content {
    guard let isRound else { return content }
    var content = content
    content.description.screen.isRound = isRound
    return content
  }

  /// The size of the unrotated canvas, or nil for the design size.
  var canvas: PixelSize? { size.map { rotation.applied(to: $0) } }

  /// Returns the panel's geometry for a kiosk.
  func face(of content: Content) -> PanelFace {
    PanelFace(
      size: size ?? content.designPanel(rotation), rotation: rotation,
      depth: content.depth(depth))
  }
}

/// The pixels of a panel, and their mapping to the unrotated canvas.
struct PanelFace: Hashable {
  let size: PixelSize
  let rotation: Rotation
  let depth: ColorDepth?

  var canvas: PixelSize { rotation.applied(to: size) }

  func canvasPoint(_ point: Point) -> Point { rotation.canvasPoint(point, panel: size) }

  /// Returns the position of a canvas point on the panel.
  func panelPoint(_ point: Point) -> Point { rotation.inverse.canvasPoint(point, panel: canvas) }

  /// Returns the panel's rectangle for a rectangle of the canvas.
  func panelRect(_ rect: Rect) -> Rect {
    let (a, b) = (
      panelPoint(Point(rect.x0, rect.y0)), panelPoint(Point(rect.x1, rect.y1))
    )
    return Rect(x0: min(a.x, b.x), y0: min(a.y, b.y), x1: max(a.x, b.x), y1: max(a.y, b.y))
  }

  /// Returns a block of the canvas in the panel's orientation and colour depth.
  func shown(_ block: PixelBlock) -> PixelBlock {
    PixelBlock(
      rotation.panelRect(block.rect, canvas: canvas), pixels: block.turned(by: rotation).pixels
    ).reduced(to: depth)
  }
}
