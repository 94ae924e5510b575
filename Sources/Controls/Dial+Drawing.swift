// SPDX-License-Identifier: MIT

public import Drawing
internal import Geometry
internal import Glibc
internal import Motion

extension Dial {
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    let isUsable = context.isEnabled
    let shown = isUsable ? color : color.disabled(on: context.background)
    list.add(.disc(center: center, radius: radius), shown)
    drawBackground(into: &list, in: context)
    drawRim(on: shown, into: &list)
    let mark = isUsable ? Self.accent(on: shown) : shown.readableText.faded(to: 0.15).over(shown)
    drawMark(mark, into: &list)
    drawScale(into: &list, in: context)
    drawLabels(on: mark, into: &list, in: context)
  }

  private func drawBackground(into list: inout DisplayList, in context: DrawingContext) {
    let disc = Shape.disc(center: center, radius: radius)
    switch background {
    case .color(let color):
      list.add(disc, context.isEnabled ? color : color.disabled(on: context.background))
    case .image(let image):
      let frame = Rect(center: center, size: Size(2 * radius, 2 * radius))
      list.add(
        DisplayItem(
          disc, .image(image, frame: frame, turn: turn(at: context.now).normalized)))
    case nil: break
    }
  }

  /// One soft edge: the light that catches the rim.
  private func drawRim(on face: Color, into list: inout DisplayList) {
    let width = max(radius * 0.012, 1)
    let light = OKLCH(face).lightness > 0.6 ? Color.black.faded(to: 0.08) : .white.faded(to: 0.14)
    list.add(
      .sector(Sector(center: center, innerRadius: radius - width, outerRadius: radius)), light)
  }

  // MARK: The scale

  /// The radius on which the labels' middles stand.
  private var labelRadius: Double { max(radius - labelOffset, 1) }
  /// How far a label reaches inwards from there, with some air.
  private var labelDepth: Double { fontSize * 0.85 }

  /// The window in which a label counts, and a notch that points at it.
  private func drawMark(_ mark: Color, into list: inout DisplayList) {
    let inner = labelRadius - labelDepth
    guard inner > 0 else { return }
    // As wide as one label's part of the rim, or as a label that has more than it needs.
    let half = min(step.radians / 2, max(widthOfLabel, 2.2 * fontSize) / labelRadius / 2)
    list.add(
      .sector(
        Sector(
          center: center, innerRadius: inner, outerRadius: radius,
          start: pointer - .radians(half), end: pointer + .radians(half))), mark)
    let (out, side) = (pointer.unit, (pointer + .degrees(90)).unit)
    let size = fontSize * 0.42
    let tip = center + out * (inner + 0.5)
    let base = center + out * (inner - size)
    list.add(.polygon([tip, base + side * size, base - side * size]), mark)
  }

  /// A line for each detent, as long as they can be told apart.
  private func drawScale(into list: inout DisplayList, in context: DrawingContext) {
    let outer = labelRadius - labelDepth - fontSize * 0.6
    guard labels.count > 12, outer > radius * 0.3, outer * step.radians >= 7 else { return }
    let position = face.position(at: context.now)
    let ink = textColor.faded(to: context.isEnabled ? 0.35 : 0.15)
    let lines = labels.indices.map { index in
      let isLong = index % stride == 0
      let direction = angle(of: index, position)
      let side = (direction + .degrees(90)).unit * (isLong ? 1.25 : 0.75)
      let top = center + direction.unit * outer
      let bottom = center + direction.unit * (outer - fontSize * (isLong ? 0.5 : 0.3))
      return Tile(.polygon([top - side, top + side, bottom + side, bottom - side]), ink)
    }
    list.add(DisplayItem(lines))
  }

  /// The direction in which label `index` stands; near the pointer where it is near the position.
  private func angle(of index: Int, _ position: Double) -> Angle {
    pointer + step * remainder(Double(index) - position, Double(labels.count))
  }

  private func drawLabels(
    on mark: Color, into list: inout DisplayList, in context: DrawingContext
  ) {
    let position = face.position(at: context.now)
    let count = Double(labels.count)
    let room = Double(stride) * step.radians
    let width = min(
      room < 2 ? 2 * labelRadius * tan(room / 2) - fontSize * 0.3 : .infinity,
      max(chord, 3 * fontSize))
    let lit = context.isEnabled ? mark.readableText : textColor
    for index in shownLabels {
      let distance = abs(remainder(Double(index) - position, count))
      let angle = angle(of: index, position)
      let prominence = max(0, 1 - distance)
      let plain = textColor.faded(to: context.isEnabled ? 0.72 : 0.3)
      list.add(
        .text(
          TextRun(
            labels[index], font: FontName(font ?? context.font, bold: true), size: fontSize,
            at: center + angle.unit * labelRadius,
            // Where the pointer is below the centre, the label under it would stand on its head.
            angle: cos(pointer.radians) < -1e-9 ? angle + .degrees(180) : angle,
            box: Size(max(width, 1), fontSize * 1.6), minimumSize: fontSize * 0.45,
            tabularFigures: true)),
        plain.mixed(with: lit, prominence))
    }
  }

  /// The labels that there is room for, and the selected one in any case.
  private var shownLabels: [Int] {
    let selected = face.index
    let count = labels.count
    var shown = Swift.stride(from: 0, to: count, by: stride).filter { index in
      // Round the end of the row the distance may be less than a stride.
      count - index >= stride || index == 0
    }
    guard stride > 1 else { return shown }
    let needed = Int((widthOfLabel / (labelRadius * step.radians)).rounded(.up))
    shown.removeAll { index in
      let way = abs(index - selected)
      return min(way, count - way) < needed
    }
    return shown + [selected]
  }

  /// Every how many labels one is shown: 1, 2, 5, 10, 20, 50 … so that they do not touch.
  private var stride: Int {
    let room = labelRadius * step.radians
    var decade = 1
    while decade < labels.count {
      for factor in [1, 2, 5] where Double(factor * decade) * room >= widthOfLabel {
        return factor * decade
      }
      decade *= 10
    }
    return decade
  }

  /// What the longest label needs along the rim. Long words may be set smaller; four letters may not.
  private var widthOfLabel: Double {
    let letters = min(longest, 4)
    return fontSize * (0.6 * Double(letters) + 0.3)
  }

  /// The length of the straight line inside of the rim on which the tops of the labels lie.
  private var chord: Double {
    let top = min(labelRadius + fontSize * 0.36, radius)
    return 2 * (radius * radius - top * top).squareRoot()
  }

  /// A colour that stands out on the face and goes with it.
  static func accent(on face: Color) -> Color {
    let own = OKLCH(face)
    let hue = own.chroma < 0.03 ? 30 : own.hue
    return own.lightness > 0.6
      ? OKLCH(lightness: 0.62, chroma: 0.15, hue: hue).color
      : OKLCH(lightness: 0.86, chroma: 0.09, hue: hue).color
  }
}

extension Color {
  /// The colour on the way from this one (`part` 0) to another (1).
  func mixed(with other: Color, _ part: Double) -> Color {
    func mix(_ a: UInt8, _ b: UInt8) -> UInt8 {
      UInt8((Double(a) + (Double(b) - Double(a)) * min(max(part, 0), 1)).rounded())
    }
    return Color(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue),
      alpha: mix(alpha, other.alpha))
  }
}
