// SPDX-License-Identifier: MIT

internal import Declarations
internal import Drawing
internal import Geometry
internal import JSON
internal import Kiosk
internal import Raster
internal import Runtime

/// The panel on which the studio shows a kiosk.
struct StudioPanel: Hashable {
  /// Nil for one on which the kiosk has its design size.
  private var size: PixelSize?
  private var rotation = Rotation.none
  /// Nil for what the file says.
  private var depth: ColorDepth?
  /// Whether it shows a circle only; nil for what the file says.
  private var isRound: Bool?

  private static let sides = 16...3840

  /// Takes the choices of a page. An impossible choice counts as the initial one.
  mutating func take(_ given: PanelParameters) {
    if let width = given.width, let height = given.height {
      let isPossible = Self.sides.contains(width) && Self.sides.contains(height)
      size = isPossible ? PixelSize(width, height) : nil
    }
    if let angle = given.rotation { rotation = Rotation(rawValue: angle) ?? .none }
    if let bits = given.depth { depth = ColorDepth(bits: bits) }
    if let shape = given.shape { isRound = Self.shapes.first { $0.value == shape }.map { $0.key } }
  }

  /// Its name; empty for what the file says.
  var shape: String { isRound.flatMap { Self.shapes[$0] } ?? "" }
  private static let shapes = [true: "round", false: "rectangle"]

  /// The choices, as they are sent to a page.
  var choices: KioskState.Panel {
    .init(
      size: size.map { "\($0)" } ?? "design", rotation: rotation.rawValue, depth: depth?.bits,
      shape: shape)
  }

  /// A kiosk as a panel of this shape shows it.
  func shown(_ content: Content) -> Content {
    guard let isRound else { return content }
    var content = content
    content.description.screen.isRound = isRound
    return content
  }

  /// The upright canvas of a panel that does not follow the design; nil for one that does.
  var canvas: PixelSize? { size.map { rotation.applied(to: $0) } }

  /// Such a panel as it shows a certain kiosk.
  func face(of content: Content) -> PanelFace {
    PanelFace(
      size: size ?? content.designPanel(rotation), rotation: rotation,
      depth: content.depth(depth))
  }
}

/// The pixels of a panel, and how the upright canvas lies on them.
struct PanelFace: Hashable {
  let size: PixelSize
  let rotation: Rotation
  let depth: ColorDepth?

  var canvas: PixelSize { rotation.applied(to: size) }

  func canvasPoint(_ point: Point) -> Point { rotation.canvasPoint(point, panel: size) }

  /// Where a point of the canvas is seen.
  func panelPoint(_ point: Point) -> Point { rotation.inverse.canvasPoint(point, panel: canvas) }

  /// Where a part of the canvas is seen.
  func panelRect(_ rect: Rect) -> Rect {
    let (a, b) = (
      panelPoint(Point(rect.x0, rect.y0)), panelPoint(Point(rect.x1, rect.y1))
    )
    return Rect(x0: min(a.x, b.x), y0: min(a.y, b.y), x1: max(a.x, b.x), y1: max(a.y, b.y))
  }

  /// A part of the canvas as the panel shows it.
  func shown(_ block: PixelBlock) -> PixelBlock {
    PixelBlock(
      rotation.panelRect(block.rect, canvas: canvas), pixels: block.turned(by: rotation).pixels
    ).reduced(to: depth)
  }
}
