// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelGeometry
internal import RoundelJSON
internal import Kiosk
internal import RoundelRaster
internal import RoundelRuntime

struct StudioPanel: Hashable {
  /// The size, or nil to use the kiosk's design size.
  private var size: PixelSize?
  private var rotation = Rotation.none
  /// The colour depth, or nil to use the file's.
  private var depth: ColorDepth?
  /// Whether the panel is round, or nil to use the file's setting.
  private var isRound: Bool?

  private static let sides = 16...3840

  mutating func take(_ given: PanelParameters) {
    if let width = given.width, let height = given.height {
      let isPossible = Self.sides.contains(width) && Self.sides.contains(height)
      size = isPossible ? PixelSize(width, height) : nil
    }
    if let angle = given.rotation { rotation = Rotation(rawValue: angle) ?? .none }
    if let bits = given.depth { depth = ColorDepth(bits: bits) }
    if let shape = given.shape { isRound = Self.shapes.first { $0.value == shape }.map { $0.key } }
  }

  /// An empty string selects the file's shape.
  var shape: String { isRound.flatMap { Self.shapes[$0] } ?? "" }
  private static let shapes = [true: "round", false: "rectangle"]

  var choices: KioskState.Panel {
    .init(
      size: size.map { "\($0)" } ?? "design", rotation: rotation.rawValue, depth: depth?.bits,
      shape: shape)
  }

  func shown(_ content: Content) -> Content {
    guard let isRound else { return content }
    var content = content
    content.description.screen.isRound = isRound
    return content
  }

  /// The unrotated size, or nil for the design size.
  var canvas: PixelSize? { size.map { rotation.applied(to: $0) } }

  func face(of content: Content) -> PanelFace {
    PanelFace(
      size: size ?? content.designPanel(rotation), rotation: rotation,
      depth: content.depth(depth))
  }
}

struct PanelFace: Hashable {
  let size: PixelSize
  let rotation: Rotation
  let depth: ColorDepth?

  var canvas: PixelSize { rotation.applied(to: size) }

  func canvasPoint(_ point: Point) -> Point { rotation.canvasPoint(point, panel: size) }

  func panelPoint(_ point: Point) -> Point { rotation.inverse.canvasPoint(point, panel: canvas) }

  func panelRect(_ rect: Rect) -> Rect {
    let (a, b) = (
      panelPoint(Point(rect.x0, rect.y0)), panelPoint(Point(rect.x1, rect.y1))
    )
    return Rect(x0: min(a.x, b.x), y0: min(a.y, b.y), x1: max(a.x, b.x), y1: max(a.y, b.y))
  }

  /// Applies the panel's orientation and colour depth.
  func shown(_ block: PixelBlock) -> PixelBlock {
    PixelBlock(
      rotation.panelRect(block.rect, canvas: canvas), pixels: block.turned(by: rotation).pixels
    ).reduced(to: depth)
  }
}
