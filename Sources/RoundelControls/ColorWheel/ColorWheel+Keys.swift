// SPDX-License-Identifier: MIT

internal import RoundelDeclarations
internal import RoundelDrawing
internal import RoundelGeometry
internal import RoundelJSON

extension ColorWheel {
  package static let keys = ControlKeys<ColorWheel>(
    "color", "A wheel of hues and saturations, or a scale of colour temperatures.",
    home: .text("value")
  ) { keys, at in
    let radius = keys.required("radius", .length, "The outer radius.")
    keys.optional(
      "value", .plainColor.as(.state),
      "The initial colour, at full brightness. The default is white, or the middle of the scale.",
      at: \ColorWheel.firstColor)
    let kelvin = keys.optional(
      "kelvin", .temperatures.as(.fixed),
      "The lowest and the highest colour temperature of a scale, instead of the wheel of hues.")
    return { fields in
      fields.target("the wheel", size: .square(2 * fields[radius]), at: radius)
      return ColorWheel(
        center: fields[at], radius: fields[radius],
        temperatures: fields[kelvin].map { $0[0]...$0[1] })
    }
  }
}

extension Form where Value == [Double] {
  fileprivate static var temperatures: Form {
    Form<Double>.number(1_000...40_000, "kelvin").list(atLeast: 2, atMost: 2, "numbers").compactMap
    { range, node, reader in
      if range[0] < range[1] { return range }
      reader.report(
        "\(reader.subject) is not a range: \(range[0].brief) and \(range[1].brief)",
        at: node.mark, expected: "the lower temperature first")
      return nil
    }
  }
}
