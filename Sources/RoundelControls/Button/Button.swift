// SPDX-License-Identifier: MIT

public import RoundelDrawing
internal import RoundelExpressions
public import RoundelGeometry
public import RoundelMotion

/// A push button, selected when the finger is lifted on it, and confirmed when the blink ends.
public struct Button: BoxControl, PressedControl, BlinkingControl, Hashable {
  /// The outline of a button.
  public enum Shape: String, CaseIterable, Sendable {
    /// A disc, or a pill if width and height differ.
    case round
    case rounded
  }

  /// The centre, in design pixels.
  public package(set) var center: Point
  /// Width and height, in design pixels.
  public let size: Size
  /// The label, in up to two lines.
  public package(set) var text: String
  /// The image behind icon and text, or nil.
  public package(set) var image: String?
  /// The hit parts. The default is `alpha` if only the image is painted, otherwise `shape`.
  package var hit: Hit?
  /// The icon before the text, or above it unless the button is wide. Nil for no icon.
  public package(set) var icon: Icon?
  /// The font families of symbols. If empty, the text's font.
  public let iconFont: Font
  /// The maximum em size, or nil to derive it from the height.
  public package(set) var fontSize: Double?
  /// The fill colour at rest.
  public package(set) var color: ThemeColor
  /// The colour of the text, or nil for contrast with the fill.
  public package(set) var textColor: ThemeColor?
  /// The outline, which is also the hit area.
  public package(set) var shape: Shape
  /// Whether the button is marked as the current choice.
  public package(set) var isSelected = false
  package var hold = Press.standardHold
  /// The blink that confirms a selection.
  public package(set) var blink: Blink.Pattern

  var explicitBlink: Blink.Pattern? {
    get { blink == .none ? nil : blink }
    set { blink = newValue ?? .none }
  }

  private var face: Face

  /// The finger on the button. Other fingers are ignored.
  private var grip: Grip?
  /// The blinks. The button is item 0.
  var lights = Lights()

  private struct Grip: Hashable {
    let finger: Int
    /// Whether the finger is still over the button.
    var isOver = true
  }

  /// Creates a button of `size` around `center`, both in design pixels.
  public init(
    center: Point, size: Size, text: String, icon: Icon? = nil, fontSize: Double? = nil,
    color: ThemeColor = .surface, textColor: ThemeColor? = nil, shape: Shape = .round,
    blink: Blink.Pattern = .none, iconFont: Font = Font()
  ) {
    self.center = center
    self.size = size
    self.text = text
    self.icon = icon
    self.iconFont = iconFont
    face = Face(
      text, icon, size: size, shape: shape, fontSize: fontSize, iconFont: iconFont)
    self.fontSize = fontSize
    self.color = color
    self.textColor = textColor
    self.shape = shape
    self.blink = blink
  }

  package mutating func keysChanged(since old: Button?, at now: Instant) {
    guard text != old?.text || icon != old?.icon || shape != old?.shape || fontSize != old?.fontSize
    else { return }
    face = Face(
      text, icon, size: size, shape: shape, fontSize: fontSize, iconFont: iconFont)
  }

  package static let interface = Interface<Button>(events: EventType.choosing([.label]))

  var outline: RoundedRect {
    let short = min(size.width, size.height)
    return RoundedRect(frame, radius: shape == .round ? short / 2 : short * 0.2)
  }

  /// Whether the text is a single character, which is drawn as large as an icon.
  private var isSymbol: Bool { icon == nil && text.count == 1 }

  package var isHeld: Bool { grip?.isOver == true }

  /// Whether `point` is inside the rounded outline.
  public func contains(_ point: Point, at now: Instant) -> Bool { outline.contains(point) }

  /// Whether the image is transparent at `point`, so that touches pass through.
  public func isTransparent(_ point: Point, at now: Instant, _ masks: [String: ImageMask]) -> Bool {
    guard let image else { return false }
    return Hit.isThrough(
      point, hit, image: image, frame: frame, fit: .cover,
      isAlone: color.isClear && text.isEmpty && icon == nil, masks)
  }

  /// Reports `pressed`, then `selected` if the finger is lifted on the button, otherwise `cancelled`.
  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    switch touch.phase {
    case .down:
      if grip?.finger == touch.finger { letGo(at: now, events: &events) }
      guard grip == nil else { return }
      grip = Grip(finger: touch.finger)
      events.append(event("pressed", at: now))
    case .move:
      let isOver = outline.contains(touch.position)
      if grip?.finger == touch.finger { grip?.isOver = isOver }
    case .up:
      guard let grip, grip.finger == touch.finger, grip.isOver else { fallthrough }
      self.grip = nil
      light(0, at: now, events: &events)
    case .cancel: if grip?.finger == touch.finger { letGo(at: now, events: &events) }
    }
  }

  /// The button's outline.
  public func focusOutline(of part: Int?, at now: Instant) -> FocusOutline? { .rect(outline) }

  /// The button's text.
  public func wording(of item: String?, at now: Instant) -> Wording { Wording(label: text) }

  /// The press of a finger.
  public func press(of finger: Int, at now: Instant) -> Press? {
    guard let grip, grip.finger == finger else { return nil }
    return Press(fields: fields, hold: hold, isOn: grip.isOver)
  }

  private static let scrim = 0.5

  /// Reports `cancelled` if a finger holds the button. A blink continues.
  public mutating func letGo(at now: Instant, events: inout [ControlEvent]) {
    guard grip != nil else { return }
    grip = nil
    events.append(event("cancelled", at: now))
  }

  /// Continues the touches and lights of `old`.
  public mutating func resume(_ old: any Control, at now: Instant) {
    guard let old = old as? Button else { return }
    (grip, lights) = (old.grip, old.lights)
  }

  func event(_ name: String, _ item: Int = 0, at now: Instant) -> ControlEvent {
    ControlEvent(name, at: now, fields: fields)
  }

  private var fields: [Field] { [Field("label", .text(text))] }

  /// Draws outline, icon and text.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    let rest = context.shown(color)
    let fontSize =
      fontSize ?? (isSymbol ? Theme.signStep(min(size.width, size.height) * 0.42) : nil)
      ?? context.fontSize(inHeight: size.height)
    let isLit = lights.isLit(0, at: context.now)
    let light = lights.brightness(0, at: context.now)
    var fill = rest
    if isHeld { fill = fill.over(context.background).veil(0.2).over(fill) }
    if light > 0 {
      fill = fill.over(context.background).veil(Feedback.lit).faded(to: light).over(fill)
    }
    list.add(.roundedRect(outline), fill)
    if let image {
      list.add(.roundedRect(outline), .image(image, frame: frame, fit: .cover))
      let shade = text.isEmpty && icon == nil ? 0 : Self.scrim
      let veil = Color.white.faded(to: max(Feedback.lit * light, isHeld ? 0.2 : 0))
      if shade > 0 { list.add(.roundedRect(outline), .black.faded(to: shade)) }
      if veil.alpha > 0 { list.add(.roundedRect(outline), veil) }
      if !context.isEnabled { list.add(.roundedRect(outline), context.background.faded(to: 0.6)) }
    }
    list.addLight(on: outline, presence: fill.opacity * context.presence)
    if isSelected {
      FocusOutline.rect(outline).drawSelection(
        on: image == nil ? fill.over(context.background) : .dark, into: &list, in: context)
    }
    // A readable text keeps its colour while held, and contrasts with the fill while lit.
    let background = image == nil ? fill.over(context.background) : isLit ? .white : .dark
    var readable = context.ink(
      on: isLit || image != nil ? background : rest.over(context.background))
    if isHeld { readable = readable.kept(on: background, contrast: Color.heldContrast) }
    let ink =
      context.isEnabled ? textColor?.color(in: context.theme) ?? readable : readable.faded(to: 0.4)
    func place(_ offset: Vector) -> Point {
      center + Vector(context.isMirrored ? -offset.x : offset.x, offset.y)
    }
    let run = TextRun(
      text, font: context.font, size: fontSize, at: place(face.textOffset), bounds: face.bounds,
      peers: face.peers, lines: 2, minimumSize: context.minimumFontSize(of: fontSize))
    if let icon {
      var appearance = IconAppearance(
        center: place(face.iconOffset), ink: ink, background: background)
      if case .image = icon, !context.isEnabled { appearance.presence = 0.4 }
      list.add(icon, face.icons, font: context.signFont(iconFont), appearance)
    }
    if !text.isEmpty { list.add(run, ink) }
  }
}

extension Button {
  fileprivate struct Face: Hashable {
    /// The offset in a left-to-right language.
    var textOffset = Vector.zero
    var iconOffset = Vector.zero
    var bounds: TextBounds
    var peers: TextPeers
    var icons: IconSetting

    init(
      _ text: String, _ icon: Icon?, size: Size, shape: Shape, fontSize: Double?, iconFont: Font
    ) {
      let short = min(size.width, size.height)
      let isDisc = shape == .round && max(size.width, size.height) < 1.25 * short
      bounds = Self.bounds(of: size, shape, isDisc: isDisc)
      var side = short * 0.56
      if icon != nil, !text.isEmpty {
        if size.width >= 1.6 * size.height {
          side = Theme.signStep(size.height * 0.46)
          let (edge, gap) = (size.height * 0.26, size.height * 0.16)
          // Centred together, by the typical widths of characters.
          let em = fontSize ?? Theme.textSize(inHeight: size.height, Theme.standardFontSize)
          let most = max(size.width - 2 * edge - side - gap, 1)
          let width = min(TextBounds.width(of: text) * em, most)
          iconOffset.x = -(gap + width) / 2
          textOffset.x = (side + gap) / 2
          let toIcon = textOffset.x - iconOffset.x - (side + gap) / 2
          let toEdge = (size.width - edge) / 2 - textOffset.x
          bounds = .box(Size(2 * max(min(toIcon, toEdge), 0.5), size.height * 0.8))
        } else {
          side = short * 0.34
          iconOffset.y = -short * 0.16
          textOffset.y = short * 0.21
          // Enough for two lines.
          let height = short * 0.4
          bounds =
            isDisc
            ? .sector(Sector(center: .zero - textOffset, radius: short * 0.47), height: height)
            : .box(Size(size.width * 0.8, height))
        }
      }
      peers = TextPeers([TextPeers.Text(text, bounds: bounds)])
      icons = IconSetting(icon.map { [$0] } ?? [], side: side, font: iconFont)
    }

    /// The space for text without an icon.
    private static func bounds(of size: Size, _ shape: Shape, isDisc: Bool) -> TextBounds {
      let (width, height) = (size.width, size.height)
      if isDisc { return .sector(Sector(center: .zero, radius: min(width, height) * 0.47)) }
      switch shape {
      case .rounded: return .box(Size(width * 0.84, height * 0.8))
      // Each end is half a disc.
      case .round where width > height:
        return .box(Size(width - max(0.28 * width, 0.42 * height), height * 0.8))
      case .round: return .box(Size(width * 0.72, height - max(0.2 * height, 0.32 * width)))
      }
    }
  }
}
