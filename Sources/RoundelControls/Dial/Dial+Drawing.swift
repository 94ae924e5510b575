// SPDX-License-Identifier: MIT

public import RoundelDrawing
internal import RoundelGeometry
internal import Glibc
internal import RoundelMotion

extension Dial {
  /// Draws face, labels and pointer.
  public func draw(into list: inout DisplayList, in context: DrawingContext) {
    let face = context.shown(color)
    let faceColor = face.over(context.background)
    let mark =
      context.isEnabled
      ? mark(on: faceColor, in: context.theme)
      : faceColor.readableText.faded(to: 0.15).over(faceColor)
    let behind = labelBackground(faceColor, in: context)
    let ink = context.ink(textColor, on: behind)
    drawFace(face, mark, into: &list, in: context)
    drawScale(ink, into: &list, in: context)
    if isEndless { return drawDimple(faceColor, mark, into: &list, in: context) }
    drawMarker(ink, into: &list, in: context)
    drawMark(mark, into: &list)
    let pale = ink.faded(to: 0.75)
    func isReadable(_ ink: Color) -> Bool {
      ink.over(behind).contrast(with: behind) >= Color.signContrast
    }
    let quiet = !context.isEnabled ? ink.faded(to: 0.3) : isReadable(pale) ? pale : ink
    drawLabels(ink, quiet, on: mark, into: &list, in: context)
    drawValue(ink, into: &list, in: context)
  }

  private var hubRadius: Double? {
    let inside = isEndless ? radius * 0.86 : labelRadius - em * 1.6
    return inside > radius * 0.3 ? inside : nil
  }

  /// Draws the selected label in the hub, unless another control is there.
  private func drawValue(_ ink: Color, into list: inout DisplayList, in context: DrawingContext) {
    guard background == nil, let hub = hubRadius, clearance > hub else { return }
    let label = unit.isEmpty ? labels[face.index] : labelsWithUnit[face.index]
    let size = Theme.step(hub * 0.6)
    list.add(
      TextRun(
        label, font: context.font.preferring(weight: fontWeight), size: size, at: center,
        bounds: .sector(Sector(center: .zero, radius: hub * 0.84)), peers: valuePeers, lines: 2,
        minimumSize: size * 0.2, tabularFigures: true), ink.faded(to: context.presence))
  }

  /// The face's colour, or an image's mean along the labels' circle.
  private func labelBackground(_ face: Color, in context: DrawingContext) -> Color {
    switch background {
    case .color(let color): return color.color(in: context.theme).over(face)
    case .image(let image):
      let count = 32
      return context.color(of: image, in: frame, over: face, at: count) { index in
        center + (Angle.fullTurn * (Double(index) / Double(count))).unit * labelRadius
      }
    case nil: return face
    }
  }

  private func mark(on face: Color, in theme: Theme) -> Color {
    switch color {
    case .background, .surface: theme.accent
    default: Self.accent(on: face)
    }
  }

  // MARK: The face

  private func drawFace(
    _ face: Color, _ mark: Color, into list: inout DisplayList, in context: DrawingContext
  ) {
    let disc = Shape.disc(center: center, radius: radius)
    let isLight = OKLCH(face.over(context.background)).lightness > 0.6
    list.add(disc, face)
    switch background {
    case .color(let color): list.add(disc, context.shown(color))
    case .image(let image):
      list.add(
        disc,
        // A still image is drawn like a moving one, so that it doesn't look sharper at rest.
        .image(image, frame: frame, turn: turn(at: context.now).normalized, isMoving: true))
    case nil:
      if let hub = hubRadius {
        list.add(.disc(center: center, radius: hub), .white.faded(to: isLight ? 0.45 : 0.05))
      }
    }
    let width = max(radius * (isHeld ? 0.02 : 0.012), 1)
    list.add(
      .sector(Sector(center: center, innerRadius: radius - width, outerRadius: radius)),
      isHeld ? mark : isLight ? .black.faded(to: 0.08) : .white.faded(to: 0.08))
    list.addLight(on: RoundedRect(disc: center, radius: radius), presence: context.presence)
  }

  /// Draws a line at the rim for each detent, if there is room. With up to 12 labels, only if their
  /// position is automatic.
  private func drawScale(_ ink: Color, into list: inout DisplayList, in context: DrawingContext) {
    let outer = radius - max(radius * 0.012, 1) - em * 0.15
    guard labelOffset == nil || labels.count > 12, offset >= em * 1.1, outer * step.radians >= 7
    else { return }
    let position = face.position(at: context.now)
    let ink = ink.faded(to: context.isEnabled ? 0.45 : 0.15)
    let (em, stride) = (em, stride)
    let first = firstShownLabel(stride)
    list.addInOnePass { list in
      for index in labels.indices {
        let isLong = (index - first) % stride == 0
        let direction = angle(of: index, position)
        let side = (direction + .degrees(90)).unit * (isLong ? 1.25 : 0.75)
        let top = center + direction.unit * outer
        let bottom = center + direction.unit * (outer - em * (isLong ? 0.42 : 0.25))
        list.addPolygon(ink) { corners in
          corners.append(top - side)
          corners.append(top + side)
          corners.append(bottom + side)
          corners.append(bottom - side)
        }
      }
    }
  }

  /// Draws a triangle at the rim, at the actual number or label.
  private func drawMarker(_ ink: Color, into list: inout DisplayList, in context: DrawingContext) {
    guard let marker, !isEndless else { return }
    let last = Double(labels.count - 1)
    let place = scale?.position(of: marker) ?? marker.within(0...last)
    let position = face.position(at: context.now)
    let direction = pointer + step * remainder(place - position, Double(labels.count))
    let outer = radius - max(radius * 0.02, 1)
    let height = max(radius * 0.07, 6)
    let side = (direction + .degrees(90)).unit * (height * 0.6)
    list.addPolygon(ink.faded(to: context.presence)) { corners in
      corners.append(center + direction.unit * outer - side)
      corners.append(center + direction.unit * outer + side)
      corners.append(center + direction.unit * (outer - height))
    }
  }

  // MARK: The selected label

  /// The distance from the selected label's centre to the window's edge, or nil without a window.
  private var windowDepth: Double? {
    let depth = min(offset, em * 0.8)
    return offset >= em * 0.6 && notchTip(depth) > 2 * notch ? depth : nil
  }

  private var notch: Double { em * 0.4 }

  private func notchTip(_ depth: Double) -> Double {
    let side = isUpright ? textLength / 2 * abs(pointer.unit.x) : 0
    return labelRadius - depth - side - notch * 0.5
  }

  private var windowLength: Double {
    let depth = windowDepth ?? 0
    return max(min(textLength, labelWidth + unitWidth) + 1.1 * depth, 2 * depth)
  }

  /// The decrease in prominence per detent, from 2.5 at the pointer.
  private var prominenceSlope: Double? {
    windowDepth == nil ? nil : 4 * step.radians * labelRadius / windowLength
  }

  private var textLength: Double { em * 0.58 * Double(longest) + unitWidth }

  private var unitWidth: Double { em * 0.58 * Double(unit.count) }

  private var windowDirection: Vector { isUpright ? Vector(1, 0) : (pointer + .degrees(90)).unit }

  /// The steps per half circle. At a radius of 100 pixels the error is a tenth of a pixel.
  private static let capSteps = 36

  private func drawMark(_ mark: Color, into list: inout DisplayList) {
    let depth = windowDepth ?? em * 0.7
    let tip = notchTip(depth)
    guard tip > 2 * notch else { return }
    let along = (pointer + .degrees(90)).unit
    if windowDepth != nil {
      // A pill, in a single polygon because two adjacent shapes would both cover the pixels of
      // their common edge.
      let half = windowLength / 2 - depth
      let across = isUpright ? Angle.zero : pointer
      let along = windowDirection
      let middle = center + pointer.unit * labelRadius
      list.addPolygon(mark) { corners in
        func addCap(_ middle: Point, from start: Angle) {
          for step in 0...Self.capSteps {
            let direction = start + .degrees(180 * Double(step) / Double(Self.capSteps))
            corners.append(middle + direction.unit * depth)
          }
        }
        addCap(middle + along * half, from: across)
        addCap(middle - along * half, from: across + .degrees(180))
      }
    }
    let side = along * notch
    let base = center + pointer.unit * (tip - notch)
    list.addPolygon(mark) { corners in
      corners.append(center + pointer.unit * tip)
      corners.append(base + side)
      corners.append(base - side)
    }
  }

  /// Draws the dimple, which marks where to put the finger.
  private func drawDimple(
    _ face: Color, _ mark: Color, into list: inout DisplayList, in context: DrawingContext
  ) {
    let size = min(radius * 0.13, max(em, radius * 0.08))
    let middle = center + (pointer + turn(at: context.now)).unit * (radius * 0.68)
    list.add(.disc(center: middle, radius: size), mark)
    list.add(.disc(center: middle, radius: size * 0.72), face.mixed(with: mark, 0.25))
  }

  // MARK: The labels

  private var labelRadius: Double { max(radius - offset, 1) }

  /// The direction on the side of the face closest to the position.
  private func angle(of index: Int, _ position: Double) -> Angle {
    pointer + step * remainder(Double(index) - position, Double(labels.count))
  }

  private func textAngle(_ angle: Angle) -> Angle {
    if isUpright { return .zero }
    // If the pointer is below the centre, the label under it would be upside down.
    return cos(pointer.radians) < -1e-9 ? angle + .degrees(180) : angle
  }

  func label(at point: Point, onFaceAt index: Int) -> Int? {
    let position = Double(index)
    let width = min(labelWidth, em * 0.62 * Double(longest) + em * 0.6)
    var found: (index: Int, distance: Double)?
    forEachShownLabel { index in
      let angle = angle(of: index, position)
      let v = point - (center + angle.unit * labelRadius)
      let along = (textAngle(angle) + .degrees(90)).unit
      let (x, y) = (v.dot(along), v.cross(along))
      guard abs(x) <= width / 2, abs(y) <= em * 0.8 else { return }
      if found.map({ v.length < $0.distance }) ?? true { found = (index, v.length) }
    }
    return found?.index
  }

  private func drawLabels(
    _ ink: Color, _ quiet: Color, on mark: Color, into list: inout DisplayList,
    in context: DrawingContext
  ) {
    let position = face.position(at: context.now)
    // The face rests only on detents.
    let isMoving = position != position.rounded()
    let lit = !context.isEnabled ? ink : windowDepth == nil ? mark : mark.readableText
    // Computed once, because there may be hundreds of labels.
    let (em, labelRadius, stride, width) = (em, labelRadius, stride, labelWidth)
    let slope = prominenceSlope
    forEachShownLabel { index in
      // Otherwise hidden labels must not leave the window empty.
      let counts = stride > 1 && index == face.index
      let angle = counts ? pointer : angle(of: index, position)
      let distance = counts ? 0 : abs(remainder(Double(index) - position, Double(labels.count)))
      // 1 if the label is in the window or, without a window, at the pointer.
      let prominence = slope.map { 2.5 - $0 * distance } ?? 1 - distance
      let shown = quiet.mixed(with: lit, prominence)
      list.add(
        TextRun(
          index == face.index && !unit.isEmpty ? labelsWithUnit[index] : labels[index],
          font: context.font(ofItem: "\(index)").preferring(weight: fontWeight), size: em,
          at: center + angle.unit * labelRadius, angle: textAngle(angle),
          box: Size(index == face.index ? width + unitWidth : width, em * 1.6),
          peers: labelPeers, minimumSize: em * 0.45, tabularFigures: true, isMoving: isMoving),
        shown)
      if !isUpright, mistakableLabels.contains(index) {
        drawUnderline(below: labels[index], angle, shown, into: &list)
      }
    }
  }

  /// Marks the bottom of a label such as 6 or 9.
  private func drawUnderline(
    below label: String, _ angle: Angle, _ ink: Color, into list: inout DisplayList
  ) {
    let up = textAngle(angle).unit
    let along = (textAngle(angle) + .degrees(90)).unit * (em * 0.3 * Double(label.count))
    let top = center + angle.unit * labelRadius - up * (em * 0.47)
    let depth = up * (em * 0.08)
    list.addPolygon(ink) { corners in
      corners.append(top - along)
      corners.append(top + along)
      corners.append(top + along - depth)
      corners.append(top - along - depth)
    }
  }

  /// Calls `body` with each label that has enough space, and with the selected one.
  private func forEachShownLabel(_ body: (_ index: Int) -> Void) {
    let (selected, count, stride) = (face.index, labels.count, stride)
    // The minimum distance, in labels.
    let space = (minimumLabelWidth / (labelRadius * step.radians)).rounded(.up)
    let needed = stride > 1 ? Int(space.within(0...Double(count))) : 0
    let first = firstShownLabel(stride)
    for index in Swift.stride(from: first, to: count, by: stride) {
      // The distance from the last shown label to the first may be less than a stride.
      let rest = count - index + first
      guard rest >= (labelStride == nil ? stride : needed) || index == first else { continue }
      let offset = abs(index - selected)
      if min(offset, count - offset) >= needed { body(index) }
    }
    if stride > 1 { body(selected) }
  }

  /// The first number that is a multiple of the labels' distance, or 0.
  private func firstShownLabel(_ stride: Int) -> Int {
    guard stride > 1, let scale else { return 0 }
    let distance = Double(stride) * scale.step
    let count = Scale.count(from: 0, by: distance, to: scale.minimum).rounded(.up)
    let index = Scale.count(
      from: scale.minimum, by: scale.step, to: Scale.value(0, distance, count))
    return index == index.rounded() ? Int(index.within(0...Double(scale.lastIndex))) : 0
  }

  /// 1, 2, 5, 10, 20, 50 … times `labelStride`.
  package var stride: Int {
    let base = labelStride ?? 1
    let space = labelRadius * step.radians * Double(base)
    var decade = 1
    while decade * base < labels.count {
      for factor in [1, 2, 5] where Double(factor * decade) * space >= minimumLabelWidth {
        return factor * decade * base
      }
      decade *= 10
    }
    return decade * base
  }

  private var minimumLabelWidth: Double { em * labelWidthInEm }

  /// The width, limited by the neighbours and the rim.
  private var labelWidth: Double {
    let space = Double(stride) * step.radians
    let toNeighbours = space < 2 ? 2 * labelRadius * tan(space / 2) - em * 0.5 : Double.infinity
    if isUpright {
      let half = (max(offset * offset - em * em * 0.25, 0)).squareRoot()
      return max(min(0.85 * space * labelRadius, 2 * half), 1)
    }
    let top = min(labelRadius + em * 0.36, radius)
    let chord = 2 * (radius * radius - top * top).squareRoot()
    return max(min(toNeighbours, max(chord, 3 * em)), 1)
  }

  /// Returns a colour that contrasts with the face and matches its hue.
  static func accent(on face: Color) -> Color {
    let own = OKLCH(face)
    let hue = own.chroma < 0.03 ? 30 : own.hue
    return own.lightness > 0.6
      ? OKLCH(lightness: 0.62, chroma: 0.15, hue: hue).color
      : OKLCH(lightness: 0.86, chroma: 0.09, hue: hue).color
  }
}
