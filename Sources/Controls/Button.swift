// SPDX-License-Identifier: MIT

public import Drawing
internal import Expressions
public import Geometry
public import Motion

/// A shape with a word on it, chosen by letting go of it.
public struct Button: Control, Hashable {
  public enum Shape: String, CaseIterable, Sendable {
    /// A disc; where it is wider than high, a pill.
    case round
    case rounded
  }

  public let center: Point
  public let size: Size
  public let text: String
  /// The greatest size of the text; nil for what suits the height.
  public let fontSize: Double?
  public let color: Color
  /// Nil for black or white, whichever reads better.
  public let textColor: Color?
  public let shape: Shape

  /// Whether each finger that came down on the button is still over it.
  private var holds: [Int: Bool] = [:]

  public init(
    center: Point, size: Size, text: String, fontSize: Double? = nil,
    color: Color = Color(hex: 0x3a4657),
    textColor: Color? = nil, shape: Shape = .round
  ) {
    self.center = center
    self.size = size
    self.text = text
    self.fontSize = fontSize
    self.color = color
    self.textColor = textColor
    self.shape = shape
  }

  private var outline: RoundedRect {
    let short = min(size.width, size.height)
    return RoundedRect(
      Rect(center: center, size: size), radius: shape == .round ? short / 2 : short * 0.2)
  }

  /// Whether a finger is on it.
  public var isHeld: Bool { holds.values.contains(true) }

  public func contains(_ point: Point, at now: Instant) -> Bool { outline.contains(point) }

  public mutating func handle(_ touch: Touch, at now: Instant, events: inout [ControlEvent]) {
    switch touch.phase {
    case .down:
      holds[touch.finger] = true
      events.append(event("pressed", at: now))
    case .move:
      if holds[touch.finger] != nil { holds[touch.finger] = outline.contains(touch.position) }
    case .up:
      guard let isInside = holds.removeValue(forKey: touch.finger) else { return }
      events.append(event(isInside ? "selected" : "cancelled", at: now))
    case .cancel:
      guard holds.removeValue(forKey: touch.finger) != nil else { return }
      events.append(event("cancelled", at: now))
    }
  }

  public mutating func reset(at now: Instant, events: inout [ControlEvent]) {
    for _ in holds { events.append(event("cancelled", at: now)) }
    holds = [:]
  }

  private func event(_ name: String, at now: Instant) -> ControlEvent {
    ControlEvent(name, at: now, fields: [Field("label", .text(text))])
  }

  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    let rest = context.isEnabled ? color : color.disabled(on: context.background)
    let fontSize = fontSize ?? min(size.height * 0.42, 28)
    let readable = rest.readableText(isLarge: fontSize >= 24)
    let fill = isHeld ? readable.faded(to: 0.2).over(rest) : rest
    list.add(.roundedRect(outline), fill)
    let ink = context.isEnabled ? textColor ?? readable : readable.faded(to: 0.4)
    let margin = shape == .round ? 0.14 * size.width : 0.08 * size.width
    list.add(
      .text(
        TextRun(
          text, font: FontName(context.font), size: fontSize, at: center,
          box: Size(size.width - 2 * margin, size.height * 0.8), lines: 2)),
      ink)
  }
}
